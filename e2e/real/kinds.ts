/** The kinds that scenarios are about, and which scenario an object belongs to. */
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';

const gvr = (group: string, version: string, ...resources: readonly string[]): readonly Gvr[] =>
  resources.map((resource) => ({ group, version, resource }));

const TEMPLATES = [
  ...gvr('', 'v1', 'configmaps', 'secrets', 'services', 'serviceaccounts', 'namespaces'),
  ...gvr('apps', 'v1', 'deployments', 'statefulsets', 'daemonsets'),
  ...gvr('batch', 'v1', 'jobs', 'cronjobs'),
  ...gvr('rbac.authorization.k8s.io', 'v1', 'clusterroles'),
];

export const MEMBER_RESOURCES: readonly Gvr[] = TEMPLATES;
export const CONTROL_RESOURCES: readonly Gvr[] = [
  ...TEMPLATES,
  ...gvr(
    'policy.karmada.io',
    'v1alpha1',
    'propagationpolicies',
    'clusterpropagationpolicies',
    'overridepolicies',
    'clusteroverridepolicies',
    'clustertaintpolicies',
  ),
  ...gvr('apps.karmada.io', 'v1alpha1', 'workloadrebalancers'),
  ...gvr('autoscaling.karmada.io', 'v1alpha1', 'cronfederatedhpas'),
  ...gvr('work.karmada.io', 'v1alpha2', 'resourcebindings', 'clusterresourcebindings'),
  ...gvr('work.karmada.io', 'v1alpha1', 'works'),
  ...gvr('cluster.karmada.io', 'v1alpha1', 'clusters'),
];

/** Made by a cluster itself in every namespace. */
const OF_EVERY_NAMESPACE = new Set(['ConfigMap/kube-root-ca.crt', 'ServiceAccount/default']);

interface Work {
  readonly spec?: { readonly workload?: { readonly manifests?: readonly KubeObject[] } };
}

/** The name of the scenario, or undefined for what is none's. */
export function scenarioOf(object: KubeObject): string | undefined {
  const { kind, metadata } = object;
  if (kind === 'Work') {
    const [manifest] = (object as Work).spec?.workload?.manifests ?? [];
    return manifest && scenarioOf(manifest);
  }
  if (OF_EVERY_NAMESPACE.has(`${kind}/${metadata.name}`)) return undefined;
  if (metadata.namespace !== undefined) return metadata.namespace;
  return metadata.name.split('--')[0];
}
