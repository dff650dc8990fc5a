/** Schemas of what the engine keeps its state in: bindings, Works and clusters. */
import { CLUSTER, CLUSTER_RESOURCE_BINDING, RESOURCE_BINDING, WORK } from '../resources.ts';
import { AGE, column, conditionPath } from '#kube/crds/definition.ts';
import { definition } from './definition.ts';
import {
  anyObject,
  boolean,
  having,
  int32,
  int64,
  integer,
  list,
  map,
  object,
  oneOf,
  string,
  time,
} from '#kube/crds/schema.ts';
import {
  bindingSuspension,
  componentRequirements,
  conditions,
  failover,
  health,
  memberStatus,
  names,
  placement,
  quantity,
  replicaRequirements,
  resourceList,
  taint,
  targetCluster,
} from './shared.ts';

const evictionTask = object(
  {
    fromCluster: string('The cluster to leave.'),
    purgeMode: oneOf(['Immediately', 'Directly', 'Graciously', 'Gracefully', 'Never']),
    replicas: int32('How many replicas ran there.'),
    reason: having(string(), { minLength: 1, maxLength: 32, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' }),
    message: having(string(), { maxLength: 1024 }),
    producer: string('Which controller asked for it.'),
    gracePeriodSeconds: int32(),
    suppressDeletion: boolean('Leave the copy where it is until this turns false.'),
    preservedLabelState: map(string()),
    creationTimestamp: time(),
    clustersBeforeFailover: names(),
  },
  ['fromCluster', 'producer', 'reason'],
);

const bindingSpec = object(
  {
    resource: object(
      {
        apiVersion: string(),
        kind: string(),
        namespace: string(),
        name: string(),
        uid: string(),
        resourceVersion: string(),
      },
      ['apiVersion', 'kind', 'name'],
      'The template.',
    ),
    propagateDeps: boolean(),
    replicaRequirements,
    replicas: int32('How many replicas the template asks for.'),
    components: list(
      object(
        {
          name: having(string(), { maxLength: 32 }),
          replicas: int32(),
          replicaRequirements: componentRequirements,
        },
        ['name', 'replicas'],
      ),
      'The pod templates of a workload that has several.',
    ),
    clusters: list(targetCluster, 'Where it runs: the answer of the scheduler.'),
    placement,
    gracefulEvictionTasks: list(evictionTask, 'Clusters being left.'),
    requiredBy: list(
      object({ namespace: string(), name: string(), clusters: list(targetCluster) }, ['name']),
      'Bindings whose templates need this one, and where they run.',
    ),
    schedulerName: string(),
    failover,
    conflictResolution: having(oneOf(['Abort', 'Overwrite']), { default: 'Abort' }),
    rescheduleTriggeredAt: time('Schedule afresh if this is later than the last scheduling.'),
    suspension: bindingSuspension,
    preserveResourcesOnDeletion: boolean(),
    schedulePriority: object({ priority: having(int32(), { default: 0 }) }),
    workloadAffinityGroups: object({ affinityGroup: string(), antiAffinityGroup: string() }),
  },
  ['resource'],
);

const bindingStatus = object({
  schedulerObservedGeneration: int64(),
  schedulerObservingAffinityName: string('The affinity group in use.'),
  lastScheduledTime: time(),
  conditions,
  aggregatedStatus: list(
    object({ clusterName: string(), status: memberStatus, applied: boolean(), appliedMessage: string(), health }, [
      'clusterName',
    ]),
    'How it is in each cluster.',
  ),
});

const bindingColumns = [
  column('SCHEDULED', conditionPath('Scheduled')),
  column('FULLYAPPLIED', conditionPath('FullyApplied')),
  AGE,
];

/** As it was before placements were part of it; `../binding-versions.ts` converts. */
const oldBinding = {
  version: 'v1alpha1',
  properties: {
    spec: object(
      {
        resource: object(
          {
            apiVersion: string(),
            kind: string(),
            namespace: string(),
            name: string(),
            resourceVersion: string(),
            resourcePerReplicas: resourceList('What each replica asks for.'),
            replicas: int32('How many replicas the template asks for.'),
          },
          ['apiVersion', 'kind', 'name'],
          'The template.',
        ),
        clusters: list(targetCluster, 'Where it runs: the answer of the scheduler.'),
      },
      ['resource'],
    ),
    status: object({
      conditions,
      aggregatedStatus: list(
        object({ clusterName: string(), status: memberStatus, applied: boolean(), appliedMessage: string() }, [
          'clusterName',
        ]),
        'How it is in each cluster.',
      ),
    }),
  },
};

export const resourceBindingCrd = definition({
  names: RESOURCE_BINDING,
  scope: 'Namespaced',
  shortName: 'rb',
  description: 'Binds one template to the clusters it runs on.',
  properties: { spec: bindingSpec, status: bindingStatus },
  columns: bindingColumns,
  hasStatus: true,
  olderVersions: [oldBinding],
});

export const clusterResourceBindingCrd = definition({
  names: CLUSTER_RESOURCE_BINDING,
  scope: 'Cluster',
  shortName: 'crb',
  description: 'Binds one cluster-scoped template to the clusters it is on.',
  properties: { spec: bindingSpec, status: bindingStatus },
  columns: bindingColumns,
  hasStatus: true,
  olderVersions: [oldBinding],
});

export const workCrd = definition({
  names: WORK,
  scope: 'Namespaced',
  shortName: 'wk',
  description: 'What one cluster is to hold; in the execution namespace of that cluster.',
  properties: {
    spec: object({
      workload: object({ manifests: list(anyObject(), 'The objects, as they are to be applied.') }),
      suspendDispatching: boolean('Keep changes from the cluster.'),
      preserveResourcesOnDeletion: boolean('Leave the objects in the cluster when this Work is deleted.'),
    }),
    status: object({
      conditions,
      manifestStatuses: list(
        object(
          {
            identifier: object(
              {
                ordinal: integer(),
                group: string(),
                version: string(),
                kind: string(),
                resource: string(),
                namespace: string(),
                name: string(),
              },
              ['kind', 'name', 'ordinal', 'resource', 'version'],
            ),
            status: memberStatus,
            health,
          },
          ['identifier'],
        ),
      ),
    }),
  },
  columns: [
    column('WORKLOAD-KIND', '.spec.workload.manifests[*].kind'),
    column('APPLIED', conditionPath('Applied')),
    AGE,
  ],
  hasStatus: true,
});

const secretRef = (description: string) =>
  object({ namespace: string(), name: string() }, ['name', 'namespace'], description);

const clusterSpec = object(
  {
    id: having(string("The uid of the cluster's kube-system namespace."), { maxLength: 128000 }),
    syncMode: oneOf(['Push', 'Pull'], 'Push: the control plane reaches the cluster. Pull: an agent there reaches us.'),
    apiEndpoint: string('Where its API server answers.'),
    secretRef: secretRef('The secret with token and caBundle.'),
    impersonatorSecretRef: secretRef('The secret with the token that may impersonate users.'),
    insecureSkipTLSVerification: boolean(),
    proxyURL: string(),
    proxyHeader: map(string()),
    provider: string('The cloud it is in.'),
    region: string(),
    zone: string('Deprecated: use zones.'),
    zones: names('The failure zones it spans.'),
    taints: list(taint, 'What keeps workloads away unless they tolerate it.'),
    resourceModels: list(
      object(
        {
          grade: integer(),
          ranges: list(object({ name: string(), min: quantity, max: quantity }, ['max', 'min', 'name'])),
        },
        ['grade', 'ranges'],
      ),
      'Grades of node sizes, by which free capacity is counted.',
    ),
  },
  ['syncMode'],
);

const clusterStatus = object({
  kubernetesVersion: string(),
  apiEnablements: list(
    object({ groupVersion: string(), resources: list(object({ name: string(), kind: string() }, ['kind', 'name'])) }, [
      'groupVersion',
    ]),
    'The APIs it serves.',
  ),
  conditions,
  nodeSummary: object({ totalNum: int32(), readyNum: int32() }),
  resourceSummary: object({
    allocatable: resourceList(),
    allocating: resourceList('Requested by pods that no node has taken yet.'),
    allocated: resourceList(),
    allocatableModelings: list(object({ grade: integer(), count: integer() }, ['count', 'grade'])),
  }),
  remedyActions: names(),
});

export const clusterCrd = definition({
  names: CLUSTER,
  scope: 'Cluster',
  category: undefined,
  description: 'A member cluster.',
  properties: { spec: clusterSpec, status: clusterStatus },
  columns: [
    column('Version', '.status.kubernetesVersion'),
    column('Mode', '.spec.syncMode'),
    column('Ready', conditionPath('Ready')),
    { ...AGE, name: 'Age' },
    { ...column('Zones', '.spec.zones'), priority: 1 },
    { ...column('Region', '.spec.region'), priority: 1 },
    { ...column('Provider', '.spec.provider'), priority: 1 },
    { ...column('API-Endpoint', '.spec.apiEndpoint'), priority: 1 },
    { ...column('Proxy-URL', '.spec.proxyURL'), priority: 1 },
  ],
  hasStatus: true,
});
