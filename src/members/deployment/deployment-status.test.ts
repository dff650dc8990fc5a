import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Deployment, ReplicaSet } from '#gen/kube/types.ts';
import { deploymentStatus, type Happened, progressDeadline } from './deployment-status.ts';
import { sortReplicaSets } from './replica-sets.ts';
import { deployment, replicaSet } from './testing.ts';

const T0 = Date.UTC(2026, 0, 1);
const seconds = (n: number) => T0 + n * 1000;

function report(target: Deployment, sets: readonly ReplicaSet[], now: number, happened: Happened = { rolls: true }) {
  return { ...target, status: deploymentStatus(target, sortReplicaSets(target, sets), happened, now) };
}

const conditions = ({ status }: Deployment) =>
  status?.conditions?.map((condition) => `${condition.type} ${condition.status} ${condition.reason}`);

describe('the status of a Deployment', () => {
  it('counts what its ReplicaSets report and leaves most zeros out', () => {
    const web = deployment(3);
    const { conditions: _, ...counts } = report(web, [replicaSet(web, 1, 3, 2)], T0).status;
    assert.deepEqual(counts, {
      observedGeneration: 3,
      replicas: 3,
      updatedReplicas: 3,
      readyReplicas: 2,
      availableReplicas: 2,
      unavailableReplicas: 1,
      terminatingReplicas: 0,
    });
  });

  it('tells of a rollout from its first set to its last pod', () => {
    const web = deployment(2);
    const made = report(web, [replicaSet(web, 1, 2, 0)], T0, { rolls: true, created: 'web-x' });
    assert.deepEqual(
      conditions(made),
      ['Progressing True ReplicaSetUpdated', 'Available False MinimumReplicasUnavailable'].toReversed(),
    );
    const half = report(made, [replicaSet(web, 1, 2, 1)], seconds(5));
    assert.equal(
      half.status.conditions?.find(({ type }) => type === 'Progressing')?.lastUpdateTime,
      '2026-01-01T00:00:05Z',
    );
    const whole = report(half, [replicaSet(web, 1, 2, 2)], seconds(9));
    assert.deepEqual(conditions(whole), [
      'Available True MinimumReplicasAvailable',
      'Progressing True NewReplicaSetAvailable',
    ]);
    assert.deepEqual(report(whole, [replicaSet(web, 1, 2, 2)], seconds(99)), whole);
  });

  it('gives up on a rollout that does not move, and says when it will', () => {
    const web = deployment(2);
    const stuck = report(web, [replicaSet(web, 1, 2, 0)], T0, { rolls: true, created: 'web-x' });
    assert.equal(progressDeadline(stuck, seconds(200)), 401_000);
    const late = report(stuck, [replicaSet(web, 1, 2, 0)], seconds(601));
    assert.ok(conditions(late)?.includes('Progressing False ProgressDeadlineExceeded'));
    assert.equal(progressDeadline(late, seconds(700)), undefined);
    const well = report(late, [replicaSet(web, 1, 2, 2)], seconds(800));
    assert.ok(conditions(well)?.includes('Progressing True NewReplicaSetAvailable'));
  });

  it('does not hold a pause against a rollout', () => {
    const web = deployment(2);
    const begun = report(web, [replicaSet(web, 1, 2, 0)], T0, { rolls: true, created: 'web-x' });
    const paused = report(
      { ...begun, spec: { ...begun.spec!, paused: true } },
      [replicaSet(web, 1, 2, 0)],
      seconds(10),
      {
        rolls: false,
      },
    );
    assert.ok(conditions(paused)?.includes('Progressing Unknown DeploymentPaused'));
    const resumed = report({ ...paused, spec: web.spec! }, [replicaSet(web, 1, 2, 0)], seconds(5000));
    assert.ok(conditions(resumed)?.includes('Progressing Unknown DeploymentResumed'));
  });

  it('passes on what keeps a set from making its pods', () => {
    const web = deployment(2);
    const failure = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'no quota' };
    const set = replicaSet(web, 1, 2, 0);
    const failing = report(web, [{ ...set, status: { ...set.status!, conditions: [failure] } }], T0);
    assert.ok(conditions(failing)?.includes('ReplicaFailure True FailedCreate'));
    assert.ok(!conditions(report(failing, [set], T0))?.some((one) => one.startsWith('ReplicaFailure')));
  });

  it('without a deadline does not speak of progress', () => {
    const web = deployment(1, 'web:1', { progressDeadlineSeconds: 2 ** 31 - 1 });
    assert.deepEqual(conditions(report(web, [replicaSet(web, 1, 1)], T0)), ['Available True MinimumReplicasAvailable']);
  });
});
