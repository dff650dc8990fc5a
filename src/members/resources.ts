import type { Gvr } from '#kube/meta/gvk.ts';

const core = (resource: string): Gvr => ({ group: '', version: 'v1', resource });
const apps = (resource: string): Gvr => ({ group: 'apps', version: 'v1', resource });
const batch = (resource: string): Gvr => ({ group: 'batch', version: 'v1', resource });

/** The resources a simulated cluster's controllers work on. */
export const NODES = core('nodes');
export const PODS = core('pods');
export const CONFIG_MAPS = core('configmaps');
export const SECRETS = core('secrets');
export const SERVICE_ACCOUNTS = core('serviceaccounts');
export const SERVICES = core('services');
export const ENDPOINTS = core('endpoints');
export const NAMESPACES = core('namespaces');
export const REPLICATION_CONTROLLERS = core('replicationcontrollers');
export const PERSISTENT_VOLUMES = core('persistentvolumes');
export const PERSISTENT_VOLUME_CLAIMS = core('persistentvolumeclaims');
export const REPLICA_SETS = apps('replicasets');
export const DEPLOYMENTS = apps('deployments');
export const STATEFUL_SETS = apps('statefulsets');
export const DAEMON_SETS = apps('daemonsets');
export const CONTROLLER_REVISIONS = apps('controllerrevisions');
export const JOBS = batch('jobs');
export const CRON_JOBS = batch('cronjobs');
export const LEASES: Gvr = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
export const ENDPOINT_SLICES: Gvr = { group: 'discovery.k8s.io', version: 'v1', resource: 'endpointslices' };
export const INGRESSES: Gvr = { group: 'networking.k8s.io', version: 'v1', resource: 'ingresses' };
export const INGRESS_CLASSES: Gvr = { group: 'networking.k8s.io', version: 'v1', resource: 'ingressclasses' };
export const STORAGE_CLASSES: Gvr = { group: 'storage.k8s.io', version: 'v1', resource: 'storageclasses' };
export const PRIORITY_CLASSES: Gvr = { group: 'scheduling.k8s.io', version: 'v1', resource: 'priorityclasses' };
export const DISRUPTION_BUDGETS: Gvr = { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' };
export const AUTOSCALERS: Gvr = { group: 'autoscaling', version: 'v2', resource: 'horizontalpodautoscalers' };
