import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { HorizontalPodAutoscalerBehavior, MetricSpec } from '#gen/kube/types.ts';
import type { FederatedHpa } from '#karmada/apis/index.ts';
import { desiredReplicas, type ScalingInput } from './desired-replicas.ts';
import type { Reading } from './evaluate-metric.ts';
import type { PodView } from './pod-view.ts';
import { NO_HISTORY, type ScalingHistory, withScale } from './scaling-limits.ts';

const NOW = Date.UTC(2026, 0, 1, 12);
const MINUTE = 60_000;

/** Pods that have been up for an hour, each asking for one CPU, spread over two members. */
function pods(count: number, change: (at: number) => Partial<PodView> = () => ({})): PodView[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `m${at % 2}/web-${at}`,
    name: `web-${at}`,
    labels: { app: 'web' },
    phase: 'Running',
    deleting: false,
    startedAt: NOW - 60 * MINUTE,
    ready: { status: 'True', since: NOW - 59 * MINUTE },
    containers: [{ name: 'main', requests: { cpu: 1_000 } }],
    ...change(at),
  }));
}

function using(list: readonly PodView[], ...millis: readonly (number | undefined)[]): Reading {
  const samples = list.flatMap(({ id }, at) => {
    const value = millis[at];
    return value === undefined ? [] : [[id, { value, at: NOW - 30_000, windowMs: 15_000 }] as const];
  });
  return { type: 'samples', samples: new Map(samples) };
}

const cpu = (averageUtilization: number): MetricSpec => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});
const spec = (more: Partial<FederatedHpa['spec']> = {}): FederatedHpa['spec'] => ({
  scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
  minReplicas: 1,
  maxReplicas: 100,
  metrics: [cpu(30)],
  ...more,
});

/** As if the autoscaler had looked on for long, and nothing held it back but what a case adds. */
const CALM: ScalingHistory = { recommendations: [{ at: NOW - 60 * MINUTE, replicas: 1 }], ups: [], downs: [] };

function decide(list: readonly PodView[], reading: Reading, more: Partial<ScalingInput> = {}) {
  const current = more.current ?? list.length;
  return desiredReplicas({
    namespace: 'default',
    spec: spec(),
    current,
    members: { share: 1, statusReplicas: current },
    pods: list,
    readings: [reading],
    history: CALM,
    now: NOW,
    ...more,
  });
}

const conditionOf = (decision: ReturnType<typeof decide>, type: string) =>
  decision.conditions.findLast((condition) => condition.type === type);

describe('desiredReplicas by CPU, in percent of what is requested', () => {
  const unready =
    (...which: readonly number[]) =>
    (at: number) =>
      which.includes(at) ? { ready: { status: 'False', since: NOW - 59 * MINUTE - 50_000 } } : {};
  const pending =
    (...which: readonly number[]) =>
    (at: number) =>
      which.includes(at) ? { phase: 'Pending' } : {};
  const cases: [because: string, list: PodView[], used: (number | undefined)[], target: number, desired: number][] = [
    ['more when it is above its target', pods(3), [300, 500, 700], 30, 5],
    ['less when it is below', pods(5), [100, 300, 500, 250, 250], 50, 3],
    ['the same within the tolerance', pods(3), [1_010, 1_030, 1_020], 100, 3],
    ['the same at the edge of the tolerance', pods(10), Array.from({ length: 10 }, () => 330), 30, 10],
    ['pods that are not ready count for nothing when scaling up', pods(3, unready(0)), [300, 500, 700], 30, 4],
    ['pods that have not started count for nothing', pods(3, pending(0)), [undefined, 500, 700], 30, 4],
    ['pods on their way out are left aside', pods(3, (at) => (at ? {} : { deleting: true })), [900, 500, 700], 30, 4],
    ['pods without a reading use nothing when scaling up', pods(3), [1_000, undefined, 700], 30, 6],
    ['pods without a reading use all they may when scaling down', pods(4), [200, 200, 200, undefined], 80, 2],
    ['a guess does not turn the direction', pods(3), [undefined, undefined, 100], 30, 3],
  ];
  for (const [because, list, used, target, desired] of cases) {
    it(because, () => {
      const decision = decide(list, using(list, ...used), { spec: spec({ metrics: [cpu(target)] }) });
      assert.equal(decision.desired, desired, decision.steps.join('\n'));
    });
  }

  it('tells how it came about, and what it saw', () => {
    const list = pods(3);
    const decision = decide(list, using(list, 300, 500, 700));
    assert.equal(decision.reason, 'cpu resource utilization (percentage of request) above target');
    assert.deepEqual(decision.currentMetrics, [
      { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 50, averageValue: '500m' } } },
    ]);
    assert.deepEqual(decision.steps, [
      'cpu resource utilization (percentage of request): 167% of the target on 3 ready pods → 5',
      'stabilised to 5: recommended size matches current size',
      'limited to 5: the desired count is within the acceptable range',
    ]);
    assert.equal(conditionOf(decision, 'ScalingActive')?.reason, 'ValidMetricFound');
  });

  it('is brought to the scale of the whole when some members do not answer', () => {
    const list = pods(2);
    // Two of four replicas answer, at twice the target.
    const decision = decide(list, using(list, 600, 600), {
      current: 4,
      members: { share: 0.5, statusReplicas: 2 },
    });
    assert.equal(decision.desired, 8);
  });

  it('needs requests, and says whose are missing', () => {
    const list = pods(1, () => ({ containers: [{ name: 'main', requests: {} }] }));
    const decision = decide(list, using(list, 100));
    assert.equal(decision.undecided, true);
    assert.equal(decision.desired, 1);
    assert.deepEqual(conditionOf(decision, 'ScalingActive'), {
      type: 'ScalingActive',
      status: 'False',
      reason: 'FailedGetResourceMetric',
      message:
        'the HPA was unable to compute the replica count: failed to get cpu utilization: missing request for cpu in container main of Pod web-0',
    });
  });
});

describe('desiredReplicas by other metrics', () => {
  const list = pods(4);
  const value = (millis: number): Reading => ({ type: 'value', value: millis });
  const target = (kind: 'value' | 'averageValue', amount: string) => ({
    type: kind === 'value' ? 'Value' : 'AverageValue',
    [kind]: amount,
  });
  const describedObject = { kind: 'Service', name: 'web' };
  const cases: [because: string, metric: MetricSpec, reading: Reading, desired: number, shown: string][] = [
    [
      'the average of what pods report',
      { type: 'Pods', pods: { metric: { name: 'rps' }, target: target('averageValue', '10') } },
      using(list, 20_000, 20_000, 10_000, 10_000),
      6,
      'pods metric rps above target',
    ],
    [
      'one value of an object',
      { type: 'Object', object: { describedObject, metric: { name: 'rps' }, target: target('value', '100') } },
      value(200_000),
      8,
      'Service metric rps above target',
    ],
    [
      'a value of an object that pods share',
      { type: 'Object', object: { describedObject, metric: { name: 'rps' }, target: target('averageValue', '10') } },
      value(75_000),
      8,
      'external metric rps(nil) above target',
    ],
    [
      'an external value that pods share',
      {
        type: 'External',
        external: {
          metric: { name: 'jobs', selector: { matchLabels: { queue: 'q' } } },
          target: target('averageValue', '5'),
        },
      },
      value(30_000),
      6,
      'external metric jobs(queue=q) above target',
    ],
    [
      'a value of a resource',
      { type: 'Resource', resource: { name: 'memory', target: target('averageValue', '100Mi') } },
      using(list, ...Array.from({ length: 4 }, () => 150 * 1024 * 1024 * 1_000)),
      6,
      'memory resource above target',
    ],
  ];
  for (const [because, metric, reading, desired, reason] of cases) {
    it(because, () => {
      const decision = decide(list, reading, { spec: spec({ metrics: [metric] }) });
      assert.deepEqual([decision.desired, decision.reason], [desired, reason], decision.steps.join('\n'));
    });
  }
});

describe('desiredReplicas with several metrics', () => {
  const list = pods(3);
  const failed: Reading = { type: 'failed', message: 'nobody answers' };
  const both = { spec: spec({ metrics: [cpu(30), cpu(90)] }) };

  it('follows the one that asks for most', () => {
    const reading = using(list, 300, 500, 700);
    assert.equal(decide(list, reading, { ...both, readings: [reading, reading] }).desired, 5);
  });
  it('goes up by what can be read', () => {
    const decision = decide(list, failed, { ...both, readings: [using(list, 300, 500, 700), failed] });
    assert.deepEqual([decision.desired, decision.undecided], [5, undefined]);
    assert.match(
      decision.error ?? '',
      /^invalid metrics \(1 invalid out of 2\), first error is: failed to get cpu resource metric/,
    );
  });
  it('never goes down while something cannot be read', () => {
    const decision = decide(list, failed, { ...both, readings: [using(list, 10, 10, 10), failed] });
    assert.deepEqual([decision.desired, decision.undecided], [3, true]);
  });
  it('names members that did not answer', () => {
    const partial: Reading = {
      type: 'samples',
      samples: new Map([['m0/web-0', { value: 900, at: NOW, windowMs: 0 }]]),
      silent: ['cluster m2: does not serve it'],
    };
    assert.match(
      conditionOf(decide(list, partial), 'ScalingActive')?.message ?? '',
      /, without cluster m2: does not serve it$/,
    );
  });
});

describe('desiredReplicas within bounds', () => {
  const list = pods(3);
  const reading = using(list, 1_000, 1_000, 1_000);

  it('comes back from outside of them, whatever the metrics say', () => {
    const high = decide(list, reading, { spec: spec({ maxReplicas: 2 }) });
    assert.deepEqual([high.desired, high.reason], [2, 'Current number of replicas above Spec.MaxReplicas']);
    const low = decide(list, reading, { spec: spec({ minReplicas: 5 }) });
    assert.deepEqual([low.desired, low.reason], [5, 'Current number of replicas below Spec.MinReplicas']);
  });
  it('stays at zero when somebody scaled it there', () => {
    const decision = decide([], reading, { current: 0 });
    assert.equal(decision.desired, 0);
    assert.equal(conditionOf(decision, 'ScalingActive')?.reason, 'ScalingDisabled');
  });
  it('is limited, and says by what', () => {
    const limit = (more: Partial<FederatedHpa['spec']>, used = 1_000) => {
      const decision = decide(list, using(list, used, used, used), { spec: spec(more) });
      return [decision.desired, conditionOf(decision, 'ScalingLimited')?.reason];
    };
    assert.deepEqual(limit({ maxReplicas: 5 }), [5, 'TooManyReplicas']);
    assert.deepEqual(limit({ minReplicas: 3 }, 10), [3, 'TooFewReplicas']);
    assert.deepEqual(limit({ metrics: [cpu(5)] }), [6, 'ScaleUpLimit']);
    assert.deepEqual(limit({}, 400), [4, 'DesiredWithinRange']);
  });
});

describe('desiredReplicas and time', () => {
  const list = pods(10);
  const low = using(list, ...list.map(() => 30));
  const high = using(list, ...list.map(() => 900));
  const since = (ms: number, replicas: number): ScalingHistory => ({
    ...NO_HISTORY,
    recommendations: [{ at: NOW - ms, replicas }],
  });

  it('goes down only when nothing higher was recommended in the last five minutes', () => {
    const held = decide(list, low, { history: since(4 * MINUTE, 7) });
    assert.deepEqual([held.desired, conditionOf(held, 'AbleToScale')?.reason], [7, 'ScaleDownStabilized']);
    assert.equal(decide(list, low, { history: since(6 * MINUTE, 7) }).desired, 1);
  });
  it('begins with what there is', () => assert.equal(decide(list, low, { history: NO_HISTORY }).desired, 10));

  const behavior = (more: HorizontalPodAutoscalerBehavior): Partial<ScalingInput> => ({
    spec: spec({
      behavior: {
        scaleUp: { policies: [{ type: 'Percent', value: 900, periodSeconds: 60 }] },
        scaleDown: { stabilizationWindowSeconds: 0, policies: [{ type: 'Percent', value: 100, periodSeconds: 60 }] },
        ...more,
      },
    }),
  });
  const pods4 = { type: 'Pods', value: 4, periodSeconds: 60 };
  const percent10 = { type: 'Percent', value: 10, periodSeconds: 60 };

  it('keeps the pace its behavior allows', () => {
    const limit = (more: HorizontalPodAutoscalerBehavior, reading = high, history = CALM) =>
      decide(list, reading, { ...behavior(more), history }).desired;
    assert.equal(limit({}), 30);
    assert.equal(limit({ scaleUp: { policies: [pods4, percent10] } }), 14, 'the most that one policy allows');
    assert.equal(limit({ scaleUp: { selectPolicy: 'Min', policies: [pods4, percent10] } }), 11);
    assert.equal(limit({ scaleUp: { selectPolicy: 'Disabled', policies: [pods4] } }), 10);
    const down = { stabilizationWindowSeconds: 0, policies: [pods4, percent10] };
    assert.equal(limit({ scaleDown: down }, low), 6);
    assert.equal(limit({ scaleDown: { ...down, selectPolicy: 'Min' } }, low), 9);
    assert.equal(limit({ scaleDown: { ...down, selectPolicy: 'Disabled' } }, low), 10);
  });
  it('counts what it did in the period', () => {
    const rules = { scaleUp: { policies: [pods4] } };
    const given = behavior(rules).spec ?? assert.fail('no spec');
    const before = withScale(CALM, 7, 10, given, NOW - 30_000);
    assert.equal(decide(list, high, { ...behavior(rules), history: before }).desired, 11);
    const longAgo = withScale(CALM, 7, 10, given, NOW - 90_000);
    assert.equal(decide(list, high, { ...behavior(rules), history: longAgo }).desired, 14);
  });
  it('goes up only to what was recommended all along, when its behavior says so', () => {
    const rules = behavior({
      scaleUp: { stabilizationWindowSeconds: 120, policies: [{ type: 'Percent', value: 900, periodSeconds: 60 }] },
    });
    const held = decide(list, high, { ...rules, history: since(MINUTE, 12) });
    assert.deepEqual([held.desired, conditionOf(held, 'AbleToScale')?.reason], [12, 'ScaleUpStabilized']);
  });
  it('lets differences be that its behavior tolerates', () => {
    const tolerant = behavior({
      scaleUp: { tolerance: '3', policies: [{ type: 'Pods', value: 99, periodSeconds: 60 }] },
    });
    assert.equal(decide(list, high, tolerant).desired, 10);
  });
});

it('desiredReplicas never leaves its bounds, and never moves against its metric', () => {
  const usage = fc.integer({ min: 0, max: 3_000 });
  const input = fc.record({
    used: fc.array(fc.option(usage), { minLength: 1, maxLength: 20 }),
    target: fc.integer({ min: 1, max: 200 }),
    min: fc.integer({ min: 1, max: 10 }),
    extra: fc.integer({ min: 0, max: 30 }),
    held: fc.array(fc.record({ age: fc.integer({ min: 0, max: 600_000 }), replicas: fc.integer({ min: 1, max: 40 }) })),
  });
  fc.assert(
    fc.property(input, ({ used, target, min, extra, held }) => {
      const list = pods(used.length);
      const max = min + extra;
      const decision = decide(list, using(list, ...used.map((value) => value ?? undefined)), {
        spec: spec({ minReplicas: min, maxReplicas: max, metrics: [cpu(target)] }),
        history: { ...NO_HISTORY, recommendations: held.map(({ age, replicas }) => ({ at: NOW - age, replicas })) },
      });
      if (!decision.undecided) assert.ok(decision.desired >= min && decision.desired <= max);
      const known = used.filter((value) => value !== null);
      const average = known.reduce((sum, value) => sum + value, 0) / known.length;
      const inBounds = list.length >= min && list.length <= max;
      if (inBounds && average / 10 < target) {
        const highest = Math.max(list.length, ...held.map(({ replicas }) => replicas));
        assert.ok(decision.desired <= highest, 'below its target it does not grow, but for what was recommended');
      }
      if (inBounds && Math.trunc(average / 10) >= target) assert.ok(decision.desired >= list.length);
    }),
    { seed: 1, numRuns: 500 },
  );
});
