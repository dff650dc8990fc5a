import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { Job, Pod } from '#gen/kube/types.ts';
import { podOf } from '../testing.ts';
import { formatIndexes, parseIndexes } from './indexes.ts';
import { isFinished, planJob } from './job-plan.ts';
import { TRACKING } from './tally.ts';
import { conditionOf } from './verdict.ts';

const T0 = Date.parse('2026-01-01T00:00:00Z');
const FINALIZERS = [TRACKING];

function job(spec: object = {}, status: object = {}): Job {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'work', namespace: 'default', uid: 'j' },
    spec: { completions: 1, parallelism: 1, backoffLimit: 6, template: {}, ...spec },
    status: { startTime: '2026-01-01T00:00:00Z', ...status },
  };
}

interface Shape {
  readonly index?: number;
  readonly phase?: string;
  readonly exitCode?: number;
  readonly at?: number;
  readonly counted?: boolean;
  readonly metadata?: object;
  readonly conditions?: object[];
}

function pod(
  name: string,
  { index, phase = 'Running', exitCode = 0, at = 0, counted, metadata, conditions }: Shape = {},
): Pod {
  const finishedAt = new Date(T0 + at * 1000).toISOString();
  const state = phase === 'Running' ? { running: {} } : { terminated: { exitCode, finishedAt } };
  return podOf(name, {
    metadata: {
      ...(counted ? {} : { finalizers: FINALIZERS }),
      ...(index === undefined ? {} : { annotations: { 'batch.kubernetes.io/job-completion-index': String(index) } }),
      ...metadata,
    },
    status: {
      phase,
      containerStatuses: [{ name: 'c', state, restartCount: 0 }],
      ...(conditions ? { conditions } : {}),
    },
  });
}

const failed = (name: string, more: Shape = {}) => pod(name, { phase: 'Failed', exitCode: 1, ...more });
const done = (name: string, more: Shape = {}) => pod(name, { phase: 'Succeeded', ...more });

/** Carries out plan after plan with pods that end as `outcome` says, until the Job is over. */
function play(start: Job, outcome: (made: number) => 'Succeeded' | 'Failed'): { job: Job; pods: readonly Pod[] } {
  let current = start;
  let pods: Pod[] = [];
  let now = T0;
  let made = 0;
  for (let steps = 0; steps < 300 && !isFinished(current); steps++) {
    const plan = planJob(current, pods, now);
    current = { ...current, status: plan.status };
    pods = pods
      .filter((one) => !plan.remove.includes(one))
      .map((one) => (plan.release.includes(one) ? { ...one, metadata: { ...one.metadata, finalizers: [] } } : one))
      .map((one) => (one.status?.phase === 'Running' ? ended(one, outcome(made++), now) : one));
    const running = pods.filter(({ status }) => status?.phase === 'Running').length;
    assert.ok(running + plan.create.length <= (current.spec?.parallelism ?? 1));
    for (const { index } of plan.create) {
      pods.push(pod(`p${pods.length}-${steps}-${index ?? ''}`, index === undefined ? {} : { index }));
    }
    now += Math.max(1000, plan.afterMs ?? 0);
  }
  return { job: current, pods };
}

function ended(one: Pod, phase: 'Succeeded' | 'Failed', now: number): Pod {
  const terminated = { exitCode: phase === 'Failed' ? 1 : 0, finishedAt: new Date(now).toISOString() };
  const containerStatuses = [
    { name: 'c', state: { terminated }, restartCount: 0, ready: false, image: '', imageID: '' },
  ];
  return { ...one, status: { ...one.status, phase, containerStatuses } };
}

describe('a Job', () => {
  it('starts what may run at once, and no more than is needed', () => {
    assert.equal(planJob(job({ completions: 5, parallelism: 3 }), [], T0).create.length, 3);
    assert.equal(planJob(job({ completions: 2, parallelism: 3 }), [], T0).create.length, 2);
  });

  it('notes a pod, then lets it go, then counts it', () => {
    const first = planJob(job({ completions: 2 }), [done('a')], T0);
    assert.deepEqual(
      [first.status.uncountedTerminatedPods, first.status.succeeded],
      [{ succeeded: ['uid-a'] }, undefined],
    );
    assert.deepEqual(first.release, []);
    const noted = job({ completions: 2 }, first.status);
    assert.equal(planJob(noted, [done('a')], T0).release.length, 1);
    const second = planJob(noted, [done('a', { counted: true })], T0);
    assert.deepEqual([second.status.uncountedTerminatedPods, second.status.succeeded], [{}, 1]);
    assert.deepEqual(planJob(noted, [], T0).status.succeeded, 1);
  });

  it('waits ten seconds after a failure, and twice as long after the next', () => {
    assert.equal(planJob(job(), [failed('a', { at: 100 })], T0 + 100_000).afterMs, 10_000);
    const twice = [failed('a', { at: 100 }), failed('b', { at: 120 })];
    assert.equal(planJob(job(), twice, T0 + 120_000).afterMs, 20_000);
    assert.equal(planJob(job(), twice, T0 + 140_000).create.length, 1);
    const between = [failed('a', { at: 100 }), done('s', { at: 110 }), failed('b', { at: 120 })];
    assert.equal(planJob(job({ completions: 3 }), between, T0 + 120_000).afterMs, 10_000);
  });

  const ends: Array<[because: string, job: Job, pods: Pod[], reason: string]> = [
    ['too many failures', job({ backoffLimit: 0 }), [failed('a')], 'BackoffLimitExceeded'],
    ['its deadline', job({ activeDeadlineSeconds: 10 }), [pod('a')], 'DeadlineExceeded'],
    [
      'an exit code that its policy does not forgive',
      job({ podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } }] } }),
      [failed('a', { exitCode: 42 })],
      'PodFailurePolicy',
    ],
    [
      'too many failed indexes',
      job({ completionMode: 'Indexed', completions: 3, backoffLimitPerIndex: 0, maxFailedIndexes: 0 }),
      [failed('a', { index: 1 })],
      'MaxFailedIndexesExceeded',
    ],
    [
      'nothing left but failed indexes',
      job({ completionMode: 'Indexed', completions: 2, backoffLimitPerIndex: 0 }),
      [failed('a', { index: 0 }), done('b', { index: 1 })],
      'FailedIndexes',
    ],
  ];
  for (const [because, target, pods, reason] of ends) {
    it(`fails because of ${because}`, () => {
      const { status, remove } = planJob(target, pods, T0 + 20_000);
      assert.equal(conditionOf({ status }, 'FailureTarget')?.reason, reason);
      assert.equal(conditionOf({ status }, 'Failed'), undefined, 'not before its pods are gone');
      assert.deepEqual(
        remove,
        pods.filter((one) => one.status?.phase === 'Running'),
      );
    });
  }

  it('does not count what its policy ignores', () => {
    const rules = [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }];
    const evicted = failed('a', { conditions: [{ type: 'DisruptionTarget', status: 'True' }] });
    const plan = planJob(job({ backoffLimit: 0, podFailurePolicy: { rules } }), [evicted], T0 + 60_000);
    assert.equal(plan.status.uncountedTerminatedPods?.failed, undefined);
    assert.equal(plan.create.length, 1);
  });

  it('counts a deleted pod as failed at once, unless it is to see it end', () => {
    const leaving = pod('a', { metadata: { finalizers: FINALIZERS, deletionTimestamp: '2026-01-01T00:00:00Z' } });
    assert.deepEqual(planJob(job(), [leaving], T0).status.uncountedTerminatedPods, { failed: ['uid-a'] });
    const patient = planJob(job({ podReplacementPolicy: 'Failed' }), [leaving], T0 + 60_000);
    assert.deepEqual([patient.status.uncountedTerminatedPods, patient.create], [{}, []]);
  });

  it('succeeds early by its own rule', () => {
    const successPolicy = { rules: [{ succeededIndexes: '0', succeededCount: 1 }] };
    const plan = planJob(
      job({ completionMode: 'Indexed', completions: 3, parallelism: 3, successPolicy }),
      [done('a', { index: 0 }), pod('b', { index: 1 })],
      T0,
    );
    assert.equal(conditionOf(plan, 'SuccessCriteriaMet')?.reason, 'SuccessPolicy');
    assert.equal(plan.remove.length, 1);
  });

  it('forgets when it began while it is suspended', () => {
    const { status, remove, tells } = planJob(job({ suspend: true }), [pod('a')], T0);
    assert.deepEqual([status.startTime, remove.length, tells[0]?.reason], [undefined, 1, 'Suspended']);
    const resumed = planJob(job({}, { ...status, startTime: undefined }), [], T0 + 99_000);
    assert.equal(resumed.status.startTime, '2026-01-01T00:01:39Z');
    assert.equal(conditionOf(resumed, 'Suspended'), undefined);
  });
});

describe('any Job', () => {
  const shape = fc.record({
    completions: fc.integer({ min: 1, max: 6 }),
    parallelism: fc.integer({ min: 1, max: 4 }),
    indexed: fc.boolean(),
    failures: fc.array(fc.nat(12), { maxLength: 5 }),
  });

  it('counts every pod once and comes to an end', () => {
    fc.assert(
      fc.property(shape, ({ completions, parallelism, indexed, failures }) => {
        const completionMode = indexed ? 'Indexed' : 'NonIndexed';
        const target = job({ completions, parallelism, completionMode, backoffLimit: 3 });
        const { job: over, pods } = play(target, (made) => (failures.includes(made) ? 'Failed' : 'Succeeded'));
        assert.ok(isFinished(over));
        const count = (phase: string) => pods.filter(({ status }) => status?.phase === phase).length;
        assert.equal(over.status?.failed ?? 0, count('Failed'));
        assert.equal(over.status?.succeeded ?? 0, count('Succeeded'));
        assert.equal(conditionOf(over, 'Complete') !== undefined, count('Failed') <= 3);
        assert.ok(pods.every(({ metadata }) => (metadata.finalizers ?? []).length === 0));
      }),
      { seed: 1, numRuns: 200 },
    );
  });
});

describe('sets of indexes', () => {
  it('are written short and read back', () => {
    assert.equal(formatIndexes([7, 1, 3, 4, 5, 8]), '1,3-5,7,8');
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(50)), (indexes) => {
        assert.deepEqual(
          [...parseIndexes(formatIndexes(indexes))],
          indexes.toSorted((a, b) => a - b),
        );
      }),
      { seed: 1, numRuns: 100 },
    );
  });
});
