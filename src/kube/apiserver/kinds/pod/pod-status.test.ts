import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '#gen/kube/types.ts';
import type { Given } from '../kind.ts';
import { type PodSummary, podSummary } from './pod-status.ts';

const NOW = Date.parse('2026-01-01T01:00:00Z');
const running = { name: 'a', ready: true, started: true, restartCount: 0, state: { running: {} } };
const ended = (exitCode: number, reason?: string) => ({ terminated: { exitCode, ...(reason ? { reason } : {}) } });

function summary(pod: Given<Pod>): PodSummary {
  return podSummary({ spec: { containers: [{ name: 'a' }] }, ...pod }, NOW);
}

describe('podSummary', () => {
  const cases: [because: string, pod: Given<Pod>, ready: string, status: string, restarts?: string][] = [
    ['a new pod waits', { status: { phase: 'Pending' } }, '0/1', 'Pending'],
    ['a pod runs', { status: { phase: 'Running', containerStatuses: [running] } }, '1/1', 'Running'],
    [
      'a container that cannot start is told',
      {
        status: {
          phase: 'Pending',
          containerStatuses: [{ ...running, ready: false, state: { waiting: { reason: 'ImagePullBackOff' } } }],
        },
      },
      '0/1',
      'ImagePullBackOff',
    ],
    [
      'a container that keeps failing is told, and how often',
      {
        status: {
          phase: 'Running',
          containerStatuses: [
            {
              ...running,
              ready: false,
              restartCount: 3,
              state: { waiting: { reason: 'CrashLoopBackOff' } },
              lastState: { terminated: { exitCode: 1, finishedAt: '2026-01-01T00:55:00Z' } },
            },
          ],
        },
      },
      '0/1',
      'CrashLoopBackOff',
      '3 (5m ago)',
    ],
    [
      'a pod that has done its work is completed',
      {
        status: { phase: 'Succeeded', containerStatuses: [{ ...running, ready: false, state: ended(0, 'Completed') }] },
      },
      '0/1',
      'Completed',
    ],
    [
      'a failure without reason tells its code',
      { status: { phase: 'Failed', containerStatuses: [{ ...running, ready: false, state: ended(3) }] } },
      '0/1',
      'ExitCode:3',
    ],
    [
      'a failure by signal tells the signal',
      {
        status: {
          phase: 'Failed',
          containerStatuses: [{ ...running, ready: false, state: { terminated: { exitCode: 137, signal: 9 } } }],
        },
      },
      '0/1',
      'Signal:9',
    ],
    ['an evicted pod says so', { status: { phase: 'Failed', reason: 'Evicted' } }, '0/1', 'Evicted'],
    [
      'a gated pod says so',
      {
        status: {
          phase: 'Pending',
          conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
        },
      },
      '0/1',
      'SchedulingGated',
    ],
    [
      'one of two done leaves the pod running',
      {
        spec: { containers: [{ name: 'a' }, { name: 'b' }] },
        status: {
          phase: 'Running',
          conditions: [{ type: 'Ready', status: 'True' }],
          containerStatuses: [
            { ...running, ready: false, state: ended(0, 'Completed') },
            { ...running, name: 'b' },
          ],
        },
      },
      '1/2',
      'Running',
    ],
    [
      'one of two done leaves a pod that is not ready so',
      {
        spec: { containers: [{ name: 'a' }, { name: 'b' }] },
        status: {
          phase: 'Running',
          containerStatuses: [
            { ...running, ready: false, state: ended(0, 'Completed') },
            { ...running, name: 'b' },
          ],
        },
      },
      '1/2',
      'NotReady',
    ],
    [
      'init containers are counted',
      {
        spec: { initContainers: [{ name: 'i' }, { name: 'j' }], containers: [{ name: 'a' }] },
        status: {
          phase: 'Pending',
          initContainerStatuses: [
            { name: 'i', state: ended(0) },
            { name: 'j', state: { running: {} } },
          ],
        },
      },
      '0/1',
      'Init:1/2',
    ],
    [
      'a failed init container is told',
      {
        spec: { initContainers: [{ name: 'i' }], containers: [{ name: 'a' }] },
        status: { phase: 'Pending', initContainerStatuses: [{ name: 'i', restartCount: 2, state: ended(1, 'Error') }] },
      },
      '0/1',
      'Init:Error',
      '2',
    ],
    [
      'an init container that keeps failing is told',
      {
        spec: { initContainers: [{ name: 'i' }], containers: [{ name: 'a' }] },
        status: {
          phase: 'Pending',
          initContainerStatuses: [{ name: 'i', state: { waiting: { reason: 'CrashLoopBackOff' } } }],
        },
      },
      '0/1',
      'Init:CrashLoopBackOff',
    ],
    [
      'a sidecar counts among the containers',
      {
        spec: { initContainers: [{ name: 's', restartPolicy: 'Always' }], containers: [{ name: 'a' }] },
        status: {
          phase: 'Running',
          initContainerStatuses: [{ name: 's', started: true, ready: true, restartCount: 1, state: { running: {} } }],
          containerStatuses: [running],
        },
      },
      '2/2',
      'Running',
      '1',
    ],
    [
      'a deleted pod ends',
      {
        metadata: { deletionTimestamp: '2026-01-01T01:00:30Z' },
        status: { phase: 'Running', containerStatuses: [running] },
      },
      '1/1',
      'Terminating',
    ],
    [
      'a deleted pod that has ended stays so',
      { metadata: { deletionTimestamp: '2026-01-01T01:00:30Z' }, status: { phase: 'Succeeded' } },
      '0/1',
      'Succeeded',
    ],
    [
      'of a pod on a lost node nothing is known',
      { metadata: { deletionTimestamp: '2026-01-01T01:00:30Z' }, status: { phase: 'Running', reason: 'NodeLost' } },
      '0/1',
      'Unknown',
    ],
  ];
  for (const [because, pod, ready, status, restarts = '0'] of cases) {
    it(because, () => assert.deepEqual(summary(pod), { ready, status, restarts }));
  }
});
