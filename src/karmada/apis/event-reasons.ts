/** Reasons of the events Karmada's controllers record. */
export const EVENT_REASONS = {
  createExecutionSpaceFailed: 'CreateExecutionSpaceFailed',
  createExecutionSpaceSucceed: 'CreateExecutionSpaceSucceed',
  removeExecutionSpaceFailed: 'RemoveExecutionSpaceFailed',
  removeExecutionSpaceSucceed: 'RemoveExecutionSpaceSucceed',
  taintClusterFailed: 'TaintClusterFailed',
  taintClusterSucceed: 'TaintClusterSucceed',
  syncImpersonationConfigFailed: 'SyncImpersonationConfigFailed',
  syncImpersonationConfigSucceed: 'SyncImpersonationConfigSucceed',
  reflectStatusFailed: 'ReflectStatusFailed',
  reflectStatusSucceed: 'ReflectStatusSucceed',
  interpretHealthFailed: 'InterpretHealthFailed',
  interpretHealthSucceed: 'InterpretHealthSucceed',
  syncFailed: 'SyncFailed',
  syncSucceed: 'SyncSucceed',
  workDispatching: 'WorkDispatching',
  cleanupWorkFailed: 'CleanupWorkFailed',
  syncScheduleResultToDependenciesFailed: 'SyncScheduleResultToDependenciesFailed',
  syncScheduleResultToDependenciesSucceed: 'SyncScheduleResultToDependenciesSucceed',
  dependencyPolicyConflict: 'DependencyPolicyConflict',
  syncWorkFailed: 'SyncWorkFailed',
  syncWorkSucceed: 'SyncWorkSucceed',
  aggregateStatusFailed: 'AggregateStatusFailed',
  aggregateStatusSucceed: 'AggregateStatusSucceed',
  scheduleBindingFailed: 'ScheduleBindingFailed',
  scheduleBindingSucceed: 'ScheduleBindingSucceed',
  descheduleBindingFailed: 'DescheduleBindingFailed',
  descheduleBindingSucceed: 'DescheduleBindingSucceed',
  evictWorkloadFromClusterFailed: 'EvictWorkloadFromClusterFailed',
  evictWorkloadFromClusterSucceed: 'EvictWorkloadFromClusterSucceed',
  collectOverallStatusFailed: 'CollectOverallStatusFailed',
  collectOverallStatusSucceed: 'CollectOverallStatusSucceed',
  applyPolicyFailed: 'ApplyPolicyFailed',
  applyPolicySucceed: 'ApplyPolicySucceed',
  applyOverridePolicyFailed: 'ApplyOverridePolicyFailed',
  applyOverridePolicySucceed: 'ApplyOverridePolicySucceed',
  getDependenciesFailed: 'GetDependenciesFailed',
  getDependenciesSucceed: 'GetDependenciesSucceed',
  getComponentsFailed: 'GetComponentsFailed',
  getComponentsSucceed: 'GetComponentsSucceed',
  getReplicasFailed: 'GetReplicasFailed',
  getReplicasSucceed: 'GetReplicasSucceed',
  preemptPolicyFailed: 'PreemptPolicyFailed',
  preemptPolicySucceed: 'PreemptPolicySucceed',
  syncDerivedServiceFailed: 'SyncDerivedServiceFailed',
  syncDerivedServiceSucceed: 'SyncDerivedServiceSucceed',
  syncServiceFailed: 'SyncServiceFailed',
  syncServiceSucceed: 'SyncServiceSucceed',
  dispatchEndpointSliceFailed: 'DispatchEndpointSliceFailed',
  dispatchEndpointSliceSucceed: 'DispatchEndpointSliceSucceed',
  clusterNotFound: 'ClusterNotFound',
  apiIncompatible: 'APIIncompatible',
} as const;

/** Of the autoscalers: Kubernetes' own for what they share with its HorizontalPodAutoscaler, the rest Karmada's. */
export const AUTOSCALING_EVENT_REASONS = {
  failedGetScale: 'FailedGetScale',
  failedGetScaleTargetRef: 'FailedGetScaleTargetRef',
  failedGetBindings: 'FailedGetBindings',
  failedGetTargetClusters: 'FailedGetTargetClusters',
  failedGetResourceMetric: 'FailedGetResourceMetric',
  failedGetContainerResourceMetric: 'FailedGetContainerResourceMetric',
  failedGetPodsMetric: 'FailedGetPodsMetric',
  failedGetObjectMetric: 'FailedGetObjectMetric',
  failedGetExternalMetric: 'FailedGetExternalMetric',
  invalidMetricSourceType: 'InvalidMetricSourceType',
  failedComputeMetricsReplicas: 'FailedComputeMetricsReplicas',
  selectorRequired: 'SelectorRequired',
  invalidSelector: 'InvalidSelector',
  ambiguousSelector: 'AmbiguousSelector',
  failedRescale: 'FailedRescale',
  successfulRescale: 'SuccessfulRescale',
  startRuleFailed: 'StartRuleFailed',
  scaleFailed: 'ScaleFailed',
} as const;

/** Of what Karmada does not do: see `failover/eviction-tasks.ts`. */
export const FAILOVER_EVENT_REASONS = {
  lastCopyKept: 'LastCopyKept',
  evictionPostponed: 'EvictionPostponed',
  evictionWithdrawn: 'EvictionWithdrawn',
} as const;

/** Of clusters that leave without their member: see `cluster/left-behind.ts`. */
export const UNJOIN_EVENT_REASONS = { objectsLeftBehind: 'ObjectsLeftBehind' } as const;

type ValueOf<T> = T[keyof T];
export type EventReason =
  | ValueOf<typeof EVENT_REASONS>
  | ValueOf<typeof AUTOSCALING_EVENT_REASONS>
  | ValueOf<typeof FAILOVER_EVENT_REASONS>
  | ValueOf<typeof UNJOIN_EVENT_REASONS>;
