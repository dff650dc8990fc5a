/** Clusters in which nothing measures what pods use. Pure. */
import type { Thing } from '../../api/objects.ts';

interface Served {
  readonly groupVersion?: string;
}

/** One that has not said yet what it serves is not counted among them. */
export function unmeasured(clusters: readonly Thing[]): readonly string[] {
  return clusters
    .filter(({ status }) => {
      const served = status?.['apiEnablements'] as readonly Served[] | undefined;
      return (
        served !== undefined && !served.some(({ groupVersion = '' }) => groupVersion.startsWith('metrics.k8s.io/'))
      );
    })
    .map(({ metadata }) => metadata.name)
    .sort();
}
