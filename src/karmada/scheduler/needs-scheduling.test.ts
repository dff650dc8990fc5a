import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Placement } from '#karmada/apis/index.ts';
import { appliedPlacement } from './applied-placement.ts';
import { isScheduled, needsScheduling } from './needs-scheduling.ts';
import { type BindingGiven, binding, type ClusterGiven, cluster, divided, duplicated } from './testing.ts';

interface Given extends BindingGiven {
  /** The placement of the last scheduling; the same as now when absent. */
  readonly applied?: Placement;
  readonly m1?: ClusterGiven;
}

const LEAVING = { fromCluster: 'm1', reason: 'TaintUntolerated', producer: 'TaintManager' };

/** `yes: because` or `no: because`, for a binding scheduled to m1 and m2. */
function answer({ applied, m1, ...given }: Given): string {
  const placement = given.placement ?? divided();
  const scheduled = binding({
    placement,
    clusters: [
      { name: 'm1', replicas: 5 },
      { name: 'm2', replicas: 3 },
    ],
    annotations: { 'policy.karmada.io/applied-placement': appliedPlacement(applied ?? placement) },
    ...given,
  });
  const { yes, because } = needsScheduling(scheduled, [cluster('m1', m1), cluster('m2')]);
  return `${yes ? 'yes' : 'no'}: ${because}`;
}

const groups = (first: string, second: string): Placement => ({
  ...divided(),
  clusterAffinities: [
    { affinityName: 'first', clusterNames: [first] },
    { affinityName: 'second', clusterNames: [second] },
  ],
});

describe('needsScheduling', () => {
  const status = (name: string) => ({ status: { schedulerObservingAffinityName: name } });
  const cases: [because: string, given: Given, expected: string][] = [
    ['nothing changed', {}, 'no: neither placement nor replicas changed'],
    ['never scheduled', { annotations: {} }, 'yes: not scheduled before'],
    ['another placement', { applied: { clusterAffinity: { clusterNames: ['m1'] } } }, 'yes: the placement changed'],
    [
      'the order of fields is no change',
      { annotations: { 'policy.karmada.io/applied-placement': reversed(divided()) } },
      'no: neither placement nor replicas changed',
    ],
    [
      'a broken annotation moves nothing',
      { annotations: { 'policy.karmada.io/applied-placement': '{' } },
      'no: neither placement nor replicas changed',
    ],
    [
      'the group in use changed',
      { placement: groups('m1', 'm2'), applied: groups('m9', 'm2'), ...status('first') },
      'yes: the placement changed',
    ],
    [
      'another group changed',
      { placement: groups('m1', 'm2'), applied: groups('m1', 'm9'), ...status('first') },
      'no: neither placement nor replicas changed',
    ],
    [
      'the group in use vanished',
      { placement: groups('m1', 'm2'), applied: groups('m1', 'm9'), ...status('third') },
      'yes: the placement changed',
    ],
    ['scaled up', { replicas: 10 }, 'yes: replicas went 8 → 10'],
    ['scaled down', { replicas: 2 }, 'yes: replicas went 8 → 2'],
    [
      'evicted',
      { clusters: [{ name: 'm2', replicas: 3 }], replicas: 8, gracefulEvictionTasks: [LEAVING] },
      'yes: evicted from m1: 3 of 8 replicas are left',
    ],
    ['scaled down while it leaves', { replicas: 2, gracefulEvictionTasks: [LEAVING] }, 'yes: replicas went 8 → 2'],
    [
      'a rebalancing after the last scheduling',
      { rescheduleTriggeredAt: '2026-01-02T00:00:00Z', status: { lastScheduledTime: '2026-01-01T00:00:00Z' } },
      'yes: a rebalancing was asked for',
    ],
    [
      'a rebalancing before the last scheduling',
      { rescheduleTriggeredAt: '2026-01-01T00:00:00Z', status: { lastScheduledTime: '2026-01-02T00:00:00Z' } },
      'no: neither placement nor replicas changed',
    ],
    [
      'a rebalancing of what was never scheduled',
      { rescheduleTriggeredAt: '2026-01-01T00:00:00Z' },
      'no: neither placement nor replicas changed',
    ],
    ['no workload', { placement: {}, replicas: 0 }, 'yes: what is no workload follows every change of clusters'],
    [
      'without a strategy it is duplicated',
      { placement: {} },
      'yes: duplicated workloads follow every change of clusters',
    ],
    ['duplicated and scaled', { placement: duplicated }, 'yes: replicas went 5 → 8'],
    ['a target is being deleted', { m1: { deleting: true } }, 'yes: cluster m1 is being deleted'],
    [
      'a taint moves nothing',
      { m1: { taints: [{ key: 'a', effect: 'NoSchedule' }] } },
      'no: neither placement nor replicas changed',
    ],
  ];
  for (const [because, given, expected] of cases) {
    it(because, () => assert.equal(answer(given), expected));
  }
});

function reversed(placement: Placement): string {
  const entries = Object.entries(placement.replicaScheduling ?? {}).toReversed();
  return JSON.stringify({ replicaScheduling: Object.fromEntries(entries) });
}

describe('isScheduled', () => {
  const cases: [because: string, given: BindingGiven, expected: boolean][] = [
    ['a claimed binding is', {}, true],
    ['one that nobody claims is not', { labels: {} }, false],
    ['one that another kind manages is', { labels: { 'binding.karmada.io/managed-by': 'MultiClusterService' } }, true],
    ['one of another scheduler is not', { schedulerName: 'mine' }, false],
    ['the default scheduler by name is', { schedulerName: 'default-scheduler' }, true],
    ['a suspended one is not', { suspension: { scheduling: true } }, false],
    ['one whose dispatching is suspended is', { suspension: { dispatching: true } }, true],
  ];
  for (const [because, given, expected] of cases) {
    it(because, () => assert.equal(isScheduled(binding(given)).yes, expected));
  }
  it('another scheduler takes what is meant for it', () =>
    assert.equal(isScheduled(binding({ schedulerName: 'mine' }), 'mine').yes, true));
});
