/** Whether a workload may be left without any copy, and whether an eviction would do that. Pure. */
import type { AnyBinding, Cluster } from '#karmada/apis/index.ts';
import { schedule } from '#karmada/scheduler/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { EVICT_LAST_COPY } from './options.ts';

/** What the annotation says, of the binding first and then of its template; without one, what the engine was told. */
export function mayEvictLastCopy(binding: AnyBinding, template: KubeObject | undefined, otherwise: boolean): boolean {
  for (const object of [binding, template]) {
    const value = object?.metadata.annotations?.[EVICT_LAST_COPY];
    if (value === 'true' || value === 'false') return value === 'true';
  }
  return otherwise;
}

/**
 * Why the workload would be left without a healthy copy; undefined when it would not. `evicted` is the binding as the
 * eviction would leave it: what is purged directly is deleted before the scheduler is asked, so it is asked beforehand.
 */
export function wouldLoseLastCopy(evicted: AnyBinding, clusters: readonly Cluster[], now: number): string | undefined {
  const { outcome } = schedule({ binding: evicted, clusters, now, because: 'an eviction is rehearsed' });
  if (outcome.type === 'scheduled') return undefined;
  const left = new Set((evicted.spec.clusters ?? []).map(({ name }) => name));
  const items = evicted.status?.aggregatedStatus ?? [];
  const someHealthy = items.some(({ clusterName, health }) => left.has(clusterName) && health === 'Healthy');
  return someHealthy ? undefined : outcome.message;
}
