/** Which clusters the taint manager drives a binding out of, when, and as what that is noted. Pure. */
import { type AnyBinding, type Cluster, EVICTION, TAINTS, type Toleration } from '#karmada/apis/index.ts';
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
  { evictionTimeoutMs = FAILOVER_DEFAULTS.evictionTimeoutMs }: FailoverOptions = {},
): readonly ClusterVerdict[] {
  const applied = appliedTolerations(binding);
  if (!applied) return [];
  // Last: what a policy says of these taints itself, comes first.
  const tolerations = [...applied, ...(evictionTimeoutMs > 0 ? lostFor(evictionTimeoutMs) : [])];
  return (binding.spec.clusters ?? []).map(({ name }) => ({
    cluster: name,
    verdict: taintVerdict(find(name)?.spec.taints, tolerations, now),
  }));
}

/** Only the taints of a cluster that is lost: one that somebody put there drives out at once. */
function lostFor(milliseconds: number): readonly Toleration[] {
  const tolerated = { operator: 'Exists', effect: 'NoExecute', tolerationSeconds: milliseconds / 1_000 } as const;
  return [TAINTS.notReady, TAINTS.unreachable].map((key) => ({ key, ...tolerated }));
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
