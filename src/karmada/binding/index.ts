export { existingClusters, targetClusters } from './binding-clusters.ts';
export { type BindingDeps, bindingController } from './binding-controller.ts';
export { type NamespaceSyncDeps, namespaceSyncController } from './namespace-sync-controller.ts';
export { type Overrides, type Rendered, renderWork, workFor } from './render-work.ts';
export { type DependenciesDeps, dependenciesController } from './dependencies-controller.ts';
