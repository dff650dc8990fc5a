import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BindingSpec, Work, WorkStatus } from '#karmada/apis/index.ts';
import { aggregateWorks, fullyApplied, reportedStatus } from './aggregate-status.ts';

const resource = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'nginx' };

function work(cluster: string, status: WorkStatus, deleting = false): Work {
  return {
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    metadata: { name: 'w', namespace: `karmada-es-${cluster}`, ...(deleting ? { deletionTimestamp: 'now' } : {}) },
    spec: {},
    status,
  };
}

const applied: WorkStatus = {
  conditions: [{ type: 'Applied', status: 'True', reason: 'AppliedSuccessful', message: '' }],
  manifestStatuses: [
    {
      identifier: {
        ordinal: 0,
        group: 'apps',
        version: 'v1',
        kind: 'Deployment',
        resource: '',
        namespace: 'default',
        name: 'nginx',
      },
      health: 'Healthy',
      status: { replicas: 1 },
    },
  ],
};
const failed: WorkStatus = {
  conditions: [{ type: 'Applied', status: 'False', reason: 'AppliedFailed', message: 'no room' }],
};

describe('the status of a binding', () => {
  it('has no list when no cluster reports', () => {
    const before = { aggregatedStatus: [{ clusterName: 'm1' }], schedulerObservedGeneration: 2 };
    assert.deepEqual(reportedStatus(before, [], []), { schedulerObservedGeneration: 2, conditions: [] });
  });

  it('has one line per cluster, by name', () => {
    assert.deepEqual(aggregateWorks([work('m2', failed), work('m1', applied)], resource), [
      { clusterName: 'm1', applied: true, status: { replicas: 1 }, health: 'Healthy' },
      { clusterName: 'm2', appliedMessage: 'no room', health: 'Unknown' },
    ]);
  });
  it('leaves out Works on their way out', () => {
    assert.deepEqual(aggregateWorks([work('m1', applied, true)], resource), []);
  });
  it('does not take the status of another object', () => {
    const [item] = aggregateWorks([work('m1', applied)], { ...resource, name: 'other' });
    assert.deepEqual(item, { clusterName: 'm1', applied: true, health: 'Unknown' });
  });

  const spec: BindingSpec = { resource, clusters: [{ name: 'm1' }] };
  const cases: [because: string, spec: BindingSpec, works: Work[], status: string][] = [
    ['all applied where they should be', spec, [work('m1', applied)], 'True'],
    ['one failed', spec, [work('m1', failed)], 'False'],
    ['one missing', { ...spec, clusters: [{ name: 'm1' }, { name: 'm2' }] }, [work('m1', applied)], 'False'],
    ['nothing scheduled', { resource }, [], 'False'],
    [
      'a dependant asked for it',
      { resource, requiredBy: [{ name: 'a', clusters: [{ name: 'm1' }] }] },
      [work('m1', applied)],
      'True',
    ],
    [
      'one is left gracefully',
      { ...spec, gracefulEvictionTasks: [{ fromCluster: 'm2', reason: '', producer: '' }] },
      [work('m1', applied), work('m2', applied)],
      'True',
    ],
  ];
  for (const [because, given, works, status] of cases) {
    it(`is fully applied or not: ${because}`, () => {
      assert.equal(fullyApplied(given, aggregateWorks(works, resource)).status, status);
    });
  }
});
