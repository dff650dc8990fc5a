/** Cluster: one member, how to reach it, what it can hold and how it feels. */
import type { Condition, KubeObject } from '#kube/meta/object.ts';
import type { ResourceList, Taint } from './selector.ts';

export interface Cluster extends KubeObject {
  readonly kind: 'Cluster';
  readonly spec: ClusterSpec;
  readonly status?: ClusterStatus;
}

export type SyncMode = 'Push' | 'Pull';

/** Whether its control plane brings it what it is to run, rather than an agent beside it. */
export function isPushedTo({ spec }: Cluster): boolean {
  return spec.syncMode !== 'Pull';
}

export interface ClusterSpec {
  /** The uid of the member's kube-system namespace: the same cluster cannot join twice. */
  readonly id?: string;
  readonly syncMode: SyncMode;
  readonly apiEndpoint?: string;
  readonly secretRef?: LocalSecretReference;
  readonly impersonatorSecretRef?: LocalSecretReference;
  readonly insecureSkipTLSVerification?: boolean;
  readonly proxyURL?: string;
  readonly proxyHeader?: Readonly<Record<string, string>>;
  readonly provider?: string;
  readonly region?: string;
  /** Deprecated: `zones`. */
  readonly zone?: string;
  readonly zones?: readonly string[];
  readonly taints?: readonly Taint[];
  readonly resourceModels?: readonly ResourceModel[];
}

export interface LocalSecretReference {
  readonly namespace: string;
  readonly name: string;
}

/** One grade of node sizes: a node belongs to it when its free resources lie within the ranges. */
export interface ResourceModel {
  readonly grade: number;
  readonly ranges: readonly ResourceModelRange[];
}

export interface ResourceModelRange {
  readonly name: string;
  readonly min: string | number;
  readonly max: string | number;
}

export interface ClusterStatus {
  readonly kubernetesVersion?: string;
  readonly apiEnablements?: readonly ApiEnablement[];
  readonly conditions?: readonly Condition[];
  readonly nodeSummary?: { readonly totalNum?: number; readonly readyNum?: number };
  readonly resourceSummary?: ResourceSummary;
  readonly remedyActions?: readonly string[];
}

export interface ApiEnablement {
  readonly groupVersion: string;
  readonly resources?: readonly { readonly name: string; readonly kind: string }[];
}

export interface ResourceSummary {
  readonly allocatable?: ResourceList;
  /** Requests of pods not yet bound to a node. */
  readonly allocating?: ResourceList;
  readonly allocated?: ResourceList;
  readonly allocatableModelings?: readonly { readonly grade: number; readonly count: number }[];
}
