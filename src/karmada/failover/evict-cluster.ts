/** Takes a cluster out of a binding, and puts it back. Pure. */
import type { BindingSpec, GracefulEvictionTask, TargetCluster } from '#karmada/apis/index.ts';

/** What the task says beside where from and how much. */
export type EvictionCause = Omit<GracefulEvictionTask, 'fromCluster' | 'replicas' | 'creationTimestamp'>;

/**
 * The spec without the cluster among its targets, and with a task that remembers it. The very same spec when the cluster
 * is no target; a cluster that has a task already keeps that one.
 */
export function evictCluster(spec: BindingSpec, cluster: string, cause: EvictionCause): BindingSpec {
  const target = spec.clusters?.find(({ name }) => name === cluster);
  if (!target) return spec;
  const clusters = (spec.clusters ?? []).filter((each) => each !== target);
  const tasks = spec.gracefulEvictionTasks ?? [];
  if (tasks.some(({ fromCluster }) => fromCluster === cluster)) return { ...spec, clusters };
  const task = { fromCluster: cluster, ...(target.replicas ? { replicas: target.replicas } : {}), ...cause };
  return { ...spec, clusters, gracefulEvictionTasks: [...tasks, task] };
}

/** What the cluster of a task was before it was evicted. */
export function evictedTarget({ fromCluster, replicas }: GracefulEvictionTask): TargetCluster {
  return { name: fromCluster, ...(replicas ? { replicas } : {}) };
}

export function isEvicting({ gracefulEvictionTasks = [] }: BindingSpec, cluster: string): boolean {
  return gracefulEvictionTasks.some(({ fromCluster }) => fromCluster === cluster);
}
