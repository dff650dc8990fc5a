export { needsTrigger, observedWorkloads, timeToLive } from './rebalance.ts';
export { type WorkloadRebalancerDeps, workloadRebalancerController } from './workload-rebalancer-controller.ts';
