/**
 * What a DaemonSet does next, and what it reports. Pure.
 *
 * One pod on every node that its labels and taints let it on. An update replaces pods a few at a time: either old ones are
 * deleted first (`maxUnavailable`) or new ones made beside them (`maxSurge`); with `OnDelete` nothing is replaced.
 */
import type { DaemonSet, DaemonSetStatus, Node, Pod, PodSpec, Toleration } from '#gen/kube/types.ts';
import { defined, unlessZero } from '../defined.ts';
import { matchesNode } from '../node/node-affinity.ts';
import { untolerated } from '../node/taints.ts';
import { intOrPercent } from '../workload/int-or-percent.ts';
import { isAvailable, isPodReady } from '../workload/pod-state.ts';

export const REVISION_LABEL = 'controller-revision-hash';

export interface DaemonPlan {
  /** Names of nodes to make a pod for. */
  readonly create: readonly string[];
  readonly remove: readonly Pod[];
  /** Those of them that have failed, of which people are told. */
  readonly failed: readonly Pod[];
}

export function planDaemonSet(
  set: DaemonSet,
  nodes: readonly Node[],
  pods: readonly Pod[],
  hash: string,
  now: number,
): DaemonPlan {
  const places = placesOf(set, nodes, pods, hash);
  const core = coverNodes(places, set, now);
  if (core.create.length > 0 || core.remove.length > 0 || set.spec?.updateStrategy?.type === 'OnDelete') return core;
  return { ...(surgeOf(set, places) > 0 ? surge(set, places, now) : replace(set, places, now)), failed: [] };
}

interface Place {
  readonly node?: Node;
  readonly shouldRun: boolean;
  /** Pods may stay on a node that would not take them any more. */
  readonly mayStay: boolean;
  readonly pods: readonly Pod[];
  /** The pod of the current template, and one of another; the older, should there be several. */
  readonly updated?: Pod;
  readonly old?: Pod;
}

function placesOf(set: DaemonSet, nodes: readonly Node[], pods: readonly Pod[], hash: string): readonly Place[] {
  const byNode = Map.groupBy(pods, (pod) => targetOf(pod) ?? '');
  const known = nodes.map((node): Place => {
    const here = (byNode.get(node.metadata.name) ?? []).toSorted(boundThenOlder);
    byNode.delete(node.metadata.name);
    const alive = here.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const isUpdated = ({ metadata }: Pod) => metadata.labels?.[REVISION_LABEL] === hash;
    return {
      node,
      ...fitOf(set, node),
      pods: here,
      ...defined({ updated: alive.find(isUpdated), old: alive.find((pod) => !isUpdated(pod)) }),
    };
  });
  // Pods of nodes that are gone have nowhere to be.
  const lost = [...byNode.values()].map((here): Place => ({ shouldRun: false, mayStay: false, pods: here }));
  return [...known, ...lost];
}

/** The node a daemon pod is, or is to be, on. */
export function targetOf({ spec }: Pod): string | undefined {
  if (spec?.nodeName) return spec.nodeName;
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const field = terms.flatMap(({ matchFields = [] }) => matchFields).find(({ key }) => key === 'metadata.name');
  return field?.values?.[0];
}

function boundThenOlder(a: Pod, b: Pod): number {
  const bound = Number(Boolean(b.spec?.nodeName)) - Number(Boolean(a.spec?.nodeName));
  const [mine, other] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? ''];
  return bound || (mine < other ? -1 : mine > other ? 1 : 0);
}

function fitOf(set: DaemonSet, node: Node): Pick<Place, 'shouldRun' | 'mayStay'> {
  const spec = set.spec?.template.spec;
  const tolerations = [...(spec?.tolerations ?? []), ...daemonTolerations(spec)];
  const fits = matchesNode(spec, node);
  const evicted = untolerated(node.spec?.taints, tolerations, ['NoExecute']) !== undefined;
  const refused = untolerated(node.spec?.taints, tolerations, ['NoSchedule', 'NoExecute']) !== undefined;
  return { shouldRun: fits && !refused, mayStay: fits && !evicted };
}

/** Every node that should has a pod, one only, and one that works. */
function coverNodes(places: readonly Place[], set: DaemonSet, now: number): DaemonPlan {
  const create: string[] = [];
  const remove: Pod[] = [];
  const failed: Pod[] = [];
  for (const { node, shouldRun, mayStay, pods } of places) {
    const alive = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    if (shouldRun && pods.length === 0 && node) create.push(node.metadata.name);
    if (!mayStay) remove.push(...alive);
    if (!mayStay) continue;
    const broken = alive.filter(({ status }) => status?.phase === 'Failed');
    failed.push(...broken);
    const done = alive.filter(({ status }) => status?.phase === 'Succeeded');
    const working = alive.filter(({ status }) => status?.phase !== 'Failed' && status?.phase !== 'Succeeded');
    remove.push(...broken, ...done, ...excess(working, set, now));
  }
  return { create, remove, failed };
}

/** All but the oldest; with surge, one of each template, until the new one is available. */
function excess(working: readonly Pod[], set: DaemonSet, now: number): readonly Pod[] {
  if ((set.spec?.updateStrategy?.rollingUpdate?.maxSurge ?? 0) === 0) return working.slice(1);
  const [first, ...others] = working;
  const isOther = ({ metadata }: Pod) => metadata.labels?.[REVISION_LABEL] !== first?.metadata.labels?.[REVISION_LABEL];
  const partner = others.find(isOther);
  const bothUp = partner && working.every((pod) => isAvailable(pod, set.spec?.minReadySeconds ?? 0, now));
  return bothUp ? [] : others.filter((pod) => pod !== partner);
}

const wantedPlaces = (places: readonly Place[]) => places.filter(({ shouldRun }) => shouldRun);

function surgeOf(set: DaemonSet, places: readonly Place[]): number {
  return intOrPercent(set.spec?.updateStrategy?.rollingUpdate?.maxSurge ?? 0, wantedPlaces(places).length, 'up');
}

function replace(set: DaemonSet, places: readonly Place[], now: number): Omit<DaemonPlan, 'failed'> {
  const wanted = wantedPlaces(places);
  const allowed = intOrPercent(set.spec?.updateStrategy?.rollingUpdate?.maxUnavailable ?? 1, wanted.length, 'up');
  const isUp = (pod: Pod) => isAvailable(pod, set.spec?.minReadySeconds ?? 0, now);
  const broken: Pod[] = [];
  const outdated: Pod[] = [];
  let down = 0;
  for (const { updated, old } of wanted) {
    if (old && !updated) (isUp(old) ? outdated : broken).push(old);
    const [one, other] = [updated, old];
    if (!one === !other || (one && !isUp(one)) || (other && !isUp(other))) down++;
  }
  return { create: [], remove: [...broken, ...outdated.slice(0, Math.max(0, allowed - down))] };
}

function surge(set: DaemonSet, places: readonly Place[], now: number): Omit<DaemonPlan, 'failed'> {
  const isUp = (pod: Pod) => isAvailable(pod, set.spec?.minReadySeconds ?? 0, now);
  const remove: Pod[] = [];
  const urgent: string[] = [];
  const outdated: string[] = [];
  let surging = 0;
  for (const { node, updated, old } of wantedPlaces(places)) {
    if (!old || !node) continue;
    if (!updated) (isUp(old) ? outdated : urgent).push(node.metadata.name);
    else if (isUp(updated)) remove.push(old);
    else surging++;
  }
  return { create: [...urgent, ...outdated.slice(0, Math.max(0, surgeOf(set, places) - surging))], remove };
}

export function daemonSetStatus(
  set: DaemonSet,
  nodes: readonly Node[],
  pods: readonly Pod[],
  hash: string,
  now: number,
): DaemonSetStatus {
  const places = placesOf(set, nodes, pods, hash).filter(({ node }) => node !== undefined);
  const wanted = wantedPlaces(places);
  const first = wanted.flatMap((place) => place.pods.slice(0, 1));
  const available = first.filter((pod) => isAvailable(pod, set.spec?.minReadySeconds ?? 0, now)).length;
  const updated = first.filter(({ metadata }) => metadata.labels?.[REVISION_LABEL] === hash).length;
  return defined({
    currentNumberScheduled: first.length,
    numberMisscheduled: places.filter((place) => !place.shouldRun && place.pods.length > 0).length,
    desiredNumberScheduled: wanted.length,
    numberReady: first.filter(isPodReady).length,
    observedGeneration: set.metadata.generation,
    updatedNumberScheduled: unlessZero(updated),
    numberAvailable: unlessZero(available),
    numberUnavailable: unlessZero(wanted.length - available),
    collisionCount: set.status?.collisionCount,
  });
}

const exists = (key: string, effect: string): Toleration => ({
  key: `node.kubernetes.io/${key}`,
  operator: 'Exists',
  effect,
});

/** Daemons are there for sick nodes too. */
export function daemonTolerations(spec: PodSpec | undefined): readonly Toleration[] {
  return [
    exists('not-ready', 'NoExecute'),
    exists('unreachable', 'NoExecute'),
    exists('disk-pressure', 'NoSchedule'),
    exists('memory-pressure', 'NoSchedule'),
    exists('pid-pressure', 'NoSchedule'),
    exists('unschedulable', 'NoSchedule'),
    ...(spec?.hostNetwork === true ? [exists('network-unavailable', 'NoSchedule')] : []),
  ];
}

/** The spec of a daemon's pod for one node: it may go there and nowhere else. */
export function daemonPodSpec(spec: PodSpec | undefined, node: string): PodSpec {
  const field = { key: 'metadata.name', operator: 'In', values: [node] };
  const { nodeAffinity } = spec?.affinity ?? {};
  const before = nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [{}];
  const terms = before.map((term) => ({ ...term, matchFields: [field] }));
  const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
  return {
    containers: [],
    ...spec,
    affinity: { ...spec?.affinity, nodeAffinity: { ...nodeAffinity, ...required } },
    tolerations: [...(spec?.tolerations ?? []), ...daemonTolerations(spec)],
  };
}
