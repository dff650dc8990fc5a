import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noClusterFitMessage, runFilters } from './filters.ts';
import { type BindingGiven, binding, type ClusterGiven, cluster } from './testing.ts';

interface Given {
  readonly cluster?: ClusterGiven;
  readonly binding?: BindingGiven;
  readonly affinityName?: string;
  readonly peers?: readonly BindingGiven[];
}

/** What a plugin says of cluster m1: `pass`, `pass: detail`, or `reason | detail`. */
function verdict(plugin: string, given: Given): string {
  const { spec } = binding(given.binding);
  const peers = given.peers?.map((each, index) => ({
    ...binding(each),
    metadata: { name: `peer-${index}`, namespace: 'default' },
  }));
  const verdicts = runFilters(
    {
      spec,
      placement: spec.placement ?? {},
      affinityName: given.affinityName ?? '',
      cluster: cluster('m1', given.cluster),
      peers,
    },
    [],
  );
  const found = verdicts.find((each) => each.plugin === plugin);
  if (found?.pass) return found.detail === undefined ? 'pass' : `pass: ${found.detail}`;
  return `${found?.reason} | ${found?.detail}`;
}

const enabled = (groupVersion: string, kind: string) => [{ groupVersion, resources: [{ name: kind, kind }] }];
const onM1 = { clusters: [{ name: 'm1', replicas: 1 }] };
const edge = { key: 'edge', value: 'true', effect: 'NoSchedule' } as const;

const TABLES: Record<string, [because: string, given: Given, verdict: string][]> = {
  TaintToleration: [
    ['a cluster without taints passes', {}, 'pass'],
    [
      'an untolerated taint is named',
      { cluster: { taints: [edge] } },
      'cluster(s) had untolerated taint {edge=true:NoSchedule} | taint edge=true:NoSchedule is not tolerated',
    ],
    [
      'a toleration lets it pass',
      {
        cluster: { taints: [edge] },
        binding: { placement: { clusterTolerations: [{ key: 'edge', operator: 'Exists' }] } },
      },
      'pass',
    ],
    [
      'what runs there stays',
      { cluster: { taints: [edge] }, binding: onM1 },
      'pass: taint edge=true:NoSchedule does not remove what already runs here',
    ],
    ['a preference does not refuse', { cluster: { taints: [{ ...edge, effect: 'PreferNoSchedule' }] } }, 'pass'],
    [
      'NoExecute refuses as well',
      { cluster: { taints: [{ key: 'gone', effect: 'NoExecute' }] } },
      'cluster(s) had untolerated taint {gone:NoExecute} | taint gone:NoExecute is not tolerated',
    ],
  ],
  APIEnablement: [
    ['a served kind passes', {}, 'pass'],
    [
      'a kind that is not served is refused',
      { binding: { resource: { apiVersion: 'batch/v1', kind: 'Job', name: 'j' } } },
      'cluster(s) did not have the API resource | batch/v1 Job is not served, in no version',
    ],
    [
      'a kind served in another version is converted where that is possible',
      {
        cluster: { status: { apiEnablements: enabled('batch/v1beta1', 'CronJob') } },
        binding: { resource: { apiVersion: 'batch/v1', kind: 'CronJob', name: 'j' } },
      },
      'pass: batch/v1 CronJob is not served and is converted to batch/v1beta1',
    ],
    [
      'and refused with the versions there are where it is not',
      {
        cluster: { status: { apiEnablements: enabled('example.com/v1', 'Widget') } },
        binding: { resource: { apiVersion: 'example.com/v2', kind: 'Widget', name: 'w' } },
      },
      'cluster(s) did not have the API resource | ' +
        'example.com/v2 Widget is not served, only example.com/v1, and no conversion is known',
    ],
    [
      'so is one that is not known to be served',
      { cluster: { status: { apiEnablements: [], conditions: [] } } },
      'cluster(s) did not have the API resource | apps/v1 Deployment is not among the APIs known so far',
    ],
    [
      'what runs there stays',
      { cluster: { status: { apiEnablements: [] } }, binding: onM1 },
      'pass: apps/v1 Deployment is not served, but it already runs here',
    ],
  ],
  ClusterAffinity: [
    ['no affinity takes every cluster', {}, 'pass'],
    ['a named cluster passes', { binding: { placement: { clusterAffinity: { clusterNames: ['m1'] } } } }, 'pass'],
    [
      'another is refused',
      { binding: { placement: { clusterAffinity: { clusterNames: ['m2'] } } } },
      'cluster(s) did not match the placement cluster affinity constraint | not among the clusters named',
    ],
    [
      'of affinity groups only the one tried counts',
      {
        affinityName: 'second',
        binding: {
          placement: {
            clusterAffinities: [
              { affinityName: 'first', clusterNames: ['m1'] },
              { affinityName: 'second', clusterNames: ['m2'] },
            ],
          },
        },
      },
      'cluster(s) did not match the placement cluster affinity constraint | not among the clusters named',
    ],
    [
      'overflow tiers count for workloads',
      { affinityName: 'a', binding: { placement: { clusterAffinities: [overflowing()] } } },
      'pass',
    ],
    [
      'but not for what has no replicas',
      { affinityName: 'a', binding: { replicas: 0, placement: { clusterAffinities: [overflowing()] } } },
      'cluster(s) did not match the placement cluster affinity constraint | not among the clusters named',
    ],
  ],
  SpreadConstraint: [
    ['spreading by cluster needs nothing', spreadBy('cluster', {}), 'pass'],
    ['a region is there', spreadBy('region', { region: 'eu' }), 'pass'],
    [
      'a region is missing',
      spreadBy('region', {}),
      'cluster(s) did not have region property | has no region to spread by',
    ],
    [
      'a provider is missing',
      spreadBy('provider', {}),
      'cluster(s) did not have provider property | has no provider to spread by',
    ],
    [
      'zones are missing',
      spreadBy('zone', { zones: [] }),
      'cluster(s) did not have zones property | has no zones to spread by',
    ],
  ],
  ClusterEviction: [
    ['nothing is evicted', {}, 'pass'],
    [
      'what was evicted from here does not come back while it is',
      {
        binding: {
          gracefulEvictionTasks: [{ fromCluster: 'm1', reason: 'TaintUntolerated', producer: 'TaintManager' }],
        },
      },
      'cluster(s) is in the process of eviction | being evicted from here (TaintUntolerated)',
    ],
  ],
  WorkloadAffinity: [
    ['the first of a group passes', together([]), 'pass'],
    ['where the group is', together([{ clusters: [{ name: 'm1' }] }]), 'pass'],
    [
      'not where the group is not',
      together([{ clusters: [{ name: 'm2' }] }]),
      'ResourceBinding with the same affinity group does not target this cluster | peer-0 of group g=1 does not run here',
    ],
    ['one that is not scheduled yet does not count', together([{ clusters: [] }]), 'pass'],
  ],
  WorkloadAntiAffinity: [
    ['nobody of the group is here', apart([{ clusters: [{ name: 'm2' }] }]), 'pass'],
    [
      'somebody of the group is here',
      apart([{ clusters: [{ name: 'm1' }] }]),
      'cluster already has workload with the same anti-affinity group | peer-0 of group g=1 already runs here',
    ],
  ],
};

function overflowing() {
  return {
    affinityName: 'a',
    clusterNames: ['m2'],
    overflowAffinities: [{ affinityName: 'more', clusterNames: ['m1'] }],
  };
}

function spreadBy(spreadByField: 'cluster' | 'region' | 'zone' | 'provider', given: ClusterGiven): Given {
  return { cluster: given, binding: { placement: { spreadConstraints: [{ spreadByField }] } } };
}

function together(peers: readonly BindingGiven[]): Given {
  const workloadAffinityGroups = { affinityGroup: 'g=1' };
  return { binding: { workloadAffinityGroups }, peers: peers.map((peer) => ({ ...peer, workloadAffinityGroups })) };
}

function apart(peers: readonly BindingGiven[]): Given {
  const workloadAffinityGroups = { antiAffinityGroup: 'g=1' };
  return { binding: { workloadAffinityGroups }, peers: peers.map((peer) => ({ ...peer, workloadAffinityGroups })) };
}

for (const [plugin, cases] of Object.entries(TABLES)) {
  describe(plugin, () => {
    for (const [because, given, expected] of cases) {
      it(because, () => assert.equal(verdict(plugin, given), expected));
    }
  });
}

describe('noClusterFitMessage', () => {
  it('counts reasons over clusters and sorts them', () =>
    assert.equal(
      noClusterFitMessage(['b reason', 'a reason', 'b reason'], 3),
      '0/3 clusters are available: 1 a reason, 2 b reason.',
    ));
  it('says when there is no cluster', () =>
    assert.equal(noClusterFitMessage([], 0), '0/0 clusters are available: no cluster exists.'));
});
