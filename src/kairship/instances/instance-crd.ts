/** What the global cluster knows of an `Instance`. */
import {
  AGE,
  anyObject,
  boolean,
  type CrdSchema,
  column,
  type CustomResourceDefinition,
  definition,
  having,
  integer,
  kindNames,
  list,
  map,
  object,
  oneOf,
  string,
  time,
} from '#kube/crds/index.ts';

const secretRef = object({ namespace: string(), name: string() }, ['namespace', 'name'], 'A Secret.');
const seconds = (description: string): CrdSchema =>
  having(integer(`${description}, in seconds.`), { minimum: 0, maximum: 999_999_999 });
const switchedOn = having(boolean(), { enum: [true] } as unknown as CrdSchema);

const storage = rules(
  object(
    {
      type: oneOf(['emptyDir', 'hostPath', 'pvc', 'external'], 'What kind of storage.'),
      path: string('The folder of hostPath.'),
      size: string('The size of a claim.'),
      storageClass: string('The class of a claim.'),
      endpoints: list(string(), 'The addresses of an external etcd.'),
      secretRef,
    },
    ['type'],
    'Where the control plane keeps its data.',
  ),
  ["self.type != 'hostPath' || has(self.path)", 'hostPath needs a path'],
  ["self.type != 'pvc' || has(self.size)", 'pvc needs a size'],
  [
    "self.type != 'external' || (has(self.endpoints) && size(self.endpoints) > 0 && has(self.secretRef))",
    'external needs endpoints and secretRef',
  ],
);

const failover = object(
  {
    enabled: boolean('Whether work moves away from lost clusters.'),
    clusterSuccessThreshold: seconds('How long a cluster must be well to count as recovered'),
    clusterFailureThreshold: seconds('How long a cluster must be ill to count as lost'),
    clusterStartupGracePeriod: seconds('How long a new cluster may stay silent'),
    clusterMonitorPeriod: seconds('How often clusters are looked at'),
    clusterMonitorGracePeriod: seconds('How long a known cluster may stay silent'),
    gracefulEvictionTimeout: seconds('How long what is evicted may stay at most'),
    failoverEvictionTimeout: seconds('How long what runs in a lost cluster is left there'),
  },
  [],
  'When clusters count as lost, and what happens then.',
);

const descheduler = object(
  {
    enabled: switchedOn,
    deschedulingInterval: seconds('How often it looks'),
    unschedulableThreshold: seconds('How long a pod must wait to count as unschedulable'),
  },
  [],
  'Moves replicas that cannot start.',
);

const spec = rules(
  object(
    {
      alias: having(string('The name people see.'), { maxLength: 60 }),
      mode: oneOf(['embedded', 'operator', 'external'], 'Who runs the control plane.'),
      secretRef,
      releaseOnDelete: boolean('Whether the control plane goes with the instance; true if absent.'),
      karmadaVersion: string('The version of Karmada.'),
      hostCluster: anyObject('The cluster the control plane runs in.'),
      storage,
      featureGates: map(boolean()),
      failover,
      descheduler,
      metricsAdapter: object({ enabled: switchedOn }, [], 'Metrics of all members in one place.'),
      suspend: boolean('Whether changes wait.'),
      karmada: anyObject('More of the community Karmada resource, carried along as it is.'),
      karmadaDeployment: anyObject('More of a KarmadaDeployment this was made from, carried along as it is.'),
    },
    ['mode'],
    'What the control plane shall be.',
  ),
  ['self.mode == oldSelf.mode', 'who runs an instance cannot be changed'],
  ["self.mode != 'external' || has(self.secretRef)", 'an external instance needs secretRef'],
);

const condition = object({
  type: string(),
  status: string(),
  reason: string(),
  message: string(),
  observedGeneration: integer(),
  lastTransitionTime: time(),
});

const status = object(
  {
    state: oneOf(['INPROCESS', 'RUNNING', 'UNAVAILABLE', 'UNKNOWN', 'TERMINAL'], 'What the control plane is doing.'),
    endpoint: string('The address of its API server.'),
    secretRef,
    karmadaVersion: string('The version of Karmada that runs.'),
    kubernetesVersion: string('The version of Kubernetes its API speaks.'),
    observedGeneration: integer(),
    summary: anyObject('What the control plane holds.'),
    conditions: list(condition),
  },
  [],
  'How the control plane is.',
);

export const instanceCrd: CustomResourceDefinition = definition({
  names: kindNames('kairship.io', 'v1alpha1', 'Instance', 'instances'),
  scope: 'Cluster',
  category: 'kairship',
  description: 'A multi-cloud control plane.',
  properties: { spec, status },
  columns: [
    column('Mode', '.spec.mode'),
    column('State', '.status.state'),
    column('Version', '.status.karmadaVersion'),
    { ...column('Endpoint', '.status.endpoint'), priority: 1 },
    AGE,
  ],
  hasStatus: true,
});

/** The schema with rules that look at several fields at once. */
function rules(schema: CrdSchema, ...all: readonly (readonly [rule: string, message: string])[]): CrdSchema {
  const validations = all.map(([rule, message]) => ({ rule, message }));
  return { ...schema, 'x-kubernetes-validations': validations } as CrdSchema;
}
