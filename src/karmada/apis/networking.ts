/** Services across clusters: Karmada's own kinds, and those of the multi-cluster group of Kubernetes. */
import type { JsonObject } from '#base/json.ts';
import type { Condition, KubeObject } from '#kube/meta/object.ts';

export interface MultiClusterService extends KubeObject {
  readonly kind: 'MultiClusterService';
  readonly spec: {
    /** Exactly one: CrossCluster or LoadBalancer. */
    readonly types: readonly string[];
    readonly ports?: readonly { readonly name?: string; readonly port: number }[];
    readonly providerClusters?: readonly { readonly name: string }[];
    readonly consumerClusters?: readonly { readonly name: string }[];
    /** The last three are deprecated. */
    readonly range?: { readonly clusterNames?: readonly string[] };
    readonly serviceProvisionClusters?: readonly string[];
    readonly serviceConsumptionClusters?: readonly string[];
  };
  readonly status?: { readonly conditions?: readonly Condition[]; readonly loadBalancer?: JsonObject };
}

/** Its spec is that of an Ingress. */
export interface MultiClusterIngress extends KubeObject {
  readonly kind: 'MultiClusterIngress';
  readonly spec?: JsonObject;
  readonly status?: {
    readonly loadBalancer?: JsonObject;
    readonly trafficBlockClusters?: readonly string[];
    readonly serviceLocations?: readonly { readonly name: string; readonly clusters?: readonly string[] }[];
  };
}

export interface ServiceExport extends KubeObject {
  readonly kind: 'ServiceExport';
  readonly status?: { readonly conditions?: readonly Condition[] };
}

export interface ServiceImport extends KubeObject {
  readonly kind: 'ServiceImport';
  readonly spec: {
    readonly type: 'ClusterSetIP' | 'Headless';
    readonly ips?: readonly string[];
    readonly ports: readonly {
      readonly name?: string;
      readonly protocol?: string;
      readonly appProtocol?: string;
      readonly port: number;
    }[];
    readonly sessionAffinity?: string;
    readonly sessionAffinityConfig?: JsonObject;
  };
  readonly status?: { readonly clusters?: readonly { readonly cluster: string }[] };
}
