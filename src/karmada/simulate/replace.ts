/** Where a binding would run: what failover takes away, and what the scheduler then decides. Pure. */
import { jsonEqual } from '#base/json.ts';
import { ANNOTATIONS, type AnyBinding, type Cluster, SCHEDULED } from '#karmada/apis/index.ts';
import { evictCluster } from '#karmada/failover/evict-cluster.ts';
import { mayEvictLastCopy, wouldLoseLastCopy } from '#karmada/failover/last-copy.ts';
import { FAILOVER_DEFAULTS, type FailoverOptions } from '#karmada/failover/options.ts';
import { taintEvictionCause, taintVerdicts } from '#karmada/failover/taint-eviction.ts';
import { type Decision, isScheduled, needsScheduling, type ScheduleInput, schedule } from '#karmada/scheduler/index.ts';
import { isAffected } from '#karmada/scheduler/scheduler-controller.ts';
import { findCondition } from '#kube/meta/condition.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { EvictionEffect } from './simulation.ts';

export interface ReplaceInput {
  readonly binding: AnyBinding;
  readonly before: AnyBinding | undefined;
  readonly template: KubeObject;
  readonly clusters: ReadonlyMap<string, Cluster>;
  /** The clusters that differ, as they were and as they would be. */
  readonly changedClusters: readonly (readonly [before: Cluster | undefined, after: Cluster])[];
  readonly lost: ReadonlySet<string>;
  readonly now: number;
  readonly failover?: FailoverOptions;
  readonly scheduling?: Pick<ScheduleInput, 'estimators' | 'options' | 'peers'>;
}

export interface Replaced {
  readonly binding: AnyBinding;
  readonly because: string;
  readonly evictions: readonly EvictionEffect[];
  readonly decision?: Decision;
}

export function replace(input: ReplaceInput): Replaced {
  const { binding: evicted, evictions } = evict(input);
  const { clusters, now, scheduling } = input;
  const all = [...clusters.values()];
  const looked = isScheduled(evicted);
  if (!looked.yes) return { binding: evicted, because: looked.because, evictions };
  if (!isWoken(input, evicted)) return { binding: evicted, because: 'nothing that concerns it changed', evictions };
  const need = needsScheduling(evicted, all);
  if (!need.yes) return { binding: evicted, because: need.because, evictions };
  const decision = schedule({ ...scheduling, binding: evicted, clusters: all, now, because: need.because });
  return { binding: placed(evicted, decision), because: need.because, evictions, decision };
}

/** What makes the scheduler look: another spec, a cluster it may run on that differs, or having found no place. */
function isWoken({ before, changedClusters }: ReplaceInput, binding: AnyBinding): boolean {
  if (!before || !jsonEqual(specOf(before), specOf(binding)) || !sameLabels(before, binding)) return true;
  if (changedClusters.length === 0) return false;
  const scheduled = findCondition(binding.status?.conditions, SCHEDULED.type);
  if (scheduled?.status === 'False') return true;
  return changedClusters.some(([was, is]) => isAffected(binding, was ? [was, is] : [is]));
}

function sameLabels(a: AnyBinding, b: AnyBinding): boolean {
  return jsonEqual(a.metadata.labels, b.metadata.labels);
}

function specOf({ spec }: AnyBinding) {
  const { resourceVersion: _seen, ...resource } = spec.resource;
  return { ...spec, resource };
}

function placed(binding: AnyBinding, { clusters, appliedPlacement }: Decision): AnyBinding {
  if (clusters === undefined) return binding;
  const annotations = { ...binding.metadata.annotations, [ANNOTATIONS.appliedPlacement]: appliedPlacement };
  const { clusters: _old, ...spec } = binding.spec;
  return {
    ...binding,
    metadata: { ...binding.metadata, annotations },
    spec: clusters.length > 0 ? { ...spec, clusters } : spec,
  };
}

interface Evicted {
  readonly binding: AnyBinding;
  readonly evictions: readonly EvictionEffect[];
}

function evict(input: ReplaceInput): Evicted {
  const { binding, lost } = input;
  const gone = (binding.spec.clusters ?? []).filter(({ name }) => lost.has(name)).map(({ name }) => name);
  const evictions: EvictionEffect[] = gone.map((cluster) => ({ cluster, when: 'now', because: 'the cluster is lost' }));
  const afterLoss = without(binding, gone, input.failover);
  const { enabled, noExecuteTaintEviction } = { ...FAILOVER_DEFAULTS, ...input.failover };
  if (!enabled || !noExecuteTaintEviction) return { binding: afterLoss, evictions };
  const byTaint = evictByTaints(afterLoss, input);
  return { binding: byTaint.binding, evictions: [...evictions, ...byTaint.evictions] };
}

function evictByTaints(binding: AnyBinding, { clusters, template, now, failover }: ReplaceInput): Evicted {
  const verdicts = taintVerdicts(binding, (name) => clusters.get(name), now, failover);
  const leaving = verdicts.filter(({ verdict }) => verdict.type === 'now').map(({ cluster }) => cluster);
  const after = without(binding, leaving, failover);
  const evictLastCopy = failover?.evictLastCopy ?? FAILOVER_DEFAULTS.evictLastCopy;
  const direct = leaving.length > 0 && after.spec.gracefulEvictionTasks?.at(-1)?.purgeMode === 'Directly';
  const why =
    direct && !mayEvictLastCopy(binding, template, evictLastCopy)
      ? wouldLoseLastCopy(after, [...clusters.values()], now)
      : undefined;
  const evictions = verdicts.flatMap(({ cluster, verdict }): EvictionEffect[] => {
    if (verdict.type === 'stay') return [];
    if (verdict.type === 'later') {
      return [{ cluster, when: 'later', afterSeconds: Math.ceil(verdict.afterMs / 1_000), because: verdict.because }];
    }
    if (why === undefined) return [{ cluster, when: 'now', because: verdict.because }];
    return [{ cluster, when: 'postponed', because: `it is the last copy and no other cluster fits: ${why}` }];
  });
  return { binding: why === undefined ? after : binding, evictions };
}

function without(binding: AnyBinding, leaving: readonly string[], failover: FailoverOptions | undefined): AnyBinding {
  if (leaving.length === 0) return binding;
  const spec = leaving.reduce(
    (left, cluster) => evictCluster(left, cluster, taintEvictionCause(binding, cluster, failover)),
    binding.spec,
  );
  return { ...binding, spec };
}
