/**
 * Which copies of an application have been unhealthy for too long. Pure.
 *
 * As karmada v1.18 pkg/controllers/applicationfailover: a copy counts from the first time it is seen unhealthy, and
 * starts anew when it was healthy or of unknown health in between; copies on their way out do not count.
 */
import {
  type AggregatedStatusItem,
  type ApplicationFailoverBehavior,
  type BindingSpec,
  type BindingStatus,
  isPurgedGracefully,
} from '#karmada/apis/index.ts';
import { type EvictionCause, isEvicting } from './evict-cluster.ts';

/** Since when the copy in each cluster is unhealthy, in milliseconds since the epoch. */
export type UnhealthySince = ReadonlyMap<string, number>;

export interface Detection {
  /** Clusters whose copy has been unhealthy for longer than is tolerated. */
  readonly failed: readonly string[];
  readonly since: UnhealthySince;
  /** When the next copy will have, in milliseconds from now. */
  readonly nextMs?: number;
}

const DEFAULT_TOLERATION_SECONDS = 300;

export function detectFailures(
  spec: BindingSpec,
  status: BindingStatus | undefined,
  before: UnhealthySince,
  now: number,
): Detection {
  const { tolerationSeconds } = spec.failover?.application?.decisionConditions ?? {};
  const toleratedMs = (tolerationSeconds ?? DEFAULT_TOLERATION_SECONDS) * 1_000;
  const unhealthy = (status?.aggregatedStatus ?? []).filter((item) => isFailing(item, spec));
  const since = new Map(unhealthy.map(({ clusterName }) => [clusterName, before.get(clusterName) ?? now]));
  const failed = [...since].filter(([, at]) => at + toleratedMs <= now).map(([cluster]) => cluster);
  const remaining = [...since.values()].map((at) => at + toleratedMs - now).filter((ms) => ms > 0);
  return { failed, since, ...(remaining.length > 0 ? { nextMs: Math.min(...remaining) } : {}) };
}

function isFailing({ clusterName, health }: AggregatedStatusItem, spec: BindingSpec): boolean {
  const isTarget = spec.clusters?.some(({ name }) => name === clusterName) ?? false;
  return health === 'Unhealthy' && isTarget && !isEvicting(spec, clusterName);
}

/** How the policy wants a failed copy to go. */
export function purgeOf({
  purgeMode = 'Gracefully',
  gracePeriodSeconds,
}: ApplicationFailoverBehavior): Pick<EvictionCause, 'purgeMode' | 'gracePeriodSeconds' | 'suppressDeletion'> {
  if (purgeMode === 'Never') return { purgeMode, suppressDeletion: true };
  if (isPurgedGracefully(purgeMode) && gracePeriodSeconds !== undefined) return { purgeMode, gracePeriodSeconds };
  return { purgeMode };
}
