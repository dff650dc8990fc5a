/** Which clusters a binding speaks of, and in what sense. */
import { type BindingSpec, isPurgedDirectly, type TargetCluster } from '#karmada/apis/index.ts';

/** Where Works are written: the scheduler's answer, then where dependants run; the first mention of a cluster counts. */
export function targetClusters({ clusters = [], requiredBy = [] }: BindingSpec): readonly TargetCluster[] {
  const targets = new Map<string, TargetCluster>();
  for (const target of [...clusters, ...requiredBy.flatMap((snapshot) => snapshot.clusters ?? [])]) {
    if (!targets.has(target.name)) targets.set(target.name, target);
  }
  return [...targets.values()];
}

/** Where Works may stay: the targets, and clusters being left gracefully. */
export function existingClusters(spec: BindingSpec): Set<string> {
  const clusters = new Set(targetClusters(spec).map(({ name }) => name));
  for (const { fromCluster, purgeMode } of spec.gracefulEvictionTasks ?? []) {
    if (!isPurgedDirectly(purgeMode)) clusters.add(fromCluster);
  }
  return clusters;
}

/** Clusters being left at once: nothing new is written anywhere while a Work is still there. */
export function directlyPurgedClusters({ gracefulEvictionTasks = [] }: BindingSpec): Set<string> {
  const direct = gracefulEvictionTasks.filter(({ purgeMode }) => isPurgedDirectly(purgeMode));
  return new Set(direct.map(({ fromCluster }) => fromCluster));
}

/** Whether replicas are divided among clusters at all; everything else goes to each cluster as it is. */
export function isWorkload({ replicas = 0, replicaRequirements, components = [] }: BindingSpec): boolean {
  return replicas > 0 || replicaRequirements !== undefined || components.length > 0;
}
