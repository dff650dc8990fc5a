/** Condition types, reasons and messages that Karmada's controllers write, as people and scripts read them. */

export const SCHEDULED = {
  type: 'Scheduled',
  success: 'Success',
  schedulerError: 'SchedulerError',
  noClusterFit: 'NoClusterFit',
  unschedulable: 'Unschedulable',
  quotaExceeded: 'QuotaExceeded',
  successMessage: 'Binding has been scheduled successfully.',
} as const;

export const FULLY_APPLIED = {
  type: 'FullyApplied',
  success: 'FullyAppliedSuccess',
  failed: 'FullyAppliedFailed',
  successMessage: 'All works have been successfully applied',
  failedMessage: 'Failed to apply all works, see status.aggregatedStatus for details',
} as const;

/** Of a Work. */
export const APPLIED = {
  type: 'Applied',
  success: 'AppliedSuccessful',
  failed: 'AppliedFailed',
  successMessage: 'Manifest has been successfully applied',
} as const;

/** Of a Work. */
export const DISPATCHING = {
  type: 'Dispatching',
  dispatching: 'Dispatching',
  suspended: 'SuspendDispatching',
  dispatchingMessage: 'Work is being dispatched to member clusters.',
  suspendedMessage: 'Work dispatching is in a suspended state.',
} as const;

/** Of a Cluster. */
export const READY = {
  type: 'Ready',
  ready: 'ClusterReady',
  notReady: 'ClusterNotReady',
  notReachable: 'ClusterNotReachable',
  statusCollectionFailed: 'StatusCollectionFailed',
  statusUnknown: 'ClusterStatusUnknown',
  readyMessage: 'cluster is healthy and ready to accept workloads',
  notReadyMessage: 'cluster is reachable but health endpoint responded without ok',
  notReachableMessage: 'cluster is not reachable',
  statusUnknownMessage: 'Cluster status controller stopped posting cluster status.',
  neverUpdated: 'ClusterStatusNeverUpdated',
  neverUpdatedMessage: 'Cluster status controller never posted cluster status.',
} as const;

/** Of a Cluster: whether the list of its APIs can be relied on. */
export const COMPLETE_API_ENABLEMENTS = {
  type: 'CompleteAPIEnablements',
  complete: 'Complete',
  partial: 'Partial',
  empty: 'Empty',
} as const;

/** Of a binding; not one of Karmada's: its eviction waits, because what would go is the last copy (karmada#7455). */
export const EVICTION_BLOCKED = { type: 'EvictionBlocked', lastCopy: 'LastCopy' } as const;
