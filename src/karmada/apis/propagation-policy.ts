/** PropagationPolicy and ClusterPropagationPolicy: which templates go to which clusters, and how. */
import type { KubeObject } from '#kube/meta/object.ts';
import type { ClusterAffinity, ResourceSelector, Toleration } from './selector.ts';

export interface PropagationPolicy extends KubeObject {
  readonly kind: 'PropagationPolicy';
  readonly spec: PropagationSpec;
}

export interface ClusterPropagationPolicy extends KubeObject {
  readonly kind: 'ClusterPropagationPolicy';
  readonly spec: PropagationSpec;
}

export type AnyPropagationPolicy = PropagationPolicy | ClusterPropagationPolicy;

export interface PropagationSpec {
  readonly resourceSelectors: readonly ResourceSelector[];
  /** The old name of `propagateDeps`. */
  readonly association?: boolean;
  readonly propagateDeps?: boolean;
  readonly placement?: Placement;
  readonly priority?: number;
  readonly preemption?: 'Always' | 'Never';
  readonly dependentOverrides?: readonly string[];
  readonly schedulerName?: string;
  readonly failover?: FailoverBehavior;
  readonly conflictResolution?: ConflictResolution;
  readonly activationPreference?: 'Lazy';
  readonly suspension?: Suspension;
  readonly preserveResourcesOnDeletion?: boolean;
  readonly schedulePriority?: PolicySchedulePriority;
}

export type ConflictResolution = 'Abort' | 'Overwrite';

export interface Placement {
  readonly clusterAffinity?: ClusterAffinity;
  /** Groups tried in order until one fits; excludes `clusterAffinity`. */
  readonly clusterAffinities?: readonly ClusterAffinityTerm[];
  readonly clusterTolerations?: readonly Toleration[];
  readonly spreadConstraints?: readonly SpreadConstraint[];
  /** Absent: every chosen cluster gets all replicas. */
  readonly replicaScheduling?: ReplicaSchedulingStrategy;
  readonly workloadAffinity?: WorkloadAffinity;
}

export interface ClusterAffinityTerm extends ClusterAffinity {
  readonly affinityName: string;
  /** Tiers that are filled one after the other when the group itself has no room left. */
  readonly overflowAffinities?: readonly OverflowClusterAffinity[];
}

export interface OverflowClusterAffinity extends ClusterAffinity {
  readonly affinityName: string;
}

export type SpreadField = 'cluster' | 'region' | 'zone' | 'provider';

export interface SpreadConstraint {
  readonly spreadByField?: SpreadField;
  readonly spreadByLabel?: string;
  readonly minGroups?: number;
  readonly maxGroups?: number;
}

export interface ReplicaSchedulingStrategy {
  readonly replicaSchedulingType?: 'Duplicated' | 'Divided';
  readonly replicaDivisionPreference?: 'Aggregated' | 'Weighted';
  readonly weightPreference?: ClusterPreferences;
}

export interface ClusterPreferences {
  readonly staticWeightList?: readonly StaticClusterWeight[];
  readonly dynamicWeight?: 'AvailableReplicas';
}

export interface StaticClusterWeight {
  readonly targetCluster: ClusterAffinity;
  readonly weight: number;
}

export interface WorkloadAffinity {
  readonly affinity?: { readonly groupByLabelKey: string };
  readonly antiAffinity?: { readonly groupByLabelKey: string };
}

/** Immediately and Graciously are the names that Directly and Gracefully had before v1.14, still accepted until v1.19. */
export type PurgeMode = 'Directly' | 'Gracefully' | 'Never' | 'Immediately' | 'Graciously';

/** The old copy goes before the new one runs. */
export function isPurgedDirectly(mode: PurgeMode | undefined): boolean {
  return mode === 'Directly' || mode === 'Immediately';
}

/** The old copy goes when the new one runs. */
export function isPurgedGracefully(mode: PurgeMode | undefined): boolean {
  return mode === 'Gracefully' || mode === 'Graciously';
}

export interface FailoverBehavior {
  readonly application?: ApplicationFailoverBehavior;
  readonly cluster?: ClusterFailoverBehavior;
}

export interface ApplicationFailoverBehavior {
  readonly decisionConditions: { readonly tolerationSeconds?: number };
  readonly purgeMode?: PurgeMode;
  readonly gracePeriodSeconds?: number;
  readonly statePreservation?: StatePreservation;
}

export interface ClusterFailoverBehavior {
  readonly purgeMode?: Exclude<PurgeMode, 'Never'>;
  readonly statePreservation?: StatePreservation;
}

export interface StatePreservation {
  readonly rules: readonly { readonly aliasLabelName: string; readonly jsonPath: string }[];
}

export interface Suspension {
  readonly dispatching?: boolean;
  readonly dispatchingOnClusters?: { readonly clusterNames?: readonly string[] };
}

export interface PolicySchedulePriority {
  readonly priorityClassSource: 'KubePriorityClass';
  readonly priorityClassName: string;
}
