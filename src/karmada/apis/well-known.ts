/** Labels, annotations, finalizers, namespaces and taints by which Karmada's objects know each other. */

/** The Karmada this engine is compatible with. */
export const KARMADA_VERSION = 'v1.18.2';

export const LABELS = {
  propagationPolicyId: 'propagationpolicy.karmada.io/permanent-id',
  clusterPropagationPolicyId: 'clusterpropagationpolicy.karmada.io/permanent-id',
  bindingId: 'resourcebinding.karmada.io/permanent-id',
  clusterBindingId: 'clusterresourcebinding.karmada.io/permanent-id',
  workId: 'work.karmada.io/permanent-id',
  multiClusterServiceId: 'multiclusterservice.karmada.io/permanent-id',
  /** On every object that Karmada put into a member. */
  managed: 'karmada.io/managed',
  /** On namespaces that belong to Karmada itself. */
  system: 'karmada.io/system',
  bindingManagedBy: 'binding.karmada.io/managed-by',
  retainReplicas: 'resourcetemplate.karmada.io/retain-replicas',
  deletionProtected: 'resourcetemplate.karmada.io/deletion-protected',
  claimedBy: 'resourcetemplate.karmada.io/claimed-by',
  skipAutoPropagation: 'namespace.karmada.io/skip-auto-propagation',
  /** Followed by the hash of the depending binding's key, see `dependedByLabel`. */
  dependedByPrefix: 'resourcebinding.karmada.io/depended-by-',
  serviceNamespace: 'endpointslice.karmada.io/namespace',
  serviceName: 'endpointslice.karmada.io/name',
  endpointSliceManagedBy: 'endpointslice.karmada.io/managed-by',
  multiClusterServiceNamespace: 'multiclusterservice.karmada.io/namespace',
  multiClusterServiceName: 'multiclusterservice.karmada.io/name',
  quotaNamespace: 'federatedresourcequota.karmada.io/namespace',
  quotaName: 'federatedresourcequota.karmada.io/name',
} as const;

export const ANNOTATIONS = {
  propagationPolicyNamespace: 'propagationpolicy.karmada.io/namespace',
  propagationPolicyName: 'propagationpolicy.karmada.io/name',
  clusterPropagationPolicyName: 'clusterpropagationpolicy.karmada.io/name',
  bindingNamespace: 'resourcebinding.karmada.io/namespace',
  bindingName: 'resourcebinding.karmada.io/name',
  clusterBindingName: 'clusterresourcebinding.karmada.io/name',
  workNamespace: 'work.karmada.io/namespace',
  workName: 'work.karmada.io/name',
  conflictResolution: 'work.karmada.io/conflict-resolution',
  templateUid: 'resourcetemplate.karmada.io/uid',
  templateGeneration: 'resourcetemplate.karmada.io/generation',
  managedLabels: 'resourcetemplate.karmada.io/managed-labels',
  managedAnnotations: 'resourcetemplate.karmada.io/managed-annotations',
  appliedPlacement: 'policy.karmada.io/applied-placement',
  appliedOverrides: 'policy.karmada.io/applied-overrides',
  appliedClusterOverrides: 'policy.karmada.io/applied-cluster-overrides',
  dependencies: 'resourcebinding.karmada.io/dependencies',
  provisionCluster: 'endpointslice.karmada.io/provision-cluster',
  cachedFromCluster: 'resource.karmada.io/cached-from-cluster',
} as const;

export const FINALIZERS = {
  cluster: 'karmada.io/cluster-controller',
  execution: 'karmada.io/execution-controller',
  binding: 'karmada.io/binding-controller',
  clusterBinding: 'karmada.io/cluster-resource-binding-controller',
  propagationPolicy: 'karmada.io/propagation-policy-controller',
  clusterPropagationPolicy: 'karmada.io/cluster-propagation-policy-controller',
  dependenciesDistributor: 'karmada.io/binding-dependencies-distributor',
  endpointSlice: 'karmada.io/endpointslice-controller',
  multiClusterService: 'karmada.io/multiclusterservice-controller',
  endpointSliceCollect: 'karmada.io/mcs-endpointslice-collect-controller',
  endpointSliceDispatch: 'karmada.io/mcs-endpointslice-dispatch-controller',
} as const;

/** Not one of Karmada's: on the RoleBinding by which an agent reaches its Works, until there are none left. */
export const AGENT_ACCESS_FINALIZER = 'kairship.io/agent-access';

export const NAMESPACES = {
  system: 'karmada-system',
  cluster: 'karmada-cluster',
  default: 'default',
  executionPrefix: 'karmada-es-',
} as const;

export const TAINTS = {
  notReady: 'cluster.karmada.io/not-ready',
  unreachable: 'cluster.karmada.io/unreachable',
  unschedulable: 'cluster.karmada.io/unschedulable',
} as const;

/** The keys of a Cluster's credential secrets. */
export const SECRET_KEYS = { token: 'token', caBundle: 'caBundle' } as const;

export const DEFAULT_SCHEDULER = 'default-scheduler';

/** Values of {@link ANNOTATIONS.conflictResolution}: lower case, unlike the field of the policy. */
export const CONFLICT = { overwrite: 'overwrite', abort: 'abort' } as const;

export const EVICTION = {
  reasonTaintUntolerated: 'TaintUntolerated',
  reasonApplicationFailure: 'ApplicationFailure',
  producerTaintManager: 'TaintManager',
} as const;

/** What Karmada adds to member objects, and takes off again when it lets one go. */
export const MANAGED_LABELS: readonly string[] = [LABELS.bindingId, LABELS.workId, LABELS.managed];
export const MANAGED_ANNOTATIONS: readonly string[] = [
  ANNOTATIONS.managedAnnotations,
  ANNOTATIONS.managedLabels,
  ANNOTATIONS.bindingNamespace,
  ANNOTATIONS.bindingName,
  ANNOTATIONS.templateUid,
  ANNOTATIONS.templateGeneration,
  ANNOTATIONS.workName,
  ANNOTATIONS.workNamespace,
];
