/** Where things go: names, labels, fields, exclusion, groups of clusters, spreading. */
import type { Scenario } from '../scenario.ts';
import {
  apply,
  CONFIG_MAPS,
  clusterPolicy,
  configMap,
  DEPLOYMENTS,
  deployment,
  patch,
  policy,
  ref,
  to,
} from './objects.ts';

const placed = (name: string, about: string, placement: object): Scenario => ({
  name,
  about,
  given: [configMap('a'), policy('p', CONFIG_MAPS, placement)],
});

export const PLACEMENT: readonly Scenario[] = [
  placed('place-names', 'clusters are named', to('m1', 'm3')),
  placed('place-all', 'an empty placement means every cluster', {}),
  placed('place-labels', 'clusters are chosen by labels', {
    clusterAffinity: { labelSelector: { matchLabels: { tier: 'gold' } } },
  }),
  placed('place-fields', 'clusters are chosen by provider and region', {
    clusterAffinity: {
      fieldSelector: {
        matchExpressions: [
          { key: 'provider', operator: 'In', values: ['p2'] },
          { key: 'region', operator: 'NotIn', values: ['r2'] },
        ],
      },
    },
  }),
  placed('place-exclude', 'clusters are excluded by name', { clusterAffinity: { exclude: ['m2'] } }),
  placed('place-nowhere', 'no cluster fits', to('m9')),
  placed('place-groups', 'the first group of clusters that fits is taken', {
    clusterAffinities: [
      { affinityName: 'none', clusterNames: ['m9'] },
      { affinityName: 'some', clusterNames: ['m2', 'm3'] },
    ],
  }),
  placed('spread-clusters', 'at most so many clusters', {
    spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 2 }],
  }),
  placed('spread-regions', 'one cluster at least in each of two regions', {
    spreadConstraints: [
      { spreadByField: 'region', minGroups: 2, maxGroups: 2 },
      { spreadByField: 'cluster', minGroups: 2, maxGroups: 2 },
    ],
  }),
  placed('spread-too-many', 'more groups are asked for than there are', {
    spreadConstraints: [{ spreadByField: 'cluster', minGroups: 5, maxGroups: 6 }],
  }),
  {
    name: 'place-moves',
    about: 'a changed placement moves what is placed',
    given: [deployment('web'), policy('p', DEPLOYMENTS, to('m1'))],
    phases: [
      [patch(ref('PropagationPolicy', 'p'), { spec: { placement: to('m2', 'm3') } })],
      [patch(ref('Deployment', 'web'), { spec: { template: { metadata: { labels: { changed: 'yes' } } } } })],
    ],
  },
  {
    name: 'cluster-scoped',
    about: 'an object without namespace is bound by a ClusterResourceBinding',
    given: [
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'cluster-scoped--role' },
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
      },
      clusterPolicy(
        'cluster-scoped--p',
        [{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'cluster-scoped--role' }],
        to('m1', 'm2'),
      ),
    ],
  },
  {
    name: 'namespace-sync',
    about: 'namespaces go to every member, with their labels',
    given: [],
    phases: [
      [
        apply({
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name: 'namespace-sync', labels: { team: 'a' }, annotations: { note: 'b' } },
        }),
      ],
    ],
  },
];
