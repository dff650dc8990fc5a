/** Stands in for the kubelets of all nodes: starts bound pods, ends deleted ones, reports what became of them. */
import type { Node, Pod, PodStatus } from '#gen/kube/types.ts';
import type { Clock } from '#base/clock.ts';
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Outcome, type Reconcile, retryIn } from '#kube/runtime/controller.ts';
import type { EventRecorder } from '#kube/runtime/events.ts';
import type { Addresses } from '../addresses.ts';
import type { ClusterView } from '../cluster-view.ts';
import { namespaceOf } from '../owners.ts';
import { requestedDuration, requestedHealth } from '../requests.ts';
import { CONFIG_MAPS, NODES, PODS, SECRETS } from '../resources.ts';
import { isOver } from '../workload/pod-state.ts';
import type { Telling } from './container-life.ts';
import type { Pace } from './pace.ts';
import { lastStep, nextStep, type PodMoment } from './pod-life.ts';
import { type Reference, referencesOf } from './pod-references.ts';
import { variation } from './program.ts';
import { since } from './since.ts';

export function kubeletController({
  client,
  clock,
  view,
  events,
  pace,
  addresses,
}: {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly view: ClusterView;
  readonly events: EventRecorder;
  readonly pace: Pace;
  readonly addresses: Addresses;
}): Controller {
  const times = since(() => clock.now());
  /** Addresses given to pods whose status does not say so yet, by uid. */
  const promised = new Map<string, string>();
  /** Pods that wait for a ConfigMap or Secret, by what they wait for. */
  const waiting = new Map<string, Set<string>>();

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const pod = view.pods.get(key);
    if (!pod?.spec?.nodeName) return done;
    return pod.metadata.deletionTimestamp === undefined ? live(pod) : leave(pod);
  }

  async function live(pod: Pod): Promise<Outcome> {
    const step = nextStep(pod, momentOf(pod));
    if (step.is === 'settled') return done;
    if (step.is === 'waiting') return retryIn(step.forMs, 'the pod is not there yet');
    await write(pod, step.status, step.tells);
    return done;
  }

  async function leave(pod: Pod): Promise<Outcome> {
    const step = lastStep(pod, stopTime(pod), momentOf(pod));
    if (step.is === 'stuck') return done;
    if (step.is === 'stopping') {
      tell(pod, times.isNew(uidOf(pod), 'killing', 'told') ? step.tells : []);
      return retryIn(step.forMs, 'its containers are stopping');
    }
    const last = step.is === 'stopped' ? await write(pod, step.status, []) : pod;
    if (last) await remove(last);
    return done;
  }

  function stopTime(pod: Pod): number {
    const hooks = (pod.spec?.containers ?? []).map(({ lifecycle }) => lifecycle?.preStop?.sleep?.seconds ?? 0);
    return Math.max(0, ...hooks) * 1000 + (requestedDuration(pod, 'stop') ?? pace.stopMs * variation(pod));
  }

  function momentOf(pod: Pod): PodMoment {
    const node = view.nodes.get(pod.spec?.nodeName ?? '');
    const hostIP = hostAddress(node);
    const lacking = isOver(pod) || pod.status?.phase === 'Running' ? [] : missingReferences(pod);
    const unmounted = lacking.find(({ by }) => 'volume' in by);
    const now = clock.now();
    return {
      now,
      pace,
      node: node ? requestedHealth(node) : 'gone',
      hostIP,
      podIP: () => (pod.spec?.hostNetwork === true ? hostIP : podAddress(pod, node)),
      // By the same time, or something could begin after it has been looked at.
      since: (part, state) => times.of(uidOf(pod), part, state, now),
      missing: (container) => {
        const lacked = lacking.find(({ by }) => 'container' in by && by.container === container);
        return lacked && notFound(lacked);
      },
      ...(unmounted ? { unmounted: notFound(unmounted) } : {}),
    };
  }

  function podAddress(pod: Pod, node: Node | undefined): string {
    const known = promised.get(uidOf(pod));
    if (known !== undefined) return known;
    const others = view.podsOn(pod.spec?.nodeName ?? '');
    const taken = new Set(others.map((other) => other.status?.podIP ?? promised.get(uidOf(other)) ?? ''));
    const address = addresses.podAddress(node?.spec?.podCIDR ?? addresses.podNetwork(0), uidOf(pod), taken);
    promised.set(uidOf(pod), address);
    return address;
  }

  function missingReferences(pod: Pod): readonly Reference[] {
    const namespace = namespaceOf(pod);
    const missing = referencesOf(pod).filter(({ kind, name }) => {
      const there = kind === 'configmap' ? view.configMaps : view.secrets;
      return there.get(`${namespace}/${name}`) === undefined;
    });
    for (const { kind, name } of missing) {
      const what = `${kind} ${namespace}/${name}`;
      waiting.set(what, (waiting.get(what) ?? new Set<string>()).add(keyOf(pod)));
    }
    const volume = missing.find(({ by }) => 'volume' in by);
    if (volume && 'volume' in volume.by && times.isNew(uidOf(pod), 'mount', volume.name)) {
      const message = `MountVolume.SetUp failed for volume "${volume.by.volume}" : ${notFound(volume)}`;
      events.event(pod, 'Warning', 'FailedMount', message);
    }
    return missing;
  }

  /** The pod as written; undefined when it is gone. */
  async function write(pod: Pod, status: PodStatus, tells: readonly Telling[]): Promise<Pod | undefined> {
    try {
      const written = await client.update<Pod>(PODS, { ...pod, status }, { subresource: 'status' });
      if (status.podIP !== undefined) promised.delete(uidOf(pod));
      tell(pod, tells);
      return written;
    } catch (error) {
      if (hasReason(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  function tell(pod: Pod, tells: readonly Telling[]): void {
    for (const { type, reason, message } of tells) events.event(pod, type, reason, message);
  }

  async function remove(pod: Pod): Promise<void> {
    const preconditions = { uid: uidOf(pod) };
    await client.delete(PODS, pod.metadata, { gracePeriodSeconds: 0, preconditions }).catch((error: unknown) => {
      if (!hasReason(error, 'NotFound', 'Conflict')) throw error;
    });
  }

  function podChanged(pod: Pod, change: string): readonly string[] {
    if (change === 'deleted') {
      times.forget(uidOf(pod));
      promised.delete(uidOf(pod));
      return [];
    }
    return pod.spec?.nodeName ? [keyOf(pod)] : [];
  }

  function healthChanged(node: Node, old: Node | undefined, change: string): readonly string[] {
    const isNews = change !== 'modified' || !old || requestedHealth(node) !== requestedHealth(old);
    return isNews ? view.podsOn(node.metadata.name).map(keyOf) : [];
  }

  function found(kind: Reference['kind'], object: KubeObject): Iterable<string> {
    const what = `${kind} ${keyOf(object)}`;
    const pods = waiting.get(what) ?? [];
    waiting.delete(what);
    return pods;
  }

  return {
    name: 'kubelet',
    concurrency: 64,
    watches: [
      { gvr: PODS, wakes: (pod, _old, change) => podChanged(pod as Pod, change) },
      { gvr: NODES, wakes: (node, old, change) => healthChanged(node as Node, old as Node | undefined, change) },
      { gvr: CONFIG_MAPS, wakes: (object) => found('configmap', object) },
      { gvr: SECRETS, wakes: (object) => found('secret', object) },
    ],
    reconcile,
  };
}

const uidOf = ({ metadata }: Pod) => metadata.uid ?? '';
const notFound = ({ kind, name }: Reference) => `${kind} "${name}" not found`;

function hostAddress(node: Node | undefined): string {
  return node?.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? '127.0.0.1';
}
