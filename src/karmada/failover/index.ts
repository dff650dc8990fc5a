export { type ApplicationFailoverDeps, applicationFailoverController } from './application-failover-controller.ts';
export { type ClusterTaintPolicyDeps, clusterTaintPolicyController } from './cluster-taint-policy-controller.ts';
export { type Assessment, type AssessInput, assessTasks } from './eviction-tasks.ts';
export { type GracefulEvictionDeps, gracefulEvictionController } from './graceful-eviction-controller.ts';
export { EVICT_LAST_COPY, FAILOVER_DEFAULTS, type FailoverOptions } from './options.ts';
export { type TaintManagerDeps, taintManagerController } from './taint-manager-controller.ts';
export { type TaintVerdict, taintVerdict } from './taint-verdict.ts';
