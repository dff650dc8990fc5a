/** Clusters, bindings and estimates for tests of this room. */
import type {
  BindingSpec,
  BindingStatus,
  Cluster,
  ClusterSpec,
  ClusterStatus,
  Placement,
  ReplicaSchedulingStrategy,
  ResourceBinding,
} from '#karmada/apis/index.ts';
import type { Estimator } from './estimator.ts';

export interface ClusterGiven extends Partial<ClusterSpec> {
  readonly labels?: Readonly<Record<string, string>>;
  readonly deleting?: boolean;
  readonly status?: ClusterStatus;
}

/** A Push cluster that serves Deployments and ConfigMaps. */
export function cluster(name: string, { labels, deleting, status, ...spec }: ClusterGiven = {}): Cluster {
  return {
    apiVersion: 'cluster.karmada.io/v1alpha1',
    kind: 'Cluster',
    metadata: {
      name,
      ...(labels ? { labels } : {}),
      ...(deleting ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
    spec: { syncMode: 'Push', ...spec },
    status: {
      apiEnablements: [
        { groupVersion: 'apps/v1', resources: [{ name: 'deployments', kind: 'Deployment' }] },
        { groupVersion: 'v1', resources: [{ name: 'configmaps', kind: 'ConfigMap' }] },
      ],
      conditions: [{ type: 'CompleteAPIEnablements', status: 'True' }],
      ...status,
    },
  };
}

export interface BindingGiven extends Partial<BindingSpec> {
  readonly status?: BindingStatus;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
}

/** The binding of a Deployment `default/app` of 8 replicas. */
export function binding({ status, annotations, labels, ...spec }: BindingGiven = {}): ResourceBinding {
  return {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: {
      name: 'app-deployment',
      namespace: 'default',
      generation: 3,
      labels: labels ?? { 'propagationpolicy.karmada.io/permanent-id': 'p' },
      ...(annotations ? { annotations } : {}),
    },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'app' },
      replicas: 8,
      placement: {},
      ...spec,
    },
    ...(status ? { status } : {}),
  };
}

/** Says of each cluster what it is told, and 0 of others. */
export function estimates(replicas: Readonly<Record<string, number>>): Estimator {
  return {
    name: 'told',
    estimate: ({ metadata }) => ({ replicas: replicas[metadata.name] ?? 0, detail: 'told so' }),
  };
}

export const divided = (strategy: ReplicaSchedulingStrategy = {}): Placement => ({
  replicaScheduling: { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted', ...strategy },
});

export const dynamic: Placement = divided({ weightPreference: { dynamicWeight: 'AvailableReplicas' } });
export const aggregated: Placement = divided({ replicaDivisionPreference: 'Aggregated' });
export const duplicated: Placement = { replicaScheduling: { replicaSchedulingType: 'Duplicated' } };

export function staticWeights(weights: Readonly<Record<string, number>>): Placement {
  const staticWeightList = Object.entries(weights).map(([name, weight]) => ({
    targetCluster: { clusterNames: [name] },
    weight,
  }));
  return divided({ weightPreference: { staticWeightList } });
}
