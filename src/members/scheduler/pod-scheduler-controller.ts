/**
 * Binds pods to nodes: the most important first, each decision knowing the ones before it.
 *
 * Decisions are made in the memory of the {@link ledger}, many in a row, and their bindings written at the same time. A
 * pod that fits nowhere waits until something is freed or a node changes.
 */
import type { Node, Pod } from '#gen/kube/types.ts';
import { type Clock, rfc3339 } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import { hasReason } from '#base/status-error.ts';
import type { ApiServer } from '#kube/apiserver/api-server.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { setCondition } from '#kube/meta/condition.ts';
import { type Condition, keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Outcome, retryIn } from '#kube/runtime/controller.ts';
import type { EventRecorder } from '#kube/runtime/events.ts';
import type { ClusterView } from '../cluster-view.ts';
import { namespaceOf } from '../owners.ts';
import { NODES, PODS } from '../resources.ts';
import { isOver } from '../workload/pod-state.ts';
import { placePod } from './fit.ts';
import { ledger } from './ledger.ts';
import { missingClaim } from './pod-claims.ts';

const SCHEDULER = 'default-scheduler';
/** All pods are one piece of work: who comes next depends on who else waits. */
const CYCLE = 'cycle';
/** Pods decided on before their bindings are waited for. */
const BATCH = 128;

export function podSchedulerController({
  server,
  client,
  clock,
  view,
  events,
}: {
  readonly server: Pick<ApiServer, 'observe'>;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly view: ClusterView;
  readonly events: EventRecorder;
}): Controller {
  const book = ledger();
  const pending = new Set<string>();
  const stranded = new Set<string>();

  server.observe(NODES, (before, after) => {
    if (after) book.setNode(after as Node);
    else if (before) book.dropNode(before.metadata.name);
  });
  server.observe(PODS, (before, after) => {
    if (after) book.setPod(after as Pod);
    else if (before) book.dropPod(keyOf(before));
  });

  async function reconcile(): Promise<Outcome> {
    const batch = mostImportant();
    const results = await Promise.allSettled(batch.map(decide));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    return pending.size > 0 ? retryIn(0, 'more pods wait') : done;
  }

  function mostImportant(): readonly Pod[] {
    const waiting = [...pending].flatMap((key) => view.pods.get(key) ?? []).filter(isWaiting);
    const batch = waiting.sort(moreImportantFirst).slice(0, BATCH);
    if (waiting.length <= BATCH) pending.clear();
    else for (const pod of batch) pending.delete(keyOf(pod));
    return batch;
  }

  /** Synchronous up to the first write, so that a batch is decided in order. */
  function decide(pod: Pod): Promise<void> {
    const key = keyOf(pod);
    stranded.delete(key);
    if ((pod.spec?.schedulingGates ?? []).length > 0) return gate(pod);
    const missing = missingClaim(pod, view);
    const placement = missing === undefined ? placePod(pod, book.nodes()) : { unschedulable: missing };
    if ('node' in placement) {
      book.book(pod, placement.node);
      return bind(pod, placement.node);
    }
    stranded.add(key);
    return refuse(pod, placement.unschedulable);
  }

  async function bind(pod: Pod, node: string): Promise<void> {
    const { name, uid } = pod.metadata;
    const namespace = namespaceOf(pod);
    try {
      await client.create(
        PODS,
        {
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name, namespace, ...(uid === undefined ? {} : { uid }) },
          target: { kind: 'Node', name: node },
        },
        { subresource: 'binding' },
      );
    } catch (error) {
      unbook(pod);
      if (hasReason(error, 'NotFound', 'Conflict')) return;
      pending.add(keyOf(pod));
      throw error;
    }
    events.event(pod, 'Normal', 'Scheduled', `Successfully assigned ${namespace}/${name} to ${node}`);
  }

  /** Back to what is stored, which may be another binding. */
  function unbook(pod: Pod): void {
    const key = keyOf(pod);
    book.dropPod(key);
    const stored = view.pods.get(key);
    if (stored) book.setPod(stored);
  }

  async function refuse(pod: Pod, message: string): Promise<void> {
    if (await tell(pod, 'Unschedulable', message)) events.event(pod, 'Warning', 'FailedScheduling', message);
  }

  async function gate(pod: Pod): Promise<void> {
    await tell(pod, 'SchedulingGated', 'Scheduling is blocked due to non-empty scheduling gates');
  }

  /** Whether that was news. */
  async function tell(pod: Pod, reason: string, message: string): Promise<boolean> {
    const condition = { type: 'PodScheduled', status: 'False', reason, message } as const;
    const before = (pod.status?.conditions ?? []) as readonly Condition[];
    const conditions = setCondition(before, condition, rfc3339(clock.now()));
    if (jsonEqual(conditions, before)) return false;
    try {
      await client.update<Pod>(PODS, { ...pod, status: { ...pod.status, conditions } }, { subresource: 'status' });
    } catch (error) {
      if (!hasReason(error, 'NotFound', 'Conflict')) throw error;
      pending.add(keyOf(pod));
    }
    return true;
  }

  function podChanged(pod: Pod, old: Pod | undefined, change: string): readonly string[] {
    const key = keyOf(pod);
    if (change === 'deleted' || isOver(pod)) {
      pending.delete(key);
      stranded.delete(key);
      return tryAgain();
    }
    if (pod.spec?.nodeName) return old?.spec?.nodeName ? [] : tryAgain(looksAtNeighbours);
    // The status of a pod that waits is what was just written: only what it asks for is news.
    const isNews = !old || !jsonEqual([pod.spec, pod.metadata.labels], [old.spec, old.metadata.labels]);
    if (!isWaiting(pod) || (stranded.has(key) && !isNews)) return [];
    pending.add(key);
    return [CYCLE];
  }

  /** Those that fit nowhere may now: all of them, or some kind. */
  function tryAgain(which: (pod: Pod) => boolean = () => true): readonly string[] {
    const before = pending.size;
    for (const key of stranded) {
      const pod = view.pods.get(key);
      if (pod && which(pod)) pending.add(key);
    }
    return pending.size > before ? [CYCLE] : [];
  }

  return {
    name: 'pod-scheduler',
    concurrency: 1,
    watches: [
      { gvr: PODS, wakes: (pod, old, change) => podChanged(pod as Pod, old as Pod | undefined, change) },
      { gvr: NODES, wakes: (node, old) => (concerns(node as Node, old as Node | undefined) ? tryAgain() : []) },
      { gvr: view.claims.gvr, wakes: () => tryAgain() },
    ],
    reconcile,
  };
}

/** Whether a change of a node may let another pod in: a heartbeat does not. */
function concerns(node: Node, old: Node | undefined): boolean {
  const what = ({ metadata, spec, status }: Node) => [metadata.labels, spec, status?.allocatable];
  return !old || !jsonEqual(what(node), what(old));
}

/** Where others go may be what a pod has waited for. */
const looksAtNeighbours = ({ spec }: Pod) =>
  spec?.affinity?.podAffinity !== undefined || (spec?.topologySpreadConstraints ?? []).length > 0;

function isWaiting(pod: Pod): boolean {
  return (
    !pod.spec?.nodeName &&
    (pod.spec?.schedulerName ?? SCHEDULER) === SCHEDULER &&
    !isOver(pod) &&
    pod.metadata.deletionTimestamp === undefined
  );
}

function moreImportantFirst(a: Pod, b: Pod): number {
  const created = ({ metadata }: KubeObject) => metadata.creationTimestamp ?? '';
  const important = (b.spec?.priority ?? 0) - (a.spec?.priority ?? 0);
  return important || (created(a) < created(b) ? -1 : created(a) > created(b) ? 1 : 0);
}
