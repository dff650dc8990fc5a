/** Objects for scenarios, as short as they can be written. */
import type { KubeObject } from '#kube/meta/object.ts';
import type { Ref, Step } from '../scenario.ts';

type Meta = { readonly labels?: Record<string, string>; readonly annotations?: Record<string, string> };

export function configMap(name: string, meta: Meta = {}, data: Record<string, string> = { key: 'value' }): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...meta }, data };
}

export function podTemplate(app: string, podSpec: object = {}): object {
  return {
    metadata: { labels: { app } },
    spec: { containers: [{ name: 'main', image: 'docker.io/library/nginx:1.27' }], ...podSpec },
  };
}

export function deployment(name: string, replicas = 2, podSpec: object = {}, meta: Meta = {}): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, ...meta },
    spec: { replicas, selector: { matchLabels: { app: name } }, template: podTemplate(name, podSpec) },
  };
}

/** A container that asks for so much CPU that members of different size have room for different numbers of it. */
export const bigContainer = {
  containers: [{ name: 'main', image: 'nginx', resources: { requests: { cpu: '1' } } }],
};

export const DEPLOYMENTS = [{ apiVersion: 'apps/v1', kind: 'Deployment' }];
export const CONFIG_MAPS = [{ apiVersion: 'v1', kind: 'ConfigMap' }];

export function policy(
  name: string,
  resourceSelectors: readonly object[],
  placement: object,
  more: object = {},
): KubeObject {
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name },
    spec: { resourceSelectors, placement, ...more },
  };
}

export function clusterPolicy(...args: Parameters<typeof policy>): KubeObject {
  return { ...policy(...args), kind: 'ClusterPropagationPolicy' };
}

export function override(
  name: string,
  resourceSelectors: readonly object[],
  overrideRules: readonly object[],
): KubeObject {
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'OverridePolicy',
    metadata: { name },
    spec: { resourceSelectors, overrideRules },
  };
}

export const to = (...clusterNames: readonly string[]) => ({ clusterAffinity: { clusterNames } });

export const divided = (preference: 'Weighted' | 'Aggregated', weightPreference?: object) => ({
  replicaScheduling: {
    replicaSchedulingType: 'Divided',
    replicaDivisionPreference: preference,
    ...(weightPreference ? { weightPreference } : {}),
  },
});

export const weights = (byName: Readonly<Record<string, number>>) => ({
  staticWeightList: Object.entries(byName).map(([name, weight]) => ({
    targetCluster: { clusterNames: [name] },
    weight,
  })),
});

const REFS = {
  ConfigMap: 'v1',
  Service: 'v1',
  Deployment: 'apps/v1',
  PropagationPolicy: 'policy.karmada.io/v1alpha1',
  ClusterPropagationPolicy: 'policy.karmada.io/v1alpha1',
  OverridePolicy: 'policy.karmada.io/v1alpha1',
  ClusterOverridePolicy: 'policy.karmada.io/v1alpha1',
  ClusterTaintPolicy: 'policy.karmada.io/v1alpha1',
  CronFederatedHPA: 'autoscaling.karmada.io/v1alpha1',
  WorkloadRebalancer: 'apps.karmada.io/v1alpha1',
  Cluster: 'cluster.karmada.io/v1alpha1',
} as const;

export function ref(kind: keyof typeof REFS, name: string): Ref {
  return { apiVersion: REFS[kind], kind, name };
}

export const apply = (object: KubeObject): Step => ({ do: 'apply', object });
export const patch = (object: Ref, body: object): Step => ({ do: 'patch', object, body });
export const remove = (object: Ref): Step => ({ do: 'delete', object });
export const scale = (name: string, replicas: number): Step => patch(ref('Deployment', name), { spec: { replicas } });
