/**
 * The hidden cluster that stands for an instance in the cluster inventory, so that it is collected as any cluster is.
 * One for each instance, and no two share one.
 */
export function virtualCluster(instance: string): string {
  return `k-${instance}`;
}
