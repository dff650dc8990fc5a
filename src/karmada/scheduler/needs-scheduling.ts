/**
 * Whether a binding has to be scheduled now, and because of what.
 *
 * As karmada v1.18 pkg/scheduler/scheduler.go doScheduleBinding, in its order. A divided workload whose placement and
 * replicas did not change stays where it is, whatever happens to clusters, short of their deletion.
 */
import {
  ANNOTATIONS,
  type AnyBinding,
  type Cluster,
  type ClusterAffinityTerm,
  DEFAULT_SCHEDULER,
  LABELS,
  type Placement,
} from '#karmada/apis/index.ts';
import { canonical } from './applied-placement.ts';
import { isRescheduleRequired, isWorkload, schedulingType, sumOfReplicas, targets } from './binding-spec.ts';

export interface Need {
  readonly yes: boolean;
  readonly because: string;
}

/** Whether the scheduler of this name looks at the binding at all. */
export function isScheduled(binding: AnyBinding, schedulerName: string = DEFAULT_SCHEDULER): Need {
  const { spec, metadata } = binding;
  const name = spec.schedulerName || DEFAULT_SCHEDULER;
  if (name !== schedulerName) return no(`left to the scheduler ${name}`);
  if (metadata.deletionTimestamp !== undefined) return no('being deleted');
  if (spec.suspension?.scheduling) return no('scheduling is suspended');
  if (!spec.placement) return no('has no placement');
  const labels = metadata.labels ?? {};
  const claimed = [LABELS.propagationPolicyId, LABELS.clusterPropagationPolicyId, LABELS.bindingManagedBy];
  if (!claimed.some((label) => labels[label])) return no('no policy claims it');
  return yes('claimed by a policy');
}

export function needsScheduling(binding: AnyBinding, clusters: readonly Cluster[]): Need {
  const { spec, status, metadata } = binding;
  const placement = spec.placement ?? {};
  const applied = metadata.annotations?.[ANNOTATIONS.appliedPlacement] ?? '';
  if (applied === '') return yes('not scheduled before');
  if (placementChanged(placement, applied, status?.schedulerObservingAffinityName ?? '')) {
    return yes('the placement changed');
  }
  const scaled = replicasChanged(binding, placement);
  if (scaled) return yes(scaled);
  if (isRescheduleRequired(spec.rescheduleTriggeredAt, status?.lastScheduledTime))
    return yes('a rebalancing was asked for');
  if (!isWorkload(spec)) return yes('what is no workload follows every change of clusters');
  if (schedulingType(placement) === 'Duplicated') return yes('duplicated workloads follow every change of clusters');
  const leaving = clusters.find(
    (cluster) => cluster.metadata.deletionTimestamp !== undefined && targets(spec, cluster),
  );
  if (leaving) return yes(`cluster ${leaving.metadata.name} is being deleted`);
  return no('neither placement nor replicas changed');
}

function yes(because: string): Need {
  return { yes: true, because };
}

function no(because: string): Need {
  return { yes: false, because };
}

const COMPARED = ['clusterAffinity', 'clusterTolerations', 'spreadConstraints', 'replicaScheduling'] as const;

/** Of affinity groups only the one in use matters: editing another moves nothing. */
function placementChanged(placement: Placement, appliedText: string, affinityName: string): boolean {
  const applied = parse(appliedText);
  if (!applied || canonical(placement) === canonical(applied)) return false;
  if (COMPARED.some((field) => canonical(placement[field]) !== canonical(applied[field]))) return true;
  const now = termOf(placement, affinityName);
  const before = termOf(applied, affinityName);
  return affinityName === '' || !now || !before || canonical(now) !== canonical(before);
}

function termOf(placement: Placement, affinityName: string): ClusterAffinityTerm | undefined {
  return placement.clusterAffinities?.find((term) => term.affinityName === affinityName);
}

/** An annotation that somebody broke does not move workloads. */
function parse(text: string): Placement | undefined {
  try {
    return JSON.parse(text) as Placement;
  } catch {
    return undefined;
  }
}

/** What was asked for is the same; some of it has lost its place. */
function evicted({ replicas = 0, gracefulEvictionTasks = [] }: AnyBinding['spec'], sum: number): string | undefined {
  const left = [...new Set(gracefulEvictionTasks.map(({ fromCluster }) => fromCluster))].sort();
  if (left.length === 0 || sum > replicas) return undefined;
  return `evicted from ${left.join(', ')}: ${sum} of ${replicas} replicas are left`;
}

function replicasChanged({ spec }: AnyBinding, placement: Placement): string | undefined {
  if (!placement.replicaScheduling) return undefined;
  const replicas = spec.replicas ?? 0;
  if (schedulingType(placement) === 'Divided') {
    const sum = sumOfReplicas(spec.clusters);
    return sum === replicas ? undefined : (evicted(spec, sum) ?? `replicas went ${sum} → ${replicas}`);
  }
  const stale = spec.clusters?.find((target) => (target.replicas ?? 0) !== replicas);
  return stale ? `replicas went ${stale.replicas ?? 0} → ${replicas}` : undefined;
}
