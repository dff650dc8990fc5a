import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '#gen/kube/types.ts';
import { nextStep, podIsReady } from './pod-life.ts';

const BOUND = Date.UTC(2026, 0, 1);
const pace = { startMs: 1000, runMs: 5000 };
const at = (now: number) => ({ now, pace, podIP: '10.0.0.9', hostIP: '10.0.0.1' });

function pod(spec: object = {}, status: object = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', uid: '0000-', creationTimestamp: new Date(BOUND).toISOString() },
    spec: { nodeName: 'n', containers: [{ name: 'c', image: 'web:1' }], ...spec },
    status,
  };
}

describe('the life of a simulated pod', () => {
  it('waits for its start, then runs and is ready', () => {
    assert.deepEqual(nextStep(pod(), at(BOUND)), { is: 'waiting', forMs: 500 });
    const step = nextStep(pod(), at(BOUND + 500));
    assert.ok(step.is === 'due');
    const started = { ...pod(), status: step.status };
    assert.equal(step.status.phase, 'Running');
    assert.ok(podIsReady(started));
    assert.deepEqual(nextStep(started, at(BOUND + 60_000)), { is: 'settled' });
  });

  it('a readiness probe delays it', () => {
    const slow = pod({ containers: [{ name: 'c', readinessProbe: { initialDelaySeconds: 2 } }] });
    assert.deepEqual(nextStep(slow, at(BOUND)), { is: 'waiting', forMs: 2500 });
  });

  it('a pod meant to end completes', () => {
    const first = nextStep(pod({ restartPolicy: 'Never' }), at(BOUND + 1000));
    assert.ok(first.is === 'due');
    const running = pod({ restartPolicy: 'Never' }, first.status);
    assert.deepEqual(nextStep(running, at(BOUND + 1000)), { is: 'waiting', forMs: 5000 });
    const last = nextStep(running, at(BOUND + 6000));
    assert.ok(last.is === 'due');
    assert.equal(last.status.phase, 'Succeeded');
    assert.ok(!podIsReady({ ...running, status: last.status }));
  });
});
