/**
 * What Kairship can do, as permission points: which operations each one opens, and how far it reaches.
 *
 * Registered in the global cluster as a `Product`; roles name tiers (`view`, `edit`, `manage`) or single points. Every
 * operation of the API has exactly one point, which a test holds against the proto files. Where an operation names a
 * namespace the right is asked for there; lists show what the caller may see.
 */
import type { PermissionPoint, ProductSpec, Tier } from '#ghippo/apis/kinds.ts';
import { type Permission, permission } from '#ghippo/apis/permission.ts';
import type { ScopeType } from '#ghippo/apis/scope.ts';

export const KAIRSHIP_PRODUCT = 'kairship';

/** `Instance/GetInstance` of the published API is `kairship.api.instance.v1alpha1.InstanceService/GetInstance`. */
export function operationName(short: string): string {
  const [service = '', rpc = ''] = short.split('/');
  return `kairship.api.${service.toLowerCase()}.v1alpha1.${service}Service/${rpc}`;
}

interface Actions {
  readonly [action: string]: readonly [tier: Tier, ...operations: readonly string[]];
}

function points(resourceType: string, scope: ScopeType, actions: Actions): PermissionPoint[] {
  return Object.entries(actions).map(([action, [tier, ...operations]]) => ({
    resourceType,
    action,
    tier,
    scope,
    operations: operations.flatMap((line) => line.split(' ')).map(operationName),
    ...neededFor(resourceType, action, actions),
  }));
}

/** What cannot be found cannot be looked at, and what cannot be looked at cannot be changed. */
function neededFor(resourceType: string, action: string, actions: Actions): Pick<PermissionPoint, 'dependsOn'> {
  const needed = action === 'list' ? undefined : ['get', 'list'].find((one) => one !== action && one in actions);
  return needed === undefined ? {} : { dependsOn: [`${resourceType}/${needed}`] };
}

/** The operations of one service: `of('Apps', 'GetDeployment', 'PatchDeployment')`. */
function of(service: string, ...rpcs: readonly string[]): string {
  return rpcs
    .flatMap((line) => line.split(' '))
    .map((rpc) => `${service}/${rpc}`)
    .join(' ');
}

/** Get, create, update and delete of a kind as the published API names them. */
const reads = (service: string, ...kinds: readonly string[]) =>
  of(service, ...kinds.flatMap((kind) => [`Get${kind}`, `Get${kind}JSON`]));
const creates = (service: string, ...kinds: readonly string[]) => of(service, ...kinds.map((kind) => `Create${kind}`));
const deletes = (service: string, ...kinds: readonly string[]) => of(service, ...kinds.map((kind) => `Delete${kind}`));
const patches = (service: string, ...kinds: readonly string[]) => of(service, ...kinds.map((kind) => `Patch${kind}`));
const updates = (service: string, ...kinds: readonly string[]) => of(service, ...kinds.map((kind) => `Update${kind}`));

const instance = [
  ...points('instance', 'Instance', {
    list: ['view', of('Instance', 'ListInstances')],
    get: [
      'view',
      of(
        'Instance',
        'GetInstance GetInstanceJSON GetInstanceFailover GetInstanceDescheduler GetInstanceMetricsAdapter ListInstanceComponents',
        'ListInstanceBackups GetInstanceBackup',
      ),
    ],
    // It carries the caller's own rights and no more.
    kubeconfig: ['view', of('Instance', 'CreateInstanceAdminKubeConfig')],
    shell: ['view', of('CloudShell', 'CreateCloudShell GetCloudShell DeleteCloudShell RunInCloudShell')],
    metrics: ['view', of('Insight', 'QueryMetric QueryRangeMetric DetectInsight')],
    update: [
      'manage',
      of(
        'Instance',
        'UpdateInstance UpdateInstanceFailover UpdateInstanceDescheduler UpdateInstanceMetricsAdapter UpgradeInstance',
      ),
    ],
    backup: ['manage', of('Instance', 'CreateInstanceBackup DeleteInstanceBackup')],
    restore: ['manage', of('Instance', 'RestoreInstance')],
    delete: ['manage', of('Instance', 'DeleteInstance')],
  }),
  ...points('instance', 'Platform', {
    config: ['view', of('Instance', 'GetInstanceKarmadaConfig')],
    create: ['manage', of('Instance', 'CreateInstance')],
  }),
  ...points('cluster', 'Instance', {
    list: ['view', of('Cluster', 'ListJoinedClusters ListClustersLabels ListClustersLocationSummary')],
    candidates: ['manage', of('Cluster', 'ListClusters')],
    join: ['manage', of('Cluster', 'JoinCluster CheckJoin CreateAgentToken')],
    update: ['manage', of('Cluster', 'UpdateJoinedCluster')],
    remove: ['manage', of('Cluster', 'RemoveJoinedCluster CheckRemoval')],
  }),
];

const POD_SETS = ['StatefulSet', 'DaemonSet'] as const;

const workloads = [
  ...points('workload', 'Namespace', {
    list: [
      'view',
      of(
        'Apps',
        'ListInstanceDeployments ListDeployments ListMemberClusterAllDeployments ListMemberClusterDeployments',
        'ListInstanceStatefulSets ListStatefulSets ListInstanceDaemonSets ListDaemonSets',
      ),
      of('Batch', 'ListInstanceCronJobs ListCronJobs ListInstanceJobs ListJobs ListJobsByCronJobsName'),
    ],
    get: [
      'view',
      reads('Apps', 'Deployment', ...POD_SETS),
      reads('Batch', 'CronJob', 'Job'),
      of('Workload', 'ListWorkloadRevisions'),
    ],
    create: ['edit', creates('Apps', 'Deployment', ...POD_SETS), creates('Batch', 'CronJob', 'Job')],
    update: [
      'edit',
      of('Apps', 'UpdateDeployment PatchDeployment PauseDeployment ResumeDeployment RestartDeployment'),
      updates('Apps', ...POD_SETS),
      patches('Apps', ...POD_SETS),
      of('Batch', 'UpdateCronJob PauseCronJob ResumeCronJob RestartJob'),
      of('Workload', 'ScaleWorkload RestartWorkload PauseWorkload ResumeWorkload RollbackWorkload'),
    ],
    delete: ['edit', deletes('Apps', 'Deployment', ...POD_SETS), deletes('Batch', 'CronJob', 'Job')],
    promote: [
      'edit',
      of('Apps', 'PromoteMemberClusterDeployment PromoteMemberClusterStatefulSet PromoteMemberClusterDaemonSet'),
    ],
  }),
  ...points('scaling', 'Namespace', {
    list: ['view', of('Autoscaling', 'ListInstanceFederatedHPAs ListFederatedHPAs')],
    get: ['view', reads('Autoscaling', 'FederatedHPA')],
    create: ['edit', creates('Autoscaling', 'FederatedHPA')],
    update: ['edit', updates('Autoscaling', 'FederatedHPA')],
    delete: ['edit', deletes('Autoscaling', 'FederatedHPA')],
  }),
  ...points('aggregation', 'Namespace', { create: ['edit', of('Aggregation', 'CreateAggregationResource')] }),
  ...points('aggregation', 'Instance', {
    'create-cluster': ['edit', of('Aggregation', 'CreateClusterAggregationResource')],
  }),
];

const POLICIES = ['PropagationPolicy', 'OverridePolicy'] as const;
const CLUSTER_POLICIES = ['ClusterPropagationPolicy', 'ClusterOverridePolicy'] as const;

const policies = [
  ...points('policy', 'Namespace', {
    list: [
      'view',
      of(
        'Policy',
        'ListInstancePropagationPolicies ListPropagationPolicies ListInstanceOverridePolicies ListOverridePolicies',
      ),
    ],
    get: ['view', reads('Policy', ...POLICIES)],
    create: ['edit', creates('Policy', ...POLICIES)],
    update: ['edit', updates('Policy', ...POLICIES)],
    delete: ['edit', deletes('Policy', ...POLICIES)],
  }),
  ...points('cluster-policy', 'Instance', {
    list: ['view', of('Policy', 'ListClusterPropagationPolicies ListClusterOverridePolicies')],
    get: ['view', reads('Policy', ...CLUSTER_POLICIES)],
    create: ['edit', creates('Policy', ...CLUSTER_POLICIES)],
    update: ['edit', updates('Policy', ...CLUSTER_POLICIES)],
    delete: ['edit', deletes('Policy', ...CLUSTER_POLICIES)],
  }),
];

const resources = [
  ...points('namespace', 'Namespace', {
    list: ['view', of('Core', 'ListNamespaces ListNamespaceSummary ListMemberClusterNamespaceSummary')],
    get: ['view', reads('Core', 'Namespace')],
    update: ['edit', of('Core', 'UpdateNamespace PatchNamespace')],
  }),
  ...points('namespace', 'Instance', {
    create: ['edit', creates('Core', 'Namespace')],
    delete: ['edit', deletes('Core', 'Namespace')],
  }),
  ...points('network', 'Namespace', {
    list: [
      'view',
      of('Core', 'ListInstanceServices ListServices ListMemberClusterAllServices ListMemberClusterServices'),
      of('Core', 'ListServicesForMemberCluster'),
      of('Networking', 'ListInstanceIngresses ListIngresses ListMemberClusterAllIngresses ListMemberClusterIngresses'),
      of('Networking', 'ListIngressClassForMemberCluster'),
    ],
    get: ['view', reads('Core', 'Service'), reads('Networking', 'Ingress')],
    create: ['edit', creates('Core', 'Service', 'WorkloadService'), creates('Networking', 'Ingress')],
    update: ['edit', of('Core', 'UpdateService PatchService'), of('Networking', 'UpdateIngress PatchIngress')],
    delete: ['edit', deletes('Core', 'Service'), deletes('Networking', 'Ingress')],
    promote: ['edit', of('Core', 'PromoteMemberClusterService'), of('Networking', 'PromoteMemberClusterIngress')],
  }),
  ...points('config', 'Namespace', {
    list: ['view', of('Core', 'ListInstanceConfigMaps ListConfigMaps')],
    get: ['view', reads('Core', 'ConfigMap')],
    create: ['edit', creates('Core', 'ConfigMap')],
    update: ['edit', of('Core', 'UpdateConfigMap PatchConfigMap')],
    delete: ['edit', deletes('Core', 'ConfigMap')],
    promote: ['edit', of('Core', 'PromoteMemberClusterConfigMap')],
  }),
  // Lists show no values; whoever reads one reads what it keeps secret.
  ...points('secret', 'Namespace', {
    list: ['view', of('Core', 'ListInstanceSecrets ListSecrets ListSecretsForMemberCluster')],
    get: ['edit', reads('Core', 'Secret')],
    create: ['edit', creates('Core', 'Secret')],
    update: ['edit', of('Core', 'UpdateSecret PatchSecret')],
    delete: ['edit', deletes('Core', 'Secret')],
    promote: ['edit', of('Core', 'PromoteMemberClusterSecret')],
  }),
  ...points('storage', 'Namespace', {
    list: ['view', of('Core', 'ListInstancePersistentVolumeClaims ListPersistentVolumeClaims')],
    get: ['view', reads('Core', 'PersistentVolumeClaim')],
    create: ['edit', creates('Core', 'PersistentVolumeClaim')],
    update: ['edit', updates('Core', 'PersistentVolumeClaim'), patches('Core', 'PersistentVolumeClaim')],
    delete: ['edit', deletes('Core', 'PersistentVolumeClaim')],
  }),
  ...points('pod', 'Namespace', {
    list: ['view', of('Core', 'ListPodsForMemberCluster')],
    logs: ['view', of('Workload', 'WatchLogs')],
    exec: ['edit', of('Workload', 'RunCommand')],
  }),
  ...points('event', 'Namespace', {
    list: ['view', of('Core', 'ListInstanceEvents ListEvents ListInstanceEventKinds ListMemberEvents')],
  }),
  ...points('image', 'Namespace', {
    list: ['view', of('Image', 'ListRegistries ListProjects ListRepositories ListArtifacts')],
  }),
  ...points('image', 'Platform', { detect: ['view', of('Image', 'DetectKangaroo')] }),
];

const custom = [
  ...points('custom-resource-definition', 'Instance', {
    list: ['view', of('Apiextensions', 'ListCustomResourceDefinitions ListCustomResourceDefinitionGroups')],
    get: ['view', reads('Apiextensions', 'CustomResourceDefinition')],
    create: ['manage', creates('Apiextensions', 'CustomResourceDefinition')],
    update: ['manage', updates('Apiextensions', 'CustomResourceDefinition')],
    delete: ['manage', deletes('Apiextensions', 'CustomResourceDefinition')],
  }),
  ...points('custom-resource', 'Namespace', {
    list: ['view', of('Apiextensions', 'ListCustomResources')],
    get: ['view', reads('Apiextensions', 'CustomResource')],
    create: ['edit', creates('Apiextensions', 'CustomResource')],
    update: ['edit', of('Apiextensions', 'UpdateCustomResource PatchCustomResource')],
    delete: ['edit', deletes('Apiextensions', 'CustomResource')],
  }),
  ...points('cluster-custom-resource', 'Instance', {
    list: ['view', of('Apiextensions', 'ListClusterCustomResources')],
    get: ['view', reads('Apiextensions', 'ClusterCustomResource')],
    create: ['edit', creates('Apiextensions', 'ClusterCustomResource')],
    update: ['edit', updates('Apiextensions', 'ClusterCustomResource')],
    delete: ['edit', deletes('Apiextensions', 'ClusterCustomResource')],
  }),
];

const workspaces = [
  ...points('workspace-resource', 'Instance', {
    list: ['view', of('Workspace', 'ListInstances ListNamespaceInstances ListWorkspaces')],
    bind: ['manage', of('Workspace', 'BindInstances')],
  }),
  ...points('workspace-resource', 'Namespace', {
    'bind-namespace': ['manage', of('Workspace', 'BindNamespaceInstances')],
  }),
];

/** What no other platform tells: why, what if, how far, and what is not as it was written. */
const insight = [
  ...points('placement', 'Namespace', {
    explain: ['view', of('Placement', 'Explain ListDecisions')],
    // It writes nothing, and shows only what its caller may see.
    simulate: ['view', of('Placement', 'Simulate')],
  }),
  ...points('interpreter', 'Instance', { try: ['view', of('Interpreter', 'Interpret')] }),
  ...points('trace', 'Namespace', {
    list: ['view', of('Trace', 'ListTraces')],
    get: ['view', of('Trace', 'GetTrace WatchTrace')],
  }),
  ...points('drift', 'Namespace', {
    list: ['view', of('Drift', 'ListDrift')],
    get: ['view', of('Drift', 'GetDrift')],
    resolve: ['edit', of('Drift', 'ResolveDrift')],
  }),
  ...points('object', 'Namespace', {
    search: ['view', of('Search', 'Search')],
    watch: ['view', of('Watch', 'WatchObjects')],
  }),
  ...points('instance', 'Instance', { watch: ['view', of('Watch', 'WatchInstances')] }),
];

export const kairshipProduct: ProductSpec = {
  displayName: 'Multicloud management',
  resourceTypes: [
    { name: 'Kairship', displayName: 'Multicloud instance', bindable: true },
    { name: 'Kairship-Namespace', displayName: 'Multicloud namespace', bindable: true },
  ],
  permissions: [...instance, ...workloads, ...policies, ...resources, ...custom, ...workspaces, ...insight],
};

/** A point of Kairship by its short name: `workload/create`. */
export function kairshipPermission(resourceType: string, action: string): Permission {
  return permission(KAIRSHIP_PRODUCT, resourceType, action);
}
