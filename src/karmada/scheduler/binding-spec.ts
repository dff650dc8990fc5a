/** Small questions about a binding's spec. */
import type { BindingSpec, Cluster, Placement, TargetCluster } from '#karmada/apis/index.ts';
import type { Mode, Strategy } from './explanation.ts';

/** Something with replicas, rather than a ConfigMap or a Service. */
export function isWorkload(spec: BindingSpec): boolean {
  return (spec.replicas ?? 0) > 0 || spec.replicaRequirements !== undefined || (spec.components ?? []).length > 0;
}

/** Whether the last decision put it on this cluster. */
export function targets(spec: BindingSpec, cluster: Cluster): boolean {
  return spec.clusters?.some(({ name }) => name === cluster.metadata.name) ?? false;
}

export function assignedReplicas(spec: BindingSpec, cluster: string): number {
  return spec.clusters?.find(({ name }) => name === cluster)?.replicas ?? 0;
}

export function sumOfReplicas(clusters: readonly TargetCluster[] | undefined): number {
  return (clusters ?? []).reduce((sum, { replicas = 0 }) => sum + replicas, 0);
}

export function schedulingType(placement: Placement): 'Duplicated' | 'Divided' {
  if (!placement.replicaScheduling) return 'Duplicated';
  return placement.replicaScheduling.replicaSchedulingType ?? 'Divided';
}

/** Quirk of Karmada (#2967): zero replicas without requests count as no workload, and go to every cluster. */
export function strategyOf(spec: BindingSpec, placement: Placement): Strategy {
  const hasReplicas = (spec.replicas ?? 0) > 0 || spec.replicaRequirements !== undefined;
  if (!hasReplicas || (spec.components ?? []).length > 1) return 'Propagated';
  if (schedulingType(placement) === 'Duplicated') return 'Duplicated';
  const { replicaDivisionPreference, weightPreference } = placement.replicaScheduling ?? {};
  if (replicaDivisionPreference === 'Aggregated') return 'Aggregated';
  return weightPreference?.dynamicWeight ? 'DynamicWeight' : 'StaticWeight';
}

/** A rebalancing asked for after the last scheduling starts afresh; one that was never scheduled has nothing to forget. */
export function isRescheduleRequired(triggeredAt: string | undefined, lastScheduledAt: string | undefined): boolean {
  if (triggeredAt === undefined || lastScheduledAt === undefined) return false;
  return Date.parse(triggeredAt) > Date.parse(lastScheduledAt);
}

export function modeOf(triggeredAt: string | undefined, lastScheduledAt: string | undefined): Mode {
  return isRescheduleRequired(triggeredAt, lastScheduledAt) ? 'Fresh' : 'Steady';
}

/** A decision in one line, as Karmada's events print it: `{m1:4, m2:2}`. */
export function targetClustersText(clusters: readonly TargetCluster[]): string {
  return `{${clusters.map(({ name, replicas = 0 }) => `${name}:${replicas}`).join(', ')}}`;
}
