/** The controllers of the platform: what `--controllers` chooses from. */
export const CONTROLLERS = [
  'instance-lifecycle',
  'status-sync',
  'global-resource-registry',
  'instance-registry',
  'virtual-cluster-sync',
  'cluster-sync',
  'resource-statistics',
  'rbac-sync',
  'failover-sync',
  'ghippo-cleanup',
  'ghippo-webhook',
] as const;
export type ControllerName = (typeof CONTROLLERS)[number];
