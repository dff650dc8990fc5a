/** FederatedResourceQuota: a quota of a namespace over all clusters. */
import type { KubeObject } from '#kube/meta/object.ts';
import type { ResourceList } from './selector.ts';

export interface FederatedResourceQuota extends KubeObject {
  readonly kind: 'FederatedResourceQuota';
  readonly spec: {
    readonly overall: ResourceList;
    readonly staticAssignments?: readonly { readonly clusterName: string; readonly hard: ResourceList }[];
  };
  readonly status?: {
    readonly overall?: ResourceList;
    readonly overallUsed?: ResourceList;
    readonly aggregatedStatus?: readonly ClusterQuotaStatus[];
  };
}

export interface ClusterQuotaStatus {
  readonly clusterName: string;
  readonly hard?: ResourceList;
  readonly used?: ResourceList;
}
