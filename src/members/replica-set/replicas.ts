/**
 * How many pods a ReplicaSet (or a ReplicationController) lacks or has too many, and what it reports. Pure.
 */
import type { Pod, ReplicaSet, ReplicaSetStatus } from '#gen/kube/types.ts';
import { defined, unlessZero } from '../defined.ts';
import { isAvailable, isPodReady } from '../workload/pod-state.ts';
import { expendableFirst } from '../workload/rank-pods.ts';

/** As many as one look creates or deletes at most; the rest is for the next. */
const BURST = 500;

export interface ReplicaPlan {
  readonly create: number;
  readonly remove: readonly Pod[];
}

/** `related` are the active pods of the same owner's other sets: those spread over nodes decide who goes first. */
export function planReplicas(
  wanted: number,
  active: readonly Pod[],
  related: () => readonly Pod[],
  now: number,
): ReplicaPlan {
  const missing = wanted - active.length;
  if (missing >= 0) return { create: Math.min(missing, BURST), remove: [] };
  const onNode = new Map<string, number>();
  for (const { spec } of related()) onNode.set(spec?.nodeName ?? '', (onNode.get(spec?.nodeName ?? '') ?? 0) + 1);
  const order = expendableFirst(active, (node) => onNode.get(node) ?? 0, now);
  return { create: 0, remove: order.slice(0, Math.min(-missing, BURST)) };
}

export interface Counted {
  readonly active: readonly Pod[];
  /** Absent for kinds that do not report them. */
  readonly terminating?: readonly Pod[];
  /** Why pods could not be made or deleted this time. */
  readonly failure?: string;
}

/** Of an object whose spec and status are a ReplicaSet's, as those of ReplicationControllers are too. */
export function replicaSetStatus(
  { metadata, spec, status }: Pick<ReplicaSet, 'metadata' | 'spec' | 'status'>,
  { active, terminating, failure }: Counted,
  now: number,
  at: string,
): ReplicaSetStatus {
  const { minReadySeconds = 0, replicas = 1, template } = spec ?? { selector: {} };
  const labels = Object.entries(template?.metadata?.labels ?? {});
  const isLabelled = (pod: Pod) => labels.every(([key, value]) => pod.metadata.labels?.[key] === value);
  const reason = active.length < replicas ? 'FailedCreate' : 'FailedDelete';
  const failed = status?.conditions?.find(({ type }) => type === REPLICA_FAILURE);
  const condition = { type: REPLICA_FAILURE, status: 'True', reason, message: failure ?? '', lastTransitionTime: at };
  const others = status?.conditions?.filter(({ type }) => type !== REPLICA_FAILURE) ?? [];
  const conditions = failure === undefined ? others : [...others, failed ?? condition];
  return defined({
    replicas: active.length,
    fullyLabeledReplicas: unlessZero(active.filter(isLabelled).length),
    readyReplicas: unlessZero(active.filter(isPodReady).length),
    availableReplicas: unlessZero(active.filter((pod) => isAvailable(pod, minReadySeconds, now)).length),
    terminatingReplicas: terminating?.length,
    observedGeneration: metadata.generation,
    conditions: conditions.length > 0 ? conditions : undefined,
  });
}

const REPLICA_FAILURE = 'ReplicaFailure';
