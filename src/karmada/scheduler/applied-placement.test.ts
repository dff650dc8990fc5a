import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Placement } from '#karmada/apis/index.ts';
import { appliedPlacement } from './applied-placement.ts';

describe('appliedPlacement', () => {
  const cases: [because: string, placement: Placement, expected: string][] = [
    ['an empty placement', {}, '{}'],
    [
      'fields come in the order of Karmada, not in that of the object',
      {
        replicaScheduling: {
          weightPreference: { staticWeightList: [{ weight: 2, targetCluster: { clusterNames: ['m1'] } }] },
          replicaDivisionPreference: 'Weighted',
          replicaSchedulingType: 'Divided',
        },
        clusterAffinity: { exclude: ['m3'], clusterNames: ['m1', 'm2'] },
      },
      '{"clusterAffinity":{"clusterNames":["m1","m2"],"exclude":["m3"]},"replicaScheduling":{"replicaSchedulingType":"Divided","replicaDivisionPreference":"Weighted","weightPreference":{"staticWeightList":[{"targetCluster":{"clusterNames":["m1"]},"weight":2}]}}}',
    ],
    [
      'what is empty is left out, what is there but empty inside is not',
      {
        clusterAffinity: { clusterNames: [] },
        clusterTolerations: [],
        spreadConstraints: [{ spreadByField: 'cluster', maxGroups: 2, minGroups: 0 }],
      },
      '{"clusterAffinity":{},"spreadConstraints":[{"spreadByField":"cluster","maxGroups":2}]}',
    ],
    [
      'labels are sorted, whatever they are called, and keep empty values',
      { clusterAffinity: { labelSelector: { matchLabels: { value: 'b', key: '', a: '<1>' } } } },
      '{"clusterAffinity":{"labelSelector":{"matchLabels":{"a":"\\u003c1\\u003e","key":"","value":"b"}}}}',
    ],
    [
      'a toleration of no time at all is kept',
      { clusterTolerations: [{ tolerationSeconds: 0, effect: 'NoExecute', operator: 'Exists', key: 'k' }] },
      '{"clusterTolerations":[{"key":"k","operator":"Exists","effect":"NoExecute","tolerationSeconds":0}]}',
    ],
    [
      'groups are written with their affinity inline',
      {
        clusterAffinities: [
          {
            overflowAffinities: [{ clusterNames: ['m2'], affinityName: 'b' }],
            clusterNames: ['m1'],
            affinityName: 'a',
          },
        ],
      },
      '{"clusterAffinities":[{"affinityName":"a","clusterNames":["m1"],"overflowAffinities":[{"affinityName":"b","clusterNames":["m2"]}]}]}',
    ],
  ];
  for (const [because, placement, expected] of cases) {
    it(because, () => assert.equal(appliedPlacement(placement), expected));
  }
});
