/**
 * The `Cluster` custom resource of the inventory: one Kubernetes cluster, where it is, and how it does.
 *
 * Its credential is in a Secret, never in the object. A virtual cluster stands for an instance: it is collected as any
 * other, and hidden from everybody who does not ask for it.
 */
import type { Secret } from '#gen/kube/types.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { type TypedClient, typed } from '#kube/client/typed-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { Condition, KubeObject, ObjectMeta } from '#kube/meta/object.ts';

export const CLUSTERS: Gvr = { group: 'kpanda.io', version: 'v1alpha1', resource: 'clusters' };
export const SECRETS: Gvr = { group: '', version: 'v1', resource: 'secrets' };

/** Credentials of imported clusters are Secrets of this namespace, under this key. */
export const REGISTRY_NAMESPACE = 'kpanda-system';
export const KUBECONFIG_KEY = 'kubeconfig';
/** Held until nothing of the cluster is left: index, credential, history. */
export const CLUSTER_FINALIZER = 'kpanda.io/cluster';
/** On the Cluster of an instance, with the value `true`. */
export const VIRTUAL_LABEL = 'kpanda.io/virtual-cluster';
/** On a Secret that the registry made, with the name of its cluster: it goes with it. */
export const OWNED_LABEL = 'kpanda.io/cluster';

export interface Cluster extends KubeObject {
  readonly apiVersion: 'kpanda.io/v1alpha1';
  readonly kind: 'Cluster';
  readonly metadata: ObjectMeta;
  readonly spec: ClusterSpec;
  readonly status?: ClusterStatus;
}

export interface ClusterSpec {
  readonly aliasName?: string;
  readonly description?: string;
  readonly provider?: string;
  readonly region?: string;
  readonly zone?: string;
  readonly apiEndpoint?: string;
  readonly secretRef: SecretRef;
  /** Where its API is below the server of that kubeconfig, for a cluster that is reached through another. */
  readonly apiPath?: string;
  /** What is indexed of it; everything when absent. */
  readonly collect?: { readonly include?: readonly string[]; readonly exclude?: readonly string[] };
}

export interface SecretRef {
  readonly namespace: string;
  readonly name: string;
  readonly key?: string;
}

export type ClusterPhase = 'Pending' | 'Running' | 'Unknown' | 'Deleting';

export interface ClusterStatus {
  readonly phase?: ClusterPhase;
  readonly kubernetesVersion?: string;
  readonly platform?: string;
  /** The uid of its `kube-system` namespace, by which a cluster is known. */
  readonly kubeSystemID?: string;
  /** `apps/v1`, `v1`, …: what it serves. */
  readonly apiGroups?: readonly string[];
  readonly nodeSummary?: { readonly total: number; readonly ready: number };
  readonly podSummary?: { readonly total: number; readonly running: number };
  readonly resourceSummary?: {
    readonly capacity?: Readonly<Record<string, string>>;
    readonly allocatable?: Readonly<Record<string, string>>;
    readonly used?: Readonly<Record<string, string>>;
  };
  /** Percent of what can be allocated; absent where nothing is measured. */
  readonly cpuUsage?: number;
  readonly memoryUsage?: number;
  readonly podCIDR?: string;
  readonly credential?: CredentialStatus;
  readonly conditions?: readonly Condition[];
}

export interface CredentialStatus {
  readonly type: 'token' | 'certificate' | 'password' | 'none';
  readonly expiresAt?: string;
}

export const clusters = (client: KubeClient): TypedClient<Cluster> =>
  typed<Cluster>(client, { gvr: CLUSTERS, kind: 'Cluster', namespaced: false });
export const secrets = (client: KubeClient): TypedClient<Secret> =>
  typed<Secret>(client, { gvr: SECRETS, kind: 'Secret', namespaced: true });

export function isVirtual({ metadata }: Pick<Cluster, 'metadata'>): boolean {
  return metadata.labels?.[VIRTUAL_LABEL] === 'true';
}

export function secretNameOf(cluster: string): string {
  return `cluster-${cluster}`;
}
