/** Which clusters the taint manager drives a binding out of, when, and as what that is noted. Pure. */
import { type AnyBinding, type Cluster, EVICTION } from '#karmada/apis/index.ts';
import { appliedTolerations } from './applied-tolerations.ts';
import type { EvictionCause } from './evict-cluster.ts';
import { FAILOVER_DEFAULTS, type FailoverOptions } from './options.ts';
import { preservedLabelState } from './preserved-state.ts';
import { type TaintVerdict, taintVerdict } from './taint-verdict.ts';

export interface ClusterVerdict {
  readonly cluster: string;
  readonly verdict: TaintVerdict;
}

/** One for each cluster it runs on; none when nobody knows what it tolerates: not scheduled by us, or not yet. */
export function taintVerdicts(
  binding: AnyBinding,
  find: (cluster: string) => Cluster | undefined,
  now: number,
): readonly ClusterVerdict[] {
  const tolerations = appliedTolerations(binding);
  if (!tolerations) return [];
  return (binding.spec.clusters ?? []).map(({ name }) => ({
    cluster: name,
    verdict: taintVerdict(find(name)?.spec.taints, tolerations, now),
  }));
}

export function taintEvictionCause(
  { spec, status }: AnyBinding,
  cluster: string,
  options: FailoverOptions = {},
): EvictionCause {
  const behavior = spec.failover?.cluster;
  const preserved = options.statefulInjection
    ? preservedLabelState(behavior?.statePreservation, status?.aggregatedStatus, cluster)
    : undefined;
  return {
    purgeMode: behavior ? (behavior.purgeMode ?? 'Gracefully') : (options.purgeMode ?? FAILOVER_DEFAULTS.purgeMode),
    reason: EVICTION.reasonTaintUntolerated,
    producer: EVICTION.producerTaintManager,
    ...(preserved ? { preservedLabelState: preserved } : {}),
  };
}
