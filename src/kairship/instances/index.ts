/** Instances and their life: the custom resource, who runs what it asks for, and what is said of it. */
export { adoptInstance } from './adopt.ts';
export { evictsAtOnce, karmadaOf, karmadaSpecOf, settingsOf } from './convert-karmada.ts';
export { embeddedFlags } from './embedded-flags.ts';
export { embeddedOperator, type Runner, type Running, type Serving } from './embedded-operator.ts';
export { installInstances } from './install.ts';
export * from './instance.ts';
export { instanceController } from './instance-controller.ts';
export {
  type ClustersOf,
  clustersRemain,
  FORCE_DELETE,
  holding,
  instanceDeletion,
  requireEmpty,
} from './remaining-clusters.ts';
export { type Answer, stateOf } from './instance-state.ts';
export { type StatusSyncDeps, statusSyncController } from './status-sync-controller.ts';
