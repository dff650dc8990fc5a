/** The inventory of clusters. {@link clusterRegistry} is what people and services use; the controllers make it true. */
export {
  type Cluster,
  CLUSTER_FINALIZER,
  type ClusterPhase,
  type ClusterSpec,
  type ClusterStatus,
  CLUSTERS,
  clusters,
  isVirtual,
  KUBECONFIG_KEY,
  OWNED_LABEL,
  REGISTRY_NAMESPACE,
  type SecretRef,
  secretNameOf,
  VIRTUAL_LABEL,
} from './cluster.ts';
export { clusterCrd, installRegistry } from './cluster-crd.ts';
export {
  type ClusterAdmission,
  type ClusterChange,
  clusterAdmission,
  type ImportRequest,
} from './cluster-admission.ts';
export { type ClusterFilter, type ClusterRegistry, clusterRegistry, type RegistryDeps } from './cluster-registry.ts';
export { type CollectionDeps, collectionController } from './collection-controller.ts';
export { type Credential, credentialOf } from './credential.ts';
export { factsController, type FactsDeps } from './facts-controller.ts';
export { type Connection, type MemberClients, memberClients } from './member-clients.ts';
export {
  type Check,
  type ImportReport,
  problemsOf,
  type Purpose,
  type Right,
  validateKubeconfig,
} from './validate-kubeconfig.ts';
