/** What the inventory of clusters and the index can do, as permission points; rights on them hold for all clusters. */
import type { PermissionPoint, ProductSpec, Tier } from '#ghippo/apis/kinds.ts';
import { type Permission, permission } from '#ghippo/apis/permission.ts';

export const KPANDA_PRODUCT = 'kpanda';
const SERVICE = 'kpanda.api.cluster.v1alpha1.ClusterService';

function point(resourceType: string, action: string, tier: Tier, ...rpcs: readonly string[]): PermissionPoint {
  const operations = rpcs.map((rpc) => `${SERVICE}/${rpc}`);
  return { resourceType, action, tier, scope: 'Platform', ...(operations.length > 0 ? { operations } : {}) };
}

export const kpandaProduct: ProductSpec = {
  displayName: 'Container management',
  resourceTypes: [],
  permissions: [
    point('cluster', 'list', 'view', 'ListClusters', 'ListClusterSummary'),
    point('cluster', 'get', 'view', 'GetCluster', 'ListClusterPreferredResources'),
    point('cluster', 'usage', 'view', 'GetClusterUsage'),
    point('cluster', 'import', 'manage', 'CreateCluster', 'ValidateKubeConfig'),
    point('cluster', 'update', 'manage', 'UpdateClusters', 'EditClusterLabels'),
    point('cluster', 'rotate', 'manage', 'RotateCredential', 'ValidateCluster'),
    point('cluster', 'delete', 'manage', 'DeleteCluster'),
    // Whoever reads it may do in the cluster whatever the platform may.
    point('cluster', 'kubeconfig', 'manage', 'GetClusterKubeConfig'),
    // Everything in every cluster; who has rights in instances reads what is in those without it.
    point('index', 'read', 'view'),
  ],
};

/** A point of Kpanda by its short name: `cluster/list`. */
export function kpandaPermission(resourceType: string, action: string): Permission {
  return permission(KPANDA_PRODUCT, resourceType, action);
}
