/**
 * The `Instance` custom resource of the global cluster: one multi-cloud control plane, what it shall be and how it is.
 *
 * Whoever runs the instance writes its status; the proxy reads nothing else to find it.
 */
import type { Condition, KubeObject, ObjectMeta } from '#kube/meta/object.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { HostCluster, KarmadaSpec, SecretRef } from './karmada.ts';

export const INSTANCES: Gvr = { group: 'kairship.io', version: 'v1alpha1', resource: 'instances' };

/** Credentials of instances live in Secrets of this namespace, under this key. */
export const INSTANCE_NAMESPACE = 'kairship-system';
export const KUBECONFIG_KEY = 'kubeconfig';
/** Held by the life cycle until what it made of the instance is gone. */
export const INSTANCE_FINALIZER = 'kairship.io/instance';

export interface Instance extends KubeObject {
  readonly apiVersion: 'kairship.io/v1alpha1';
  readonly kind: 'Instance';
  readonly metadata: ObjectMeta;
  readonly spec: InstanceSpec;
  readonly status?: InstanceStatus;
}

export interface InstanceSpec extends Settings {
  /** The name people see. */
  readonly alias?: string;
  /** Who runs it: our own engine as a process, the community's operator, or somebody else. */
  readonly mode: InstanceMode;
  /** For `external`: the Secret with a kubeconfig of the control plane that runs already. */
  readonly secretRef?: SecretRef;
  /** Whether the control plane goes with the instance; it does unless this says no. */
  readonly releaseOnDelete?: boolean;
}

export type InstanceMode = 'embedded' | 'operator' | 'external';

/** What can be set of a control plane; each has its place in the community's `Karmada`. */
export interface Settings {
  readonly karmadaVersion?: string;
  readonly hostCluster?: HostCluster;
  readonly storage?: Storage;
  readonly featureGates?: Readonly<Record<string, boolean>>;
  readonly failover?: Failover;
  readonly descheduler?: Descheduler;
  readonly metricsAdapter?: { readonly enabled: true };
  readonly suspend?: boolean;
  /** What else the community's resource says; carried along as it is. */
  readonly karmada?: KarmadaSpec;
  /** What the first operator's resource said and nobody else understands; carried along as it is. */
  readonly karmadaDeployment?: Readonly<Record<string, unknown>>;
}

/** Where etcd (or what stands in its place) keeps its data. */
export type Storage =
  | { readonly type: 'emptyDir' }
  | { readonly type: 'hostPath'; readonly path: string }
  | { readonly type: 'pvc'; readonly size: string; readonly storageClass?: string }
  | { readonly type: 'external'; readonly endpoints: readonly string[]; readonly secretRef: SecretRef };

/** All times in seconds. */
export interface Failover {
  readonly enabled?: boolean;
  readonly clusterSuccessThreshold?: number;
  readonly clusterFailureThreshold?: number;
  readonly clusterStartupGracePeriod?: number;
  readonly clusterMonitorPeriod?: number;
  readonly clusterMonitorGracePeriod?: number;
  readonly gracefulEvictionTimeout?: number;
  /** How long what runs in a lost cluster is left there, where its policy does not say. */
  readonly failoverEvictionTimeout?: number;
}

export interface Descheduler {
  readonly enabled: true;
  readonly deschedulingInterval?: number;
  readonly unschedulableThreshold?: number;
}

export interface InstanceStatus {
  readonly state?: InstanceState;
  readonly endpoint?: string;
  readonly secretRef?: SecretRef;
  readonly karmadaVersion?: string;
  readonly kubernetesVersion?: string;
  readonly observedGeneration?: number;
  /** What it holds, counted by `resource-statistics`. */
  readonly summary?: Readonly<Record<string, unknown>>;
  readonly conditions?: readonly Condition[];
}

export type InstanceState = 'INPROCESS' | 'RUNNING' | 'UNAVAILABLE' | 'UNKNOWN' | 'TERMINAL';
