import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '#kube/meta/object.ts';
import { nativeInterpreter } from './index.ts';
import { object, statuses } from './testing.ts';

type Status = Record<string, unknown> | undefined;
type Case = [because: string, template: KubeObject, members: readonly Status[], expected: Status];

function table(cases: readonly Case[]): void {
  for (const [because, template, members, expected] of cases) {
    it(because, () =>
      assert.deepEqual(nativeInterpreter.aggregateStatus(template, statuses(...members))['status'], expected),
    );
  }
}

const seen = (generation: number, more: Record<string, unknown>): Status => ({
  generation: 5,
  observedGeneration: 5,
  resourceTemplateGeneration: generation,
  ...more,
});
const deployment = (status?: Status) => object('apps/v1', 'Deployment', status ? { status } : {}, { generation: 2 });

describe('the status of a Deployment', () => {
  table([
    [
      'is the sum, at the generation that every member has observed',
      deployment(),
      [
        seen(2, { replicas: 2, readyReplicas: 2, updatedReplicas: 2, availableReplicas: 2 }),
        seen(2, { replicas: 1, unavailableReplicas: 1 }),
      ],
      {
        observedGeneration: 2,
        replicas: 3,
        readyReplicas: 2,
        updatedReplicas: 2,
        availableReplicas: 2,
        unavailableReplicas: 1,
      },
    ],
    [
      'keeps the old generation while a member lags behind the template',
      deployment({ observedGeneration: 1 }),
      [seen(2, { replicas: 1 }), seen(1, { replicas: 1 })],
      { observedGeneration: 1, replicas: 2 },
    ],
    [
      'keeps it while a controller in a member has not caught up',
      deployment({ observedGeneration: 1 }),
      [{ generation: 5, observedGeneration: 4, resourceTemplateGeneration: 2, replicas: 1 }],
      { observedGeneration: 1, replicas: 1 },
    ],
    [
      'keeps it while a member has said nothing',
      deployment({ observedGeneration: 1 }),
      [seen(2, { replicas: 1 }), undefined],
      { observedGeneration: 1, replicas: 1 },
    ],
    [
      'is nothing but observed without members',
      deployment({ observedGeneration: 1, replicas: 3 }),
      [],
      { observedGeneration: 2 },
    ],
    [
      'leaves alone what is not counted',
      deployment({ conditions: [{ type: 'Available' }], replicas: 9 }),
      [seen(2, { replicas: 1 })],
      { conditions: [{ type: 'Available' }], observedGeneration: 2, replicas: 1 },
    ],
  ]);
});

describe('the status of other workloads', () => {
  table([
    [
      'a ReplicaSet has its replicas even when there are none',
      object('apps/v1', 'ReplicaSet', {}, { generation: 1 }),
      [seen(1, { replicas: 0 })],
      { observedGeneration: 1, replicas: 0 },
    ],
    [
      'a DaemonSet',
      object('apps/v1', 'DaemonSet', {}, { generation: 1 }),
      [
        seen(1, { desiredNumberScheduled: 2, numberReady: 1, numberAvailable: 1 }),
        seen(1, { desiredNumberScheduled: 3 }),
      ],
      {
        observedGeneration: 1,
        currentNumberScheduled: 0,
        numberMisscheduled: 0,
        desiredNumberScheduled: 5,
        numberReady: 1,
        numberAvailable: 1,
      },
    ],
    [
      'a StatefulSet, whose members never say what they observed',
      object('apps/v1', 'StatefulSet', {}, { generation: 1 }),
      [{ generation: 5, resourceTemplateGeneration: 1, replicas: 2, readyReplicas: 1, availableReplicas: 1 }],
      { replicas: 2, availableReplicas: 1, readyReplicas: 1 },
    ],
    [
      'a CronJob has the jobs of all, and the latest times',
      object('batch/v1', 'CronJob', {}),
      [
        { active: [{ name: 'a' }], lastScheduleTime: '2026-01-01T00:00:00Z' },
        {
          active: [{ name: 'b' }],
          lastScheduleTime: '2026-01-02T00:00:00Z',
          lastSuccessfulTime: '2026-01-01T00:00:00Z',
        },
      ],
      {
        active: [{ name: 'a' }, { name: 'b' }],
        lastScheduleTime: '2026-01-02T00:00:00Z',
        lastSuccessfulTime: '2026-01-01T00:00:00Z',
      },
    ],
    [
      'an autoscaler',
      object('autoscaling/v2', 'HorizontalPodAutoscaler', {}),
      [{ currentReplicas: 1, desiredReplicas: 2 }, { desiredReplicas: 3 }],
      { currentReplicas: 1, desiredReplicas: 5 },
    ],
    [
      'a disruption budget names the cluster of each disrupted pod',
      object('policy/v1', 'PodDisruptionBudget', {}),
      [
        { currentHealthy: 1, desiredHealthy: 1, expectedPods: 2, disruptedPods: { p: '2026-01-01T00:00:00Z' } },
        { disruptionsAllowed: 1 },
      ],
      {
        disruptionsAllowed: 1,
        currentHealthy: 1,
        desiredHealthy: 1,
        expectedPods: 2,
        disruptedPods: { 'm1/p': '2026-01-01T00:00:00Z' },
      },
    ],
  ]);
});

describe('the phase', () => {
  const phases = (...each: (string | undefined)[]) =>
    each.map((phase) => (phase === undefined ? undefined : { phase }));
  const pod = object('v1', 'Pod', {});
  const volume = object('v1', 'PersistentVolume', {});
  const claim = object('v1', 'PersistentVolumeClaim', {});
  table([
    ['of a Pod is Failed if one failed', pod, phases('Running', 'Failed', 'Pending'), { phase: 'Failed' }],
    ['of a Pod is Pending while one has said nothing', pod, phases('Running', undefined), { phase: 'Pending' }],
    ['of a Pod is Running while not all are done', pod, phases('Running', 'Succeeded'), { phase: 'Running' }],
    ['of a Pod without members is what it was', pod, [], undefined],
    [
      'of a volume prefers what needs attention',
      volume,
      phases('Bound', 'Released', 'Available'),
      { phase: 'Available' },
    ],
    ['of a volume that failed somewhere', volume, phases('Bound', 'Failed'), { phase: 'Failed' }],
    ['of a claim is Bound when all are', claim, phases('Bound', 'Bound'), { phase: 'Bound' }],
    ['of a claim is Pending when one is', claim, phases('Pending', 'Bound'), { phase: 'Pending' }],
    ['of a claim is Lost when one is', claim, phases('Lost', 'Pending'), { phase: 'Lost' }],
  ]);

  it('of a Pod comes with the containers of all, by readiness and state only', () => {
    const containerStatuses = [{ name: 'c', image: 'i', ready: true, state: { running: {} } }];
    const status = nativeInterpreter.aggregateStatus(pod, statuses({ phase: 'Running', containerStatuses }))['status'];
    assert.deepEqual(status, { phase: 'Running', containerStatuses: [{ ready: true, state: { running: {} } }] });
  });
});

describe('the addresses of load balancers', () => {
  const service = (type: string) => object('v1', 'Service', { spec: { type } });
  const balanced = (...ingress: Record<string, unknown>[]) => ({ loadBalancer: { ingress } });
  table([
    [
      'are those of all members, host names first, each once',
      service('LoadBalancer'),
      [
        balanced({ ip: '2.2.2.2' }, { hostname: 'b.io' }),
        balanced({ ip: '1.1.1.1' }, { ip: '2.2.2.2' }),
        balanced({ hostname: 'a.io' }),
      ],
      balanced({ hostname: 'a.io' }, { hostname: 'b.io' }, { ip: '1.1.1.1' }, { ip: '2.2.2.2' }),
    ],
    [
      'have the ports of all who name them',
      object('networking.k8s.io/v1', 'Ingress', {}),
      [
        balanced({ ip: '1.1.1.1', ports: [{ port: 443, protocol: 'TCP' }] }),
        balanced({ ip: '1.1.1.1', ports: [{ port: 80, protocol: 'TCP' }] }),
      ],
      balanced({
        ip: '1.1.1.1',
        ports: [
          { port: 80, protocol: 'TCP' },
          { port: 443, protocol: 'TCP' },
        ],
      }),
    ],
    ['are none without members', service('LoadBalancer'), [undefined], { loadBalancer: {} }],
    ['do not matter for other services', service('ClusterIP'), [balanced({ ip: '1.1.1.1' })], undefined],
  ]);
});

describe('a Job', () => {
  const job = (status?: Status) => object('batch/v1', 'Job', status ? { status } : {});
  const done = (type: string, at: string) => ({ type, status: 'True', lastTransitionTime: at });
  const complete = (at: string, ...more: Record<string, unknown>[]) => ({
    succeeded: 1,
    startTime: '2026-01-01T00:00:00Z',
    completionTime: at,
    conditions: [done('Complete', at), ...more],
  });
  const [early, late] = ['2026-01-01T01:00:00Z', '2026-01-01T02:00:00Z'];
  const condition = (type: string, reason: string, message: string, at = late) => ({
    type,
    status: 'True',
    lastProbeTime: at,
    lastTransitionTime: at,
    reason,
    message,
  });
  table([
    [
      'is complete when it is everywhere, at the latest time',
      job(),
      [complete(late), complete(early)],
      {
        succeeded: 2,
        conditions: [condition('Complete', 'Completed', 'Job completed')],
        startTime: '2026-01-01T00:00:00Z',
        completionTime: late,
      },
    ],
    [
      'is not while one still runs',
      job(),
      [complete(early), { active: 1, startTime: early }],
      {
        active: 1,
        succeeded: 1,
        startTime: '2026-01-01T00:00:00Z',
      },
    ],
    ['has not started before all have', job(), [complete(early), { active: 1 }], { active: 1, succeeded: 1 }],
    [
      'failed when it failed somewhere',
      job(),
      [{ failed: 1, conditions: [done('Failed', late)] }, complete(early)],
      {
        succeeded: 1,
        failed: 1,
        conditions: [condition('Failed', 'JobFailed', 'Job executed failed in member clusters m1')],
      },
    ],
    [
      'met its criteria when all did',
      job(),
      [complete(late, done('SuccessCriteriaMet', early))],
      {
        succeeded: 1,
        conditions: [
          condition('Complete', 'Completed', 'Job completed'),
          condition('SuccessCriteriaMet', 'CompletionsReached', 'All member clusters have met success criteria'),
        ],
        startTime: '2026-01-01T00:00:00Z',
        completionTime: late,
      },
    ],
    [
      'keeps the time it first started',
      job({ startTime: early }),
      [complete(late)],
      {
        succeeded: 1,
        conditions: [condition('Complete', 'Completed', 'Job completed')],
        startTime: early,
        completionTime: late,
      },
    ],
    [
      'that is finished stays as it is',
      job({ conditions: [done('Complete', early)] }),
      [{ active: 3 }],
      { conditions: [done('Complete', early)] },
    ],
  ]);
});
