/** When a member counts as ready: what one probe says, and how long it must keep saying it. Pure. */
import { READY } from '#karmada/apis/index.ts';
import type { NewCondition } from '#kube/meta/condition.ts';
import type { Condition } from '#kube/meta/object.ts';

export type Probe = 'healthy' | 'unhealthy' | 'unreachable';

export function readyCondition(probe: Probe): NewCondition {
  const { type } = READY;
  switch (probe) {
    case 'healthy':
      return { type, status: 'True', reason: READY.ready, message: READY.readyMessage };
    case 'unhealthy':
      return { type, status: 'False', reason: READY.notReady, message: READY.notReadyMessage };
    default:
      return { type, status: 'False', reason: READY.notReachable, message: READY.notReachableMessage };
  }
}

/** What was observed last, and since when, in milliseconds. */
export interface Observation {
  readonly status: Condition['status'];
  readonly since: number;
}

export interface Thresholds {
  readonly successMs: number;
  readonly failureMs: number;
}

export const DEFAULT_THRESHOLDS: Thresholds = { successMs: 30_000, failureMs: 30_000 };

/**
 * The condition to report: the observed one, or the current one while a change between ready and not ready is too young.
 * The first observation of a cluster counts at once; as karmada v1.18 pkg/controllers/status/cluster_condition_cache.go.
 */
export function settledCondition(
  observed: NewCondition,
  current: Condition | undefined,
  saved: Observation | undefined,
  now: number,
  thresholds: Thresholds = DEFAULT_THRESHOLDS,
): { readonly condition: NewCondition; readonly saved: Observation } {
  if (!saved) return { condition: observed, saved: { status: observed.status, since: Number.NEGATIVE_INFINITY } };
  const next = saved.status === observed.status ? saved : { status: observed.status, since: now };
  if (!current) return { condition: observed, saved: next };
  const ready = observed.status === 'True';
  const flips = ready !== (current.status === 'True');
  const tooYoung = now < next.since + (ready ? thresholds.successMs : thresholds.failureMs);
  return { condition: flips && tooYoung ? current : observed, saved: next };
}
