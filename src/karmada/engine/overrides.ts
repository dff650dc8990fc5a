/** The override policies there are, ready to be applied to objects on their way to a cluster. */
import { notFound } from '#base/status-error.ts';
import {
  type Cluster,
  CLUSTER,
  CLUSTER_OVERRIDE_POLICY,
  type ClusterOverridePolicy,
  OVERRIDE_POLICY,
  type OverridePolicy,
} from '#karmada/apis/index.ts';
import type { Overrides } from '#karmada/binding/index.ts';
import { applyOverrides } from '#karmada/override/index.ts';
import type { Informers } from '#kube/runtime/index.ts';

const NAMESPACE = 'namespace';

export function currentOverrides(informers: Informers): Overrides {
  const clusters = informers<Cluster>(CLUSTER);
  const policies = informers<OverridePolicy>(OVERRIDE_POLICY);
  const clusterPolicies = informers<ClusterOverridePolicy>(CLUSTER_OVERRIDE_POLICY);
  policies.index(NAMESPACE, ({ metadata }) => [metadata.namespace ?? '']);
  return (object, name) => {
    const cluster = clusters.get(name);
    if (!cluster) throw notFound(CLUSTER.resource, name, CLUSTER.group);
    return applyOverrides({
      object,
      cluster,
      clusterOverridePolicies: clusterPolicies.list(),
      overridePolicies: policies.byIndex(NAMESPACE, object.metadata.namespace ?? ''),
    });
  };
}
