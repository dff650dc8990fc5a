/** Kinds the console knows by name; every other one is addressed as `resource.version.group`. */
export interface Kind {
  readonly kind: string;
  readonly apiVersion: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespaced: boolean;
}

function named(kind: string, apiVersion: string, resource: string, namespaced = true): Kind {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  return { kind, apiVersion, group: group ?? '', version: version ?? '', resource, namespaced };
}

export const DEPLOYMENT = named('Deployment', 'apps/v1', 'deployments');
export const STATEFUL_SET = named('StatefulSet', 'apps/v1', 'statefulsets');
export const DAEMON_SET = named('DaemonSet', 'apps/v1', 'daemonsets');
export const JOB = named('Job', 'batch/v1', 'jobs');
export const CRON_JOB = named('CronJob', 'batch/v1', 'cronjobs');
export const WORKLOADS: readonly Kind[] = [DEPLOYMENT, STATEFUL_SET, DAEMON_SET, JOB, CRON_JOB];

export const CLUSTER = named('Cluster', 'cluster.karmada.io/v1alpha1', 'clusters', false);
export const BINDING = named('ResourceBinding', 'work.karmada.io/v1alpha2', 'resourcebindings');
export const PROPAGATION = named('PropagationPolicy', 'policy.karmada.io/v1alpha1', 'propagationpolicies');
export const CLUSTER_PROPAGATION = named(
  'ClusterPropagationPolicy',
  'policy.karmada.io/v1alpha1',
  'clusterpropagationpolicies',
  false,
);
export const OVERRIDE = named('OverridePolicy', 'policy.karmada.io/v1alpha1', 'overridepolicies');
export const CLUSTER_OVERRIDE = named(
  'ClusterOverridePolicy',
  'policy.karmada.io/v1alpha1',
  'clusteroverridepolicies',
  false,
);
export const POLICIES: readonly Kind[] = [PROPAGATION, CLUSTER_PROPAGATION, OVERRIDE, CLUSTER_OVERRIDE];

export const CLUSTER_BINDING = named(
  'ClusterResourceBinding',
  'work.karmada.io/v1alpha2',
  'clusterresourcebindings',
  false,
);
export const WORK = named('Work', 'work.karmada.io/v1alpha1', 'works');
export const CUSTOMIZATION = named(
  'ResourceInterpreterCustomization',
  'config.karmada.io/v1alpha1',
  'resourceinterpretercustomizations',
  false,
);

export const NAMESPACE = named('Namespace', 'v1', 'namespaces', false);
export const SERVICE = named('Service', 'v1', 'services');
export const INGRESS = named('Ingress', 'networking.k8s.io/v1', 'ingresses');
export const CONFIG_MAP = named('ConfigMap', 'v1', 'configmaps');
export const SECRET = named('Secret', 'v1', 'secrets');
export const CLAIM = named('PersistentVolumeClaim', 'v1', 'persistentvolumeclaims');
export const STORAGE_CLASS = named('StorageClass', 'storage.k8s.io/v1', 'storageclasses', false);
export const DEFINITION = named(
  'CustomResourceDefinition',
  'apiextensions.k8s.io/v1',
  'customresourcedefinitions',
  false,
);
/** What the pages of resources begin with; every other kind is found through its definition. */
export const RESOURCES: readonly Kind[] = [
  NAMESPACE,
  SERVICE,
  INGRESS,
  CONFIG_MAP,
  SECRET,
  CLAIM,
  STORAGE_CLASS,
  DEFINITION,
];

export const FEDERATED_HPA = named('FederatedHPA', 'autoscaling.karmada.io/v1alpha1', 'federatedhpas');
export const CRON_FEDERATED_HPA = named('CronFederatedHPA', 'autoscaling.karmada.io/v1alpha1', 'cronfederatedhpas');
export const HPA = named('HorizontalPodAutoscaler', 'autoscaling/v2', 'horizontalpodautoscalers');
export const SCALERS: readonly Kind[] = [FEDERATED_HPA, CRON_FEDERATED_HPA, HPA];

const ENGINE: readonly Kind[] = [BINDING, CLUSTER_BINDING, WORK, CUSTOMIZATION];

const KNOWN: ReadonlyMap<string, Kind> = new Map(
  [...WORKLOADS, ...POLICIES, ...RESOURCES, ...SCALERS, ...ENGINE].map((kind) => [kind.kind, kind]),
);

/** The kind behind its word in an address: `Deployment`, or `crontabs.v1.example.io`. */
export function kindOf(word: string): Kind | undefined {
  const known = KNOWN.get(word);
  if (known) return known;
  const [resource, version, ...group] = word.split('.');
  if (!resource || !version) return undefined;
  const apiVersion = group.length > 0 ? `${group.join('.')}/${version}` : version;
  return named(resource, apiVersion, resource);
}

/** The word for a kind in an address, the other way round. */
export function wordFor(kind: Kind): string {
  return KNOWN.has(kind.kind) && KNOWN.get(kind.kind)?.group === kind.group
    ? kind.kind
    : [kind.resource, kind.version, kind.group].filter(Boolean).join('.');
}

/** Of an object or a reference, whose resource is not told: only kinds that are known have an address by that. */
export function kindNamed(apiVersion: string, kind: string): Kind | undefined {
  const known = KNOWN.get(kind);
  return known?.apiVersion === apiVersion ? known : undefined;
}
