import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Cluster } from '#karmada/apis/index.ts';
import type { Condition } from '#kube/meta/object.ts';
import { apiEnablements, enablementsCondition } from './api-enablements.ts';
import { readyCondition, settledCondition } from './ready-condition.ts';
import { nodeSummary, type PodView, resourceSummary } from './resource-summary.ts';
import { taintsByCondition, taintsMessage } from './taints.ts';

describe('readiness', () => {
  const ready: Condition = { type: 'Ready', status: 'True', reason: 'ClusterReady', message: '' };
  const lost = readyCondition('unreachable');

  it('is what the first probe says', () => {
    assert.equal(settledCondition(lost, ready, undefined, 0).condition, lost);
  });
  it('changes only after half a minute of the same answer', () => {
    const first = settledCondition(lost, ready, { status: 'True', since: 0 }, 1_000);
    assert.equal(first.condition, ready);
    assert.equal(settledCondition(lost, ready, first.saved, 30_999).condition, ready);
    assert.equal(settledCondition(lost, ready, first.saved, 31_000).condition, lost);
  });
  it('starts counting anew when the answer changes in between', () => {
    const first = settledCondition(lost, ready, { status: 'True', since: 0 }, 1_000);
    const back = settledCondition(readyCondition('healthy'), ready, first.saved, 20_000);
    const again = settledCondition(lost, ready, back.saved, 40_000);
    assert.equal(again.condition, ready);
  });
  it('reports another way of not being ready at once', () => {
    const unhealthy = readyCondition('unhealthy');
    const current: Condition = { ...lost };
    assert.equal(settledCondition(unhealthy, current, { status: 'False', since: 0 }, 1).condition, unhealthy);
  });
});

describe('taints', () => {
  function cluster(status: Condition['status'] | undefined, taints: Cluster['spec']['taints'] = []): Cluster {
    return {
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name: 'm1' },
      spec: { syncMode: 'Push', taints },
      ...(status ? { status: { conditions: [{ type: 'Ready', status }] } } : {}),
    };
  }
  const notReady = { key: 'cluster.karmada.io/not-ready', effect: 'NoSchedule', timeAdded: 't' } as const;
  const unreachable = { key: 'cluster.karmada.io/unreachable', effect: 'NoSchedule', timeAdded: 't' } as const;
  const own = { key: 'mine', effect: 'NoSchedule' } as const;

  it('follow the Ready condition and leave others alone', () => {
    assert.deepEqual(taintsByCondition(cluster(undefined, [own]), 't'), [own, notReady]);
    assert.deepEqual(taintsByCondition(cluster('False', [unreachable]), 't'), [notReady]);
    assert.deepEqual(taintsByCondition(cluster('Unknown', [notReady]), 't'), [unreachable]);
    assert.deepEqual(taintsByCondition(cluster('True', [notReady, own]), 't'), [own]);
  });
  it('stay the same list when there is nothing to do', () => {
    const settled = cluster('True', [own]);
    assert.equal(taintsByCondition(settled, 't'), settled.spec.taints);
  });
  it('can be said in a sentence', () => {
    assert.equal(taintsMessage([]), 'cluster now does not have taints');
    assert.equal(taintsMessage([own]), 'cluster now has taints([{Key:mine,Effect:NoSchedule}])');
  });
});

describe('the APIs of a member', () => {
  const resource = {
    group: 'apps',
    version: 'v1',
    singular: '',
    shortNames: [],
    categories: [],
    namespaced: true,
    verbs: [],
    subresources: [],
  };
  const served = [
    { ...resource, kind: 'StatefulSet', resource: 'statefulsets' },
    { ...resource, kind: 'Deployment', resource: 'deployments' },
    { ...resource, group: '', kind: 'Pod', resource: 'pods' },
  ];
  it('are sorted by group and version, and by name', () => {
    assert.deepEqual(apiEnablements(served), [
      {
        groupVersion: 'apps/v1',
        resources: [
          { kind: 'Deployment', name: 'deployments' },
          { kind: 'StatefulSet', name: 'statefulsets' },
        ],
      },
      { groupVersion: 'v1', resources: [{ kind: 'Pod', name: 'pods' }] },
    ]);
  });
  it('are complete, partial or empty', () => {
    const reasons = [
      enablementsCondition([], false),
      enablementsCondition(apiEnablements(served), true),
      enablementsCondition(apiEnablements(served), false),
    ];
    assert.deepEqual(
      reasons.map(({ reason }) => reason),
      ['Empty', 'Partial', 'Complete'],
    );
  });
});

describe('the resources of a member', () => {
  const node = (name: string, cpu: string, pods: string) => ({
    metadata: { name },
    status: { allocatable: { cpu, memory: '8Gi', pods }, conditions: [{ type: 'Ready', status: 'True' }] },
  });
  const pod = (nodeName: string | undefined, cpu: string, phase = 'Running'): PodView => ({
    spec: {
      ...(nodeName ? { nodeName } : {}),
      containers: [{ resources: { requests: { cpu, memory: '1Gi' } } }],
      initContainers: [{ resources: { requests: { cpu: '500m' } } }],
    },
    status: { phase },
  });
  const nodes = [node('n1', '4', '110'), node('n2', '2', '110')];
  const models = [
    { grade: 0, ranges: [{ name: 'cpu', min: '0', max: '2' }] },
    { grade: 1, ranges: [{ name: 'cpu', min: '2', max: '9223372036854775807' }] },
  ];

  it('count what nodes offer, what runs, and what waits for a node', () => {
    const pods = [pod('n1', '1'), pod('n1', '250m'), pod('n2', '1', 'Succeeded'), pod(undefined, '2')];
    assert.deepEqual(resourceSummary(nodes, pods), {
      allocatable: { cpu: '6', memory: '16Gi', pods: '220' },
      allocating: { cpu: '2', memory: '1Gi', pods: '1' },
      allocated: { cpu: '1500m', memory: '2Gi', pods: '2' },
    });
    assert.deepEqual(nodeSummary(nodes), { totalNum: 2, readyNum: 2 });
  });
  it('say nothing of what is not there', () => {
    assert.deepEqual(resourceSummary([], []), {});
    assert.deepEqual(nodeSummary([]), {});
  });
  it('count nodes by the grade of what is free on them', () => {
    const summary = resourceSummary(nodes, [pod('n1', '1'), pod('n2', '1')], models);
    assert.deepEqual(summary.allocatableModelings, [
      { grade: 0, count: 1 },
      { grade: 1, count: 1 },
    ]);
  });
  it('stop counting grades at a node without room for a pod', () => {
    const full = node('n0', '4', '1');
    const summary = resourceSummary([full, ...nodes], [pod('n0', '1')], models);
    assert.deepEqual(summary.allocatableModelings, [
      { grade: 0, count: 0 },
      { grade: 1, count: 0 },
    ]);
  });
});
