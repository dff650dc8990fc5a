/**
 * What a WorkloadRebalancer says of its workloads, and when its time is over. Pure.
 *
 * As karmada v1.18 pkg/controllers/workloadrebalancer: a workload is dealt with once; one that is taken off the list is
 * kept in the status when it succeeded and forgotten otherwise; a missing binding is a failure that is not tried again.
 */
import type { ObservedWorkload, WorkloadRebalancer, WorkloadReference } from '#karmada/apis/index.ts';

/** The workloads to report on, sorted, with what is known of each. */
export function observedWorkloads({ spec, status }: WorkloadRebalancer): readonly ObservedWorkload[] {
  const wanted = new Map(spec.workloads.map((workload) => [textOf(workload), workload]));
  const known = (status?.observedWorkloads ?? []).filter(
    ({ workload, result }) => wanted.delete(textOf(workload)) || result === 'Successful',
  );
  const fresh = [...wanted.values()].map((workload) => ({ workload }));
  return [...known, ...fresh].sort((a, b) => (textOf(a.workload) < textOf(b.workload) ? -1 : 1));
}

function textOf({ apiVersion, kind, namespace = '', name }: WorkloadReference): string {
  return `${apiVersion} ${kind} ${namespace} ${name}`;
}

/** Whether a binding has still to be told: each rebalancer asks for one fresh start, and an older one for none. */
export function needsTrigger(createdAt: string, triggeredAt: string | undefined): boolean {
  return triggeredAt === undefined || Date.parse(createdAt) > Date.parse(triggeredAt);
}

/** How long a finished rebalancer has still to live, in milliseconds; undefined for one that stays. */
export function timeToLive({ spec, status }: WorkloadRebalancer, now: number): number | undefined {
  const { ttlSecondsAfterFinished } = spec;
  if (ttlSecondsAfterFinished === undefined || status?.finishTime === undefined) return undefined;
  return Math.max(0, Date.parse(status.finishTime) + ttlSecondsAfterFinished * 1_000 - now);
}
