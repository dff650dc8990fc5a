/** Takes pods off nodes that do not tolerate them any more, and forgets those of nodes that no longer exist. */
import type { Node, Pod } from '#gen/kube/types.ts';
import { type Clock, rfc3339 } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { setCondition } from '#kube/meta/condition.ts';
import { type Condition, keyOf } from '#kube/meta/object.ts';
import { type Controller, done, type Outcome, type Reconcile, retryIn } from '#kube/runtime/controller.ts';
import type { EventRecorder } from '#kube/runtime/events.ts';
import type { ClusterView } from '../cluster-view.ts';
import { NODES, PODS } from '../resources.ts';
import { isOver } from '../workload/pod-state.ts';
import { evictionTime } from './eviction.ts';

/** How long a node may be missing before its pods are given up. */
const QUARANTINE_MS = 40_000;

const BY_TAINT = {
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'DeletionByTaintManager',
  message: 'Taint manager: deleting due to NoExecute taint',
} as const;
const BY_GC = { ...BY_TAINT, reason: 'DeletionByPodGC', message: 'PodGC: node no longer exists' } as const;

export function evictionController({
  client,
  clock,
  view,
  events,
}: {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly view: ClusterView;
  readonly events: EventRecorder;
}): Controller {
  const missingSince = new Map<string, number>();

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const pod = view.pods.get(key);
    const name = pod?.spec?.nodeName;
    if (!pod || !name) return done;
    const node = view.nodes.get(name);
    if (!node) return giveUp(pod, name);
    missingSince.delete(name);
    if (isOver(pod) || pod.metadata.deletionTimestamp !== undefined) return done;
    const time = evictionTime(pod, node.spec?.taints, clock.now());
    if (time === undefined) return done;
    const left = time - clock.now();
    if (left > 0) return retryIn(left, 'the pod is tolerated until then');
    await evict(pod);
    return done;
  }

  async function evict(pod: Pod): Promise<void> {
    events.event(pod, 'Normal', 'TaintManagerEviction', `Marking for deletion Pod ${keyOf(pod)}`);
    await mark(pod, BY_TAINT, {});
    await remove(pod, {});
  }

  /** Nobody is left to end the pod in good order. */
  async function giveUp(pod: Pod, node: string): Promise<Outcome> {
    const since = missingSince.get(node) ?? clock.now();
    missingSince.set(node, since);
    const left = since + QUARANTINE_MS - clock.now();
    if (left > 0) return retryIn(left, 'its node may come back');
    await mark(pod, BY_GC, isOver(pod) ? {} : { phase: 'Failed' });
    await remove(pod, { gracePeriodSeconds: 0 });
    return done;
  }

  async function mark(pod: Pod, condition: typeof BY_TAINT | typeof BY_GC, more: { phase?: string }): Promise<void> {
    const before = (pod.status?.conditions ?? []) as readonly Condition[];
    const status = { ...pod.status, ...more, conditions: setCondition(before, condition, rfc3339(clock.now())) };
    if (jsonEqual(status, pod.status)) return;
    await client.update<Pod>(PODS, { ...pod, status }, { subresource: 'status' }).catch(ignoreGone);
  }

  async function remove({ metadata }: Pod, options: { gracePeriodSeconds?: number }): Promise<void> {
    const preconditions = metadata.uid === undefined ? {} : { preconditions: { uid: metadata.uid } };
    await client.delete(PODS, metadata, { ...options, ...preconditions }).catch(ignoreGone);
  }

  function* wakesAll(node: Node, old: Node | undefined, change: string): Iterable<string> {
    if (change === 'modified' && jsonEqual(node.spec?.taints, old?.spec?.taints)) return;
    for (const pod of view.podsOn(node.metadata.name)) yield keyOf(pod);
  }

  return {
    name: 'taint-eviction',
    concurrency: 16,
    watches: [
      { gvr: NODES, wakes: (node, old, change) => wakesAll(node as Node, old as Node | undefined, change) },
      { gvr: PODS, wakes: (pod, old) => (isNewlyBound(pod as Pod, old as Pod | undefined) ? [keyOf(pod)] : []) },
    ],
    reconcile,
  };
}

const isNewlyBound = ({ spec }: Pod, old: Pod | undefined) => Boolean(spec?.nodeName) && !old?.spec?.nodeName;

function ignoreGone(error: unknown): void {
  if (!hasReason(error, 'NotFound', 'Conflict')) throw error;
}
