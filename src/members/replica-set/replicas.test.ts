import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod, ReplicaSet } from '#gen/kube/types.ts';
import { podOf, readyPod } from '../testing.ts';
import { planReplicas, replicaSetStatus } from './replicas.ts';

const NOW = Date.parse('2026-01-01T01:00:00Z');
const AT = '2026-01-01T01:00:00Z';
const names = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata.name);

describe('the pods of a ReplicaSet', () => {
  it('are made when they are missing, a burst at a time', () => {
    assert.deepEqual(
      planReplicas(3, [podOf('a')], () => [], NOW),
      { create: 2, remove: [] },
    );
    assert.equal(planReplicas(2000, [], () => [], NOW).create, 500);
  });

  const order: Array<[because: string, goes: Pod, stays: Pod]> = [
    ['unscheduled before scheduled', podOf('x'), podOf('a', { spec: { nodeName: 'n1' } })],
    [
      'pending before running',
      podOf('x', { spec: { nodeName: 'n1' } }),
      podOf('a', { spec: { nodeName: 'n1' }, status: { phase: 'Running' } }),
    ],
    ['unready before ready', podOf('x', { spec: { nodeName: 'n1' }, status: { phase: 'Running' } }), readyPod('a')],
    [
      'cheap before dear',
      readyPod('x', AT, { metadata: { annotations: { 'controller.kubernetes.io/pod-deletion-cost': '-5' } } }),
      readyPod('a'),
    ],
    ['crowded before alone', readyPod('x'), readyPod('a', undefined, { spec: { nodeName: 'n2' } })],
    ['ready for seconds before ready for an hour', readyPod('x', '2026-01-01T00:59:50Z'), readyPod('a')],
  ];
  for (const [because, goes, stays] of order) {
    it(`go in order of use: ${because}`, () => {
      const related = () => [goes, stays, readyPod('other')];
      assert.deepEqual(names(planReplicas(1, [stays, goes], related, NOW).remove), [goes.metadata.name]);
      assert.deepEqual(names(planReplicas(1, [goes, stays], related, NOW).remove), [goes.metadata.name]);
    });
  }
});

describe('the status of a ReplicaSet', () => {
  const labels = { app: 'web' };
  const set: ReplicaSet = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'web', generation: 2 },
    spec: { replicas: 3, minReadySeconds: 60, selector: {}, template: { metadata: { labels } } },
  };

  it('counts pods that are labelled, ready, and ready for long enough', () => {
    const active = [
      readyPod('old', '2026-01-01T00:00:00Z', { metadata: { labels } }),
      readyPod('new', '2026-01-01T00:59:30Z'),
      podOf('unready'),
    ];
    assert.deepEqual(replicaSetStatus(set, { active, terminating: [podOf('going')] }, NOW, AT), {
      replicas: 3,
      fullyLabeledReplicas: 1,
      readyReplicas: 2,
      availableReplicas: 1,
      terminatingReplicas: 1,
      observedGeneration: 2,
    });
  });

  it('says why pods could not be made, and stops saying it', () => {
    const failing = replicaSetStatus(set, { active: [], failure: 'no quota' }, NOW, AT);
    const condition = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'no quota' };
    assert.deepEqual(failing.conditions, [{ ...condition, lastTransitionTime: AT }]);
    assert.equal(replicaSetStatus({ ...set, status: failing }, { active: [] }, NOW, AT).conditions, undefined);
  });
});
