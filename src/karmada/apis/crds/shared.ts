/** The pieces that several kinds embed, each written once. */
import {
  anyObject,
  atomicList,
  boolean,
  type CrdSchema,
  described,
  having,
  int32,
  int64,
  integer,
  list,
  map,
  object,
  oneOf,
  type Properties,
  string,
  time,
} from '#kube/crds/schema.ts';

const QUANTITY =
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$';
const REASON = '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$';
export const CONDITION_TYPE =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$';

export const names = (description?: string) => list(string(), description);

export const quantity: CrdSchema = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  pattern: QUANTITY,
  'x-kubernetes-int-or-string': true,
};

export const resourceList = (description?: string) => map(quantity, description);

const requirement = object({ key: string(), operator: string(), values: atomicList(string()) }, ['key', 'operator']);

export const labelSelector = (description?: string): CrdSchema => ({
  ...object({ matchExpressions: atomicList(requirement), matchLabels: map(string()) }, [], description),
  'x-kubernetes-map-type': 'atomic',
});

export const fieldSelector = (description?: string) => object({ matchExpressions: list(requirement) }, [], description);

const nodeSelectorTerm: CrdSchema = {
  ...object({ matchExpressions: atomicList(requirement), matchFields: atomicList(requirement) }),
  'x-kubernetes-map-type': 'atomic',
};

const nodeSelector: CrdSchema = {
  ...object({ nodeSelectorTerms: atomicList(nodeSelectorTerm) }, ['nodeSelectorTerms']),
  'x-kubernetes-map-type': 'atomic',
};

export const toleration = object({
  key: string('The taint key tolerated; every key when empty, which needs the operator Exists.'),
  operator: string('Equal (default) compares the value, Exists does not look at it.'),
  value: string(),
  effect: string('NoSchedule, NoExecute, or empty for all effects.'),
  tolerationSeconds: int64('How long a NoExecute taint is tolerated; for ever when absent.'),
});

export const taint = object(
  {
    key: string(),
    value: string(),
    effect: string('NoSchedule, PreferNoSchedule or NoExecute.'),
    timeAdded: time('When the taint was added; NoExecute only.'),
  },
  ['effect', 'key'],
);

/** The fields of a ClusterAffinity, which are inlined in some kinds. */
export const clusterAffinityFields: Properties = {
  labelSelector: labelSelector('Labels of the clusters wanted.'),
  fieldSelector: fieldSelector('Provider, region and zone of the clusters wanted; operators In and NotIn.'),
  clusterNames: names('Names of the clusters wanted; all when empty.'),
  exclude: names('Names of clusters never to take, whatever the other fields say.'),
};

export const clusterAffinity = (description: string) => object(clusterAffinityFields, [], description);

export const resourceSelector = object(
  {
    apiVersion: string('The version of the templates, compared letter by letter.'),
    kind: string(),
    namespace: string("Where to look; the policy's own namespace when it has one."),
    name: string('One template. Makes the label selector moot.'),
    labelSelector: labelSelector('Labels of the templates wanted, when no name is given.'),
  },
  ['apiVersion', 'kind'],
);

export const condition = object(
  {
    type: having(string(), { maxLength: 316, pattern: CONDITION_TYPE }),
    status: oneOf(['True', 'False', 'Unknown']),
    reason: having(string(), { minLength: 1, maxLength: 1024, pattern: REASON }),
    message: having(string(), { maxLength: 32768 }),
    lastTransitionTime: time(),
    observedGeneration: having(int64(), { minimum: 0 }),
  },
  ['lastTransitionTime', 'message', 'reason', 'status', 'type'],
);

export const conditions = list(condition, 'What the controllers found, one entry per aspect.');

const purgeMode = (values: readonly string[]) =>
  having(oneOf(values, 'What happens to the copy left behind: Directly before, Gracefully after the new one runs.'), {
    default: 'Gracefully',
  });

const statePreservation = object(
  {
    rules: list(
      object(
        {
          aliasLabelName: string('The label that carries the value to the new cluster.'),
          jsonPath: string('Where in the status of the old copy the value is.'),
        },
        ['aliasLabelName', 'jsonPath'],
      ),
    ),
  },
  ['rules'],
  'Values of the failed copy to hand on to its successor.',
);

export const failover = object(
  {
    application: object(
      {
        decisionConditions: object(
          {
            tolerationSeconds: having(int32('How long it may be unhealthy before it is moved.'), { default: 300 }),
          },
          [],
          'When an application counts as failed.',
        ),
        purgeMode: purgeMode(['Directly', 'Gracefully', 'Never', 'Immediately', 'Graciously']),
        gracePeriodSeconds: int32('How long to wait for the new copy before the old one goes; with Gracefully only.'),
        statePreservation,
      },
      ['decisionConditions'],
      'Move an application that is unhealthy. Needs propagateDeps.',
    ),
    cluster: object(
      { purgeMode: purgeMode(['Directly', 'Gracefully']), statePreservation },
      [],
      'How to leave a cluster that failed.',
    ),
  },
  [],
  'How to react to failures.',
);

const suspensionFields: Properties = {
  dispatching: boolean('Hold back changes for all clusters.'),
  dispatchingOnClusters: object({ clusterNames: names() }, [], 'Hold back changes for some clusters.'),
};

export const suspension = object(suspensionFields, [], 'Stops changes from reaching clusters; what is there stays.');

export const bindingSuspension = object(
  { ...suspensionFields, scheduling: boolean('Hold back scheduling, for queues in front of the scheduler.') },
  [],
  'Stops the binding from being scheduled or dispatched.',
);

const overflowAffinity = object(
  { affinityName: having(string(), { minLength: 1, maxLength: 32 }), ...clusterAffinityFields },
  ['affinityName'],
);

const affinityTerm = object(
  {
    affinityName: having(string('The name of the group, unique in the placement.'), { minLength: 1, maxLength: 32 }),
    ...clusterAffinityFields,
    overflowAffinities: list(overflowAffinity, 'Tiers filled in order once the group itself is full.'),
  },
  ['affinityName'],
);

const spreadConstraint = object({
  spreadByField: oneOf(['cluster', 'region', 'zone', 'provider'], 'The property whose values make the groups.'),
  spreadByLabel: string('The cluster label whose values make the groups; instead of a field.'),
  minGroups: integer('At least so many groups, or it is not scheduled at all.'),
  maxGroups: integer('At most so many groups.'),
});

const replicaScheduling = object(
  {
    replicaSchedulingType: having(
      oneOf(['Duplicated', 'Divided'], 'Duplicated gives every cluster all replicas, Divided shares them out.'),
      { default: 'Divided' },
    ),
    replicaDivisionPreference: oneOf(
      ['Aggregated', 'Weighted'],
      'Aggregated uses as few clusters as hold the replicas, Weighted shares by weight.',
    ),
    weightPreference: object(
      {
        staticWeightList: list(
          object(
            {
              targetCluster: clusterAffinity('The clusters that have this weight.'),
              weight: having(int64(), { minimum: 1 }),
            },
            ['targetCluster', 'weight'],
          ),
          'Fixed weights; the greatest that matches a cluster counts, a cluster without one gets nothing.',
        ),
        dynamicWeight: oneOf(['AvailableReplicas'], 'Weights by what each cluster could still hold.'),
      },
      [],
      'Where the weights come from; all equal when absent.',
    ),
  },
  [],
  'How replicas are shared among the chosen clusters. Absent: every cluster gets all of them.',
);

const affinityGroup = (description: string) =>
  object(
    { groupByLabelKey: string('Workloads with the same value of this label are a group.') },
    ['groupByLabelKey'],
    description,
  );

export const placement = object(
  {
    clusterAffinity: clusterAffinity('The clusters that may be taken. Excludes clusterAffinities.'),
    clusterAffinities: list(affinityTerm, 'Groups of clusters, tried in order until one can take it.'),
    clusterTolerations: list(toleration, 'Taints of clusters to put up with.'),
    spreadConstraints: list(spreadConstraint, 'Over how many clusters, regions, zones or providers to spread.'),
    replicaScheduling,
    workloadAffinity: object(
      {
        affinity: affinityGroup('Be where the group is.'),
        antiAffinity: affinityGroup('Be where no other of the group is.'),
      },
      [],
      'Stay together with, or apart from, other workloads.',
    ),
  },
  [],
  'Which clusters, and how many replicas on each.',
);

const requirementsFields: Properties = {
  nodeClaim: object(
    { hardNodeAffinity: nodeSelector, nodeSelector: map(string()), tolerations: list(toleration) },
    [],
    'What a node must have for a replica.',
  ),
  resourceRequest: resourceList('What one replica needs.'),
  priorityClassName: string(),
};

export const componentRequirements = object(requirementsFields);
export const replicaRequirements = described(
  'What one replica needs, for estimating what clusters can hold.',
  object({ ...requirementsFields, namespace: string() }),
);

export const targetCluster = object(
  {
    name: string(),
    replicas: int32(),
    components: list(object({ name: string(), replicas: int32() }, ['name', 'replicas'])),
  },
  ['name'],
);

export const health = oneOf(['Healthy', 'Unhealthy', 'Unknown']);
export const memberStatus = anyObject('The status as the member reports it, cut to what is aggregated.');
