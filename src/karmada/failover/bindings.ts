/** Bindings of both scopes as one, by key and by the clusters they are on or on their way out of. */
import { type AnyBinding, CLUSTER_RESOURCE_BINDING, type KindNames, RESOURCE_BINDING } from '#karmada/apis/index.ts';
import type { Subject } from '#karmada/events/index.ts';
import type { Informers } from '#kube/runtime/index.ts';

export interface Bindings {
  /** By `namespace/name`, or the bare name of a cluster-scoped one. */
  get(key: string): AnyBinding | undefined;
  /** Those that the cluster is a target of. */
  on(cluster: string): readonly AnyBinding[];
  /** Those with an eviction task for the cluster. */
  leaving(cluster: string): readonly AnyBinding[];
}

const ON = 'failover-on';
const LEAVING = 'failover-leaving';

export function bindingsOf(informers: Informers): Bindings {
  const namespaced = informers<AnyBinding>(RESOURCE_BINDING);
  const clusterWide = informers<AnyBinding>(CLUSTER_RESOURCE_BINDING);
  const both = [namespaced, clusterWide];
  for (const informer of both) {
    informer.index(ON, ({ spec }) => (spec.clusters ?? []).map(({ name }) => name));
    informer.index(LEAVING, ({ spec }) => (spec.gracefulEvictionTasks ?? []).map(({ fromCluster }) => fromCluster));
  }
  return {
    get: (key) => (key.includes('/') ? namespaced : clusterWide).get(key),
    on: (cluster) => both.flatMap((informer) => informer.byIndex(ON, cluster)),
    leaving: (cluster) => both.flatMap((informer) => informer.byIndex(LEAVING, cluster)),
  };
}

export function resourceOf({ kind }: AnyBinding): KindNames {
  return kind === 'ResourceBinding' ? RESOURCE_BINDING : CLUSTER_RESOURCE_BINDING;
}

/** The binding and its template: what happens to one is told of both. */
export function subjectsOf(binding: AnyBinding): readonly [AnyBinding, Subject] {
  const { resourceVersion: _seen, ...template } = binding.spec.resource;
  return [binding, template];
}
