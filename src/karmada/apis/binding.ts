/** ResourceBinding and ClusterResourceBinding: one template, its placement, and where the scheduler put it. */
import type { JsonObject } from '#base/json.ts';
import type { Condition, KubeObject } from '#kube/meta/object.ts';
import type { ConflictResolution, FailoverBehavior, Placement, PurgeMode, Suspension } from './propagation-policy.ts';
import type { NodeSelector, ResourceList, Toleration } from './selector.ts';

export interface ResourceBinding extends KubeObject {
  readonly kind: 'ResourceBinding';
  readonly spec: BindingSpec;
  readonly status?: BindingStatus;
}

export interface ClusterResourceBinding extends KubeObject {
  readonly kind: 'ClusterResourceBinding';
  readonly spec: BindingSpec;
  readonly status?: BindingStatus;
}

export type AnyBinding = ResourceBinding | ClusterResourceBinding;

export interface BindingSpec {
  readonly resource: ObjectReference;
  readonly propagateDeps?: boolean;
  readonly replicaRequirements?: ReplicaRequirements;
  readonly replicas?: number;
  readonly components?: readonly Component[];
  /** The scheduler's answer; nobody else adds to it. */
  readonly clusters?: readonly TargetCluster[];
  readonly placement?: Placement;
  readonly gracefulEvictionTasks?: readonly GracefulEvictionTask[];
  /** Bindings that depend on this one's template, with the clusters they run on. */
  readonly requiredBy?: readonly BindingSnapshot[];
  readonly schedulerName?: string;
  readonly failover?: FailoverBehavior;
  readonly conflictResolution?: ConflictResolution;
  readonly rescheduleTriggeredAt?: string;
  readonly suspension?: BindingSuspension;
  readonly preserveResourcesOnDeletion?: boolean;
  readonly schedulePriority?: { readonly priority?: number };
  readonly workloadAffinityGroups?: { readonly affinityGroup?: string; readonly antiAffinityGroup?: string };
}

export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

export interface ComponentReplicaRequirements {
  readonly nodeClaim?: NodeClaim;
  readonly resourceRequest?: ResourceList;
  readonly priorityClassName?: string;
}

export interface ReplicaRequirements extends ComponentReplicaRequirements {
  readonly namespace?: string;
}

export interface NodeClaim {
  readonly hardNodeAffinity?: NodeSelector;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly Toleration[];
}

/** One pod template of a workload that has several. */
export interface Component {
  readonly name: string;
  readonly replicas: number;
  readonly replicaRequirements?: ComponentReplicaRequirements;
}

export interface TargetCluster {
  readonly name: string;
  readonly replicas?: number;
  readonly components?: readonly { readonly name: string; readonly replicas: number }[];
}

export interface GracefulEvictionTask {
  readonly fromCluster: string;
  readonly purgeMode?: PurgeMode;
  readonly replicas?: number;
  readonly reason: string;
  readonly message?: string;
  readonly producer: string;
  readonly gracePeriodSeconds?: number;
  readonly suppressDeletion?: boolean;
  readonly preservedLabelState?: Readonly<Record<string, string>>;
  readonly creationTimestamp?: string;
  readonly clustersBeforeFailover?: readonly string[];
}

export interface BindingSnapshot {
  readonly namespace?: string;
  readonly name: string;
  readonly clusters?: readonly TargetCluster[];
}

export interface BindingSuspension extends Suspension {
  readonly scheduling?: boolean;
}

export interface BindingStatus {
  readonly schedulerObservedGeneration?: number;
  /** The affinity group last scheduled to; "Observing" on the wire, whatever upstream's code calls it. */
  readonly schedulerObservingAffinityName?: string;
  readonly lastScheduledTime?: string;
  readonly conditions?: readonly Condition[];
  /** Sorted by cluster name. */
  readonly aggregatedStatus?: readonly AggregatedStatusItem[];
}

export type ResourceHealth = 'Healthy' | 'Unhealthy' | 'Unknown';

export interface AggregatedStatusItem {
  readonly clusterName: string;
  readonly status?: JsonObject;
  readonly applied?: boolean;
  readonly appliedMessage?: string;
  readonly health?: ResourceHealth;
}
