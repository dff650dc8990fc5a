/** Groups, kinds and resources of Karmada, as they stand in URLs and objects. */
import { kindNames } from '#kube/crds/kind-names.ts';

export type { KindNames } from '#kube/crds/kind-names.ts';

export const POLICY_GROUP = 'policy.karmada.io';
export const WORK_GROUP = 'work.karmada.io';
export const CLUSTER_GROUP = 'cluster.karmada.io';
export const CONFIG_GROUP = 'config.karmada.io';
export const AUTOSCALING_GROUP = 'autoscaling.karmada.io';
export const NETWORKING_GROUP = 'networking.karmada.io';
export const APPS_GROUP = 'apps.karmada.io';
export const REMEDY_GROUP = 'remedy.karmada.io';
export const SEARCH_GROUP = 'search.karmada.io';
export const MULTICLUSTER_GROUP = 'multicluster.x-k8s.io';

export const PROPAGATION_POLICY = kindNames(POLICY_GROUP, 'v1alpha1', 'PropagationPolicy', 'propagationpolicies');
export const CLUSTER_PROPAGATION_POLICY = kindNames(
  POLICY_GROUP,
  'v1alpha1',
  'ClusterPropagationPolicy',
  'clusterpropagationpolicies',
);
export const OVERRIDE_POLICY = kindNames(POLICY_GROUP, 'v1alpha1', 'OverridePolicy', 'overridepolicies');
export const CLUSTER_OVERRIDE_POLICY = kindNames(
  POLICY_GROUP,
  'v1alpha1',
  'ClusterOverridePolicy',
  'clusteroverridepolicies',
);
export const FEDERATED_RESOURCE_QUOTA = kindNames(
  POLICY_GROUP,
  'v1alpha1',
  'FederatedResourceQuota',
  'federatedresourcequotas',
);
export const CLUSTER_TAINT_POLICY = kindNames(POLICY_GROUP, 'v1alpha1', 'ClusterTaintPolicy', 'clustertaintpolicies');

export const RESOURCE_BINDING = kindNames(WORK_GROUP, 'v1alpha2', 'ResourceBinding', 'resourcebindings');
export const CLUSTER_RESOURCE_BINDING = kindNames(
  WORK_GROUP,
  'v1alpha2',
  'ClusterResourceBinding',
  'clusterresourcebindings',
);
export const WORK = kindNames(WORK_GROUP, 'v1alpha1', 'Work', 'works');

export const CLUSTER = kindNames(CLUSTER_GROUP, 'v1alpha1', 'Cluster', 'clusters');

export const RESOURCE_INTERPRETER_CUSTOMIZATION = kindNames(
  CONFIG_GROUP,
  'v1alpha1',
  'ResourceInterpreterCustomization',
  'resourceinterpretercustomizations',
);
export const RESOURCE_INTERPRETER_WEBHOOK_CONFIGURATION = kindNames(
  CONFIG_GROUP,
  'v1alpha1',
  'ResourceInterpreterWebhookConfiguration',
  'resourceinterpreterwebhookconfigurations',
);
export const FEDERATED_HPA = kindNames(AUTOSCALING_GROUP, 'v1alpha1', 'FederatedHPA', 'federatedhpas');
export const CRON_FEDERATED_HPA = kindNames(AUTOSCALING_GROUP, 'v1alpha1', 'CronFederatedHPA', 'cronfederatedhpas');
export const MULTI_CLUSTER_SERVICE = kindNames(
  NETWORKING_GROUP,
  'v1alpha1',
  'MultiClusterService',
  'multiclusterservices',
);
export const MULTI_CLUSTER_INGRESS = kindNames(
  NETWORKING_GROUP,
  'v1alpha1',
  'MultiClusterIngress',
  'multiclusteringresses',
);
export const WORKLOAD_REBALANCER = kindNames(APPS_GROUP, 'v1alpha1', 'WorkloadRebalancer', 'workloadrebalancers');
export const REMEDY = kindNames(REMEDY_GROUP, 'v1alpha1', 'Remedy', 'remedies');
export const RESOURCE_REGISTRY = kindNames(SEARCH_GROUP, 'v1alpha1', 'ResourceRegistry', 'resourceregistries');
export const SERVICE_EXPORT = kindNames(MULTICLUSTER_GROUP, 'v1alpha1', 'ServiceExport', 'serviceexports');
export const SERVICE_IMPORT = kindNames(MULTICLUSTER_GROUP, 'v1alpha1', 'ServiceImport', 'serviceimports');
