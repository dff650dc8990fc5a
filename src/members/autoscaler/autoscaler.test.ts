import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { HorizontalPodAutoscalerBehavior as Behavior, MetricSpec } from '#gen/kube/types.ts';
import { podUsage } from '../metrics/usage.ts';
import { podOf, readyPod } from '../testing.ts';
import { limitedBy } from './behavior.ts';
import { type Measured, recommend } from './recommendation.ts';

const utilization = (percent: number): MetricSpec => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: percent } },
});
const spec = { nodeName: 'n', containers: [{ name: 'c', resources: { requests: { cpu: '100m' } } }] };
const using = (...cpu: number[]): Measured[] =>
  cpu.map((used, index) => ({
    pod: readyPod(`p${index}`, undefined, { spec }),
    usage: new Map([['c', { cpu: used, memory: 0 }]]),
  }));
const unready = (index: number): Measured => ({ pod: podOf(`u${index}`, { spec }), usage: undefined });

function replicas(metric: MetricSpec, current: number, measured: readonly Measured[]): number | string {
  const found = recommend(metric, current, measured);
  return 'replicas' in found ? found.replicas : found.problem;
}

describe('a recommendation', () => {
  const cases: Array<
    [because: string, metric: MetricSpec, current: number, measured: Measured[], replicas: number | string]
  > = [
    ['twice the target is twice the pods', utilization(50), 2, using(100, 100), 4],
    ['half the target is half the pods', utilization(50), 4, using(25, 25, 25, 25), 2],
    ['a tenth more is near enough', utilization(50), 2, using(55, 55), 2],
    ['what is not ready yet may help soon', utilization(50), 2, [...using(80), unready(1)], 2],
    ['what is not ready yet does not help enough', utilization(50), 2, [...using(150), unready(1)], 3],
    [
      'an average value counts by pod',
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '50m' } } },
      2,
      using(100, 100),
      4,
    ],
    [
      'a container may count alone',
      {
        type: 'ContainerResource',
        containerResource: { name: 'cpu', container: 'c', target: { type: 'Utilization', averageUtilization: 50 } },
      },
      1,
      using(150),
      3,
    ],
    [
      'nothing measured is no reason',
      utilization(50),
      1,
      [unready(1)],
      'unable to get metrics for resource cpu: no metrics returned from resource metrics API',
    ],
    [
      'other metrics are not there',
      { type: 'Pods' },
      1,
      [],
      'unable to get Pods metric: a simulated cluster has resource metrics only',
    ],
  ];
  for (const [because, metric, current, measured, expected] of cases) {
    it(because, () => assert.equal(replicas(metric, current, measured), expected));
  }
});

const NOW = 10_000_000;
const none = { recommended: [], rescaled: [] };
const bounds = { min: 1, max: 100 };
const limit = (behavior: Behavior | undefined, current: number, wanted: number, history = {}) =>
  limitedBy(behavior, bounds, current, wanted, { ...none, ...history }, NOW);

describe('the behaviour of an autoscaler', () => {
  it('goes up by four pods or double, whichever is more', () => {
    assert.deepEqual(limit(undefined, 1, 50), { replicas: 5, by: 'ScaleUpLimit' });
    assert.deepEqual(limit(undefined, 10, 50), { replicas: 20, by: 'ScaleUpLimit' });
    assert.deepEqual(limit(undefined, 10, 12), { replicas: 12 });
  });

  it('counts what it did in the same period', () => {
    const rescaled = [{ at: NOW - 5000, change: 5 }];
    assert.deepEqual(limit(undefined, 10, 50, { rescaled }), { replicas: 10, by: 'ScaleUpLimit' });
  });

  it('goes down only when it was not asked for more for a while', () => {
    const recent = { recommended: [{ at: NOW - 100_000, replicas: 8 }] };
    assert.deepEqual(limit(undefined, 10, 2, recent), { replicas: 8, by: 'ScaleDownStabilized' });
    assert.deepEqual(limit(undefined, 10, 2, { recommended: [{ at: NOW - 400_000, replicas: 8 }] }), { replicas: 2 });
    assert.deepEqual(limit({ scaleDown: { stabilizationWindowSeconds: 0 } }, 10, 2, recent), { replicas: 2 });
  });

  it('keeps to its policies', () => {
    const slow = {
      scaleDown: { stabilizationWindowSeconds: 0, policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] },
    };
    assert.deepEqual(limit(slow, 10, 2), { replicas: 9, by: 'ScaleDownLimit' });
    assert.equal(limit({ scaleUp: { selectPolicy: 'Disabled' } }, 3, 9).replicas, 3);
    const careful = {
      scaleUp: {
        selectPolicy: 'Min',
        policies: [
          { type: 'Pods', value: 1, periodSeconds: 60 },
          { type: 'Percent', value: 100, periodSeconds: 60 },
        ],
      },
    };
    assert.equal(limit(careful, 10, 50).replicas, 11);
  });

  it('stays between its bounds, and never goes past what is asked', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.nat(60), (current, wanted) => {
        const { replicas: found } = limitedBy(undefined, { min: 2, max: 25 }, current, wanted, none, NOW);
        assert.ok(found >= 2 && found <= 25);
        if (current >= 2 && current <= 25) {
          assert.ok(found >= Math.min(current, wanted, 25) && found <= Math.max(current, wanted, 2));
        }
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});

describe('usage', () => {
  const measured = (annotations: object, siblings = 1, limits?: object) =>
    podUsage(
      readyPod('p', undefined, {
        metadata: { annotations },
        spec: {
          containers: [
            { name: 'c', resources: { requests: { cpu: '1', memory: '1Gi' }, ...(limits ? { limits } : {}) } },
          ],
        },
      }),
      siblings,
      NOW,
    );

  it('is a part of what is requested, the same at the same time', () => {
    const { cpu, memory } = measured({});
    assert.ok(cpu >= 200 && cpu <= 600 && memory >= 0.35 * 2 ** 30 && memory <= 0.45 * 2 ** 30);
    assert.deepEqual(measured({}), { cpu, memory });
  });

  it('is what it is asked to be, within limits', () => {
    assert.equal(measured({ 'members.kairship.io/cpu-usage': '350m' }).cpu, 350);
    assert.equal(measured({ 'members.kairship.io/cpu-load': '2' }, 4).cpu, 500);
    assert.equal(measured({ 'members.kairship.io/memory-usage': '64Mi' }).memory, 64 * 2 ** 20);
    assert.equal(measured({ 'members.kairship.io/cpu-usage': '5' }, 1, { cpu: '2' }).cpu, 2000);
  });
});
