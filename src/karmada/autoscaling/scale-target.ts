/**
 * The workload an autoscaler scales: its template, its binding, and what it has in each member.
 *
 * Any of it may be missing: the problem then has the reason and the message that Karmada puts into the condition
 * AbleToScale.
 */
import type { Pod, Scale } from '#gen/kube/types.ts';
import {
  type Cluster,
  type EventReason,
  type FederatedHpa,
  LABELS,
  READY,
  type ResourceBinding,
} from '#karmada/apis/index.ts';
import type { Member, Members } from '#karmada/cluster/index.ts';
import type { Templates } from '#karmada/detector/index.ts';
import { bindingName } from '#karmada/names/index.ts';
import { schedulingType, sumOfReplicas } from '#karmada/scheduler/index.ts';
import type { ApiResource, KubeClient } from '#kube/client/kube-client.ts';
import { isConditionTrue } from '#kube/meta/condition.ts';
import { type Gvr, groupResource } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type PodView, podView } from './pod-view.ts';

export interface ScaleTargetDeps {
  readonly client: KubeClient;
  readonly templates: Pick<Templates, 'find' | 'resource'>;
  readonly members: Pick<Members, 'connect'>;
  readonly binding: (key: string) => ResourceBinding | undefined;
  readonly cluster: (name: string) => Cluster | undefined;
}

/** What keeps a target from being scaled; the condition's reason is not always the event's. */
export interface ScaleTargetProblem {
  readonly problem: { readonly event: EventReason; readonly reason: string; readonly message: string };
}

export interface ScaleTarget {
  readonly resource: ApiResource;
  readonly replicas: number;
  /** Where it runs and could be asked. */
  readonly members: readonly Member[];
  /** How much of the whole those members have; more than 1 when each has all of it. */
  readonly share: number;
  readonly statusReplicas: number;
  readonly selector: string;
  readonly pods: readonly PodView[];
}

const PODS: Gvr = { group: '', version: 'v1', resource: 'pods' };

export async function scaleTarget(
  deps: ScaleTargetDeps,
  hpa: FederatedHpa,
  signal: AbortSignal,
): Promise<ScaleTarget | ScaleTargetProblem> {
  const { namespace = '' } = hpa.metadata;
  const { apiVersion = 'v1', kind, name } = hpa.spec.scaleTargetRef;
  const resource = deps.templates.resource({ apiVersion, kind });
  if (!resource) return problem('FailedGetScale', `no matches for kind "${kind}" in version "${apiVersion}"`);
  const template = await deps.templates.find({ apiVersion, kind, namespace, name });
  if (!template) return problem('FailedGetScaleTargetRef', `${groupResource(resource)} "${name}" not found`);
  const binding = bindingOf(deps, template);
  if (typeof binding === 'string') return problem('FailedGetBindings', binding, 'FailedGetBinding');
  if (!binding.spec.clusters?.length) return problem('FailedGetTargetClusters', 'binding has no schedulable clusters');
  const scale = await deps.client.get<Scale>(resource, { namespace, name }, { subresource: 'scale', signal });
  const shares = await sharesOf(deps, readyClusters(deps, binding), resource, { namespace, name }, signal);
  const replicas = scale.spec?.replicas ?? 0;
  const hasSome = shares.some(({ specReplicas }) => specReplicas > 0);
  if (!hasSome && replicas !== 0) return problem('FailedGetScale', NOBODY_ANSWERS);
  return { ...inSum(shares), resource, replicas, share: shareOfWhole(binding, shares) };
}

/**
 * By what was assigned, not by what the members have at the moment: a change on its way to them would look as if most of
 * them did not answer. A duplicated workload counts once for each member.
 */
function shareOfWhole({ spec }: ResourceBinding, shares: readonly Share[]): number {
  const answering = new Set(shares.map(({ member }) => member.name));
  const clusters = spec.clusters ?? [];
  const [all, answered] = [clusters, clusters.filter(({ name }) => answering.has(name))].map(sumOfReplicas);
  if (schedulingType(spec.placement ?? {}) === 'Duplicated' || !all || !answered) return shares.length;
  return answered / all;
}

const NOBODY_ANSWERS = 'failed to get replicas in any of clusters, possibly because all of clusters are not ready';

function problem(event: EventReason, message: string, reason: string = event): ScaleTargetProblem {
  return { problem: { event, reason, message } };
}

/** The binding, or why there is none: what nobody propagates runs nowhere. */
function bindingOf(deps: ScaleTargetDeps, { kind, metadata }: KubeObject): ResourceBinding | string {
  const { namespace = '', name, labels = {} } = metadata;
  if (Object.keys(labels).length === 0) return 'target resource has no label';
  if (!labels[LABELS.propagationPolicyId] && !labels[LABELS.clusterPropagationPolicyId]) {
    return 'no label of policy permanent-id found';
  }
  return deps.binding(`${namespace}/${bindingName(kind, name)}`) ?? 'no binding matches the target resource';
}

function readyClusters(deps: ScaleTargetDeps, { spec }: ResourceBinding): readonly Cluster[] {
  const clusters = (spec.clusters ?? []).flatMap(({ name }) => deps.cluster(name) ?? []);
  return clusters.filter(({ status }) => isConditionTrue(status?.conditions, READY.type));
}

function inSum(shares: readonly Share[]): Pick<ScaleTarget, 'members' | 'statusReplicas' | 'selector' | 'pods'> {
  return {
    members: shares.map(({ member }) => member),
    statusReplicas: shares.reduce((sum, { statusReplicas }) => sum + statusReplicas, 0),
    selector: shares.find(({ selector }) => selector !== '')?.selector ?? '',
    pods: shares.flatMap(({ pods }) => pods),
  };
}

interface Share {
  readonly member: Member;
  readonly specReplicas: number;
  readonly statusReplicas: number;
  readonly selector: string;
  readonly pods: readonly PodView[];
}

/** Members that cannot be asked are passed by: what the others have is brought to the scale of the whole. */
async function sharesOf(
  { members }: ScaleTargetDeps,
  clusters: readonly Cluster[],
  resource: ApiResource,
  key: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<readonly Share[]> {
  const shares = clusters.map(async (cluster) => shareOf(await members.connect(cluster), resource, key, signal));
  const settled = await Promise.allSettled(shares);
  return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

async function shareOf(
  member: Member,
  resource: ApiResource,
  key: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<Share> {
  const { spec, status } = await member.client.get<Scale>(resource, key, { subresource: 'scale', signal });
  const { selector = '' } = status ?? {};
  const { namespace } = key;
  // Without a selector all pods of the namespace would be meant.
  const { items } =
    selector === ''
      ? { items: [] }
      : await member.client.list<Pod>(PODS, { namespace, labelSelector: selector, signal });
  return {
    member,
    specReplicas: spec?.replicas ?? 0,
    statusReplicas: status?.replicas ?? 0,
    selector,
    pods: items.map((pod) => podView(member.name, pod)),
  };
}
