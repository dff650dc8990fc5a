export { type CronFederatedHpaDeps, cronFederatedHpaController } from './cron-federated-hpa-controller.ts';
export {
  type DeploymentReplicasSyncerDeps,
  deploymentReplicasSyncerController,
} from './deployment-replicas-syncer-controller.ts';
export {
  desiredReplicas,
  type ScalingDecision,
  type ScalingInput,
  type ScalingOptions,
  SCALING_DEFAULTS,
} from './desired-replicas.ts';
export { type AutoscalingOptions, type FederatedHpaDeps, federatedHpaController } from './federated-hpa-controller.ts';
export {
  type HpaScaleTargetMarkerDeps,
  hpaScaleTargetMarkerController,
} from './hpa-scale-target-marker-controller.ts';
export { isTimeZone, nextRun } from './next-run.ts';
export { type ReplicasSync, replicasSync } from './replicas-sync.ts';
