import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ContainerStatus, Pod } from '#gen/kube/types.ts';
import { loggedLife, requireRunning } from './container-state.ts';

const T0 = '2026-01-01T00:00:00Z';
const T1 = '2026-01-01T00:01:00Z';
const terminated = { exitCode: 2, startedAt: T0, finishedAt: T1 };

function pod(status: Partial<ContainerStatus> | undefined): Pod {
  const own = { name: 'c', image: '', imageID: '', ready: true, restartCount: 0, ...status };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c' }] },
    status: {
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: T1 }],
      ...(status ? { containerStatuses: [own] } : {}),
    },
  };
}

describe('the life that a log is of', () => {
  const ended = { startedAt: Date.parse(T0), end: { at: Date.parse(T1), exitCode: 2, reason: 'Error' } };
  const cases: [because: string, status: Partial<ContainerStatus>, previous: boolean, life: object][] = [
    [
      'a running container has a start, and the time it was ready',
      { state: { running: { startedAt: T0 } } },
      false,
      { startedAt: Date.parse(T0), readyAt: Date.parse(T1) },
    ],
    ['an ended container has an end', { state: { terminated } }, false, ended],
    [
      'a container that waits to be started again tells of its last run',
      { state: {}, lastState: { terminated } },
      false,
      ended,
    ],
    [
      'the one before is the last that ended',
      { state: { running: { startedAt: T1 } }, lastState: { terminated } },
      true,
      ended,
    ],
  ];
  for (const [because, status, previous, life] of cases) {
    it(because, () => assert.deepEqual(loggedLife(pod(status), 'c', previous), life));
  }

  const refused: [status: Partial<ContainerStatus> | undefined, previous: boolean, message: string][] = [
    [undefined, false, 'container "c" in pod "p" is waiting to start: ContainerCreating'],
    [
      { state: { waiting: { reason: 'ErrImagePull' } } },
      false,
      'container "c" in pod "p" is waiting to start: ErrImagePull',
    ],
    [{ state: { running: { startedAt: T0 } } }, true, 'previous terminated container "c" in pod "p" not found'],
  ];
  for (const [status, previous, message] of refused) {
    it(`is refused with: ${message}`, () => assert.throws(() => loggedLife(pod(status), 'c', previous), { message }));
  }

  it('commands are only for those that run', () => {
    requireRunning(pod({ state: { running: {} } }), 'c');
    assert.throws(() => requireRunning(pod({ state: { terminated } }), 'c'), { message: 'container not found ("c")' });
  });
});
