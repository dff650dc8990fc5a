/** The kinds the services read and write, each as its kind and its path name it. */
import { type KindNames, kindNames } from '#kube/crds/kind-names.ts';

const core = (kind: string, resource: string): KindNames => ({
  ...kindNames('', 'v1', kind, resource),
  apiVersion: 'v1',
});

export const DEPLOYMENT = kindNames('apps', 'v1', 'Deployment', 'deployments');
export const STATEFUL_SET = kindNames('apps', 'v1', 'StatefulSet', 'statefulsets');
export const DAEMON_SET = kindNames('apps', 'v1', 'DaemonSet', 'daemonsets');
export const REPLICA_SET = kindNames('apps', 'v1', 'ReplicaSet', 'replicasets');
export const JOB = kindNames('batch', 'v1', 'Job', 'jobs');
export const CRON_JOB = kindNames('batch', 'v1', 'CronJob', 'cronjobs');
export const NAMESPACE = core('Namespace', 'namespaces');
export const SERVICE = core('Service', 'services');
export const CONFIG_MAP = core('ConfigMap', 'configmaps');
export const SECRET = core('Secret', 'secrets');
export const POD = core('Pod', 'pods');
export const EVENT = core('Event', 'events');
export const PERSISTENT_VOLUME_CLAIM = core('PersistentVolumeClaim', 'persistentvolumeclaims');
export const INGRESS = kindNames('networking.k8s.io', 'v1', 'Ingress', 'ingresses');
export const INGRESS_CLASS = kindNames('networking.k8s.io', 'v1', 'IngressClass', 'ingressclasses');
export const CUSTOM_RESOURCE_DEFINITION = kindNames(
  'apiextensions.k8s.io',
  'v1',
  'CustomResourceDefinition',
  'customresourcedefinitions',
);
