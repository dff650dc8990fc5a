import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ClusterSpec, ReplicaRequirements, ResourceSummary } from '#karmada/apis/index.ts';
import { generalEstimator } from './general-estimator.ts';
import { binding, cluster } from './testing.ts';

interface Given {
  readonly summary?: ResourceSummary;
  readonly models?: ClusterSpec['resourceModels'];
  readonly needs?: ReplicaRequirements['resourceRequest'];
}

function estimate({ summary, models, needs }: Given) {
  const member = cluster('m1', {
    ...(models ? { resourceModels: models } : {}),
    status: summary ? { resourceSummary: summary } : {},
  });
  const { spec } = binding(needs ? { replicaRequirements: { resourceRequest: needs } } : {});
  return generalEstimator.estimate(member, spec);
}

const summary: ResourceSummary = {
  allocatable: { pods: '110', cpu: '4', memory: '8Gi', 'nvidia.com/gpu': '2' },
  allocated: { pods: '10', cpu: '800m', memory: '2Gi' },
  allocating: { cpu: '200m' },
};

/** Nodes of at least 1, 2 and 4 cpus. */
const models = [
  {
    grade: 0,
    ranges: [
      { name: 'cpu', min: '1', max: '2' },
      { name: 'memory', min: '1Gi', max: '4Gi' },
    ],
  },
  {
    grade: 1,
    ranges: [
      { name: 'cpu', min: '2', max: '4' },
      { name: 'memory', min: '4Gi', max: '16Gi' },
    ],
  },
  {
    grade: 2,
    ranges: [
      { name: 'cpu', min: '4', max: '8' },
      { name: 'memory', min: '16Gi', max: '32Gi' },
    ],
  },
];
const modelled = (...counts: number[]): ResourceSummary => ({
  allocatable: { pods: '1000' },
  allocatableModelings: counts.map((count, grade) => ({ grade, count })),
});

describe('the general estimator', () => {
  const cases: [because: string, given: Given, replicas: number, detail: string][] = [
    ['a cluster that says nothing holds nothing', {}, 0, 'the cluster has not reported its resources'],
    ['without requirements the free pods count', { summary }, 100, 'pods: room for 100 more'],
    ['cpu is counted in thousandths', { summary, needs: { cpu: '700m' } }, 4, 'cpu: 3000m free / 700m each'],
    [
      'the scarcest resource decides',
      { summary, needs: { cpu: '100m', memory: '4Gi' } },
      1,
      'memory: 6442450944 free / 4Gi each',
    ],
    ['devices count', { summary, needs: { 'nvidia.com/gpu': '1' } }, 2, 'nvidia.com/gpu: 2 free / 1 each'],
    [
      'a resource the cluster does not have',
      { summary, needs: { 'example.com/fpga': '1' } },
      0,
      'example.com/fpga: none free',
    ],
    ['a request of nothing does not limit', { summary, needs: { cpu: '0' } }, 100, 'pods: room for 100 more'],
    ['pods are the upper bound', { summary, needs: { cpu: '1m' } }, 100, 'pods: room for 100 more'],
    ['no free pod', { summary: { allocatable: { pods: '5' }, allocated: { pods: '5' } } }, 0, 'pods: room for 0 more'],
    [
      'overcommitted',
      { summary: { allocatable: { pods: '5', cpu: '1' }, allocated: { cpu: '2' } }, needs: { cpu: '1' } },
      0,
      'cpu: none free',
    ],
    // 3 nodes of 1 cpu hold 1 each, 1 node of 4 cpus holds 4; added up, 7 cpus would seem to hold 7.
    [
      'models count node by node',
      { summary: modelled(3, 0, 1), models, needs: { cpu: '1' } },
      7,
      'node models: 7 fit on 4 nodes',
    ],
    [
      'a replica larger than a node does not fit',
      { summary: modelled(3, 1, 0), models, needs: { cpu: '2' } },
      1,
      'node models: 1 fit on 4 nodes',
    ],
    [
      'the least a node of a grade has counts',
      { summary: modelled(0, 2, 0), models, needs: { cpu: '3' } },
      0,
      'node models: 0 fit on 2 nodes',
    ],
    [
      '110 pods a node',
      { summary: modelled(1, 0, 0), models, needs: { cpu: '1m' } },
      110,
      'node models: 110 fit on 1 nodes',
    ],
    [
      'counts without models fall back to the sum',
      { summary: { ...summary, allocatableModelings: [{ grade: 0, count: 1 }] }, needs: { cpu: '1' } },
      3,
      'cpu: 3000m free / 1 each',
    ],
  ];
  for (const [because, given, replicas, detail] of cases) {
    it(because, () => assert.deepEqual(estimate(given), { replicas, detail }));
  }
});
