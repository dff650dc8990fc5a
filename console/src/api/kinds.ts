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

const KNOWN: ReadonlyMap<string, Kind> = new Map([...WORKLOADS, ...POLICIES].map((kind) => [kind.kind, kind]));

/** The kind behind its word in an address: `Deployment`, or `crontabs.v1.example.io`. */
export function kindOf(word: string): Kind | undefined {
  const known = KNOWN.get(word);
  if (known) return known;
  const [resource, version, ...group] = word.split('.');
  if (!resource || !version) return undefined;
  const apiVersion = group.length > 0 ? `${group.join('.')}/${version}` : version;
  return named(resource, apiVersion, resource);
}
