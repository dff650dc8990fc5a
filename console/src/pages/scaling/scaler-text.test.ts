import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import type { Thing } from '../../api/objects.ts';
import { metricsOf, newScalerText, rangeOf, rulesOf, scalerLacks, scalerState, targetOf } from './scaler-text.ts';

const scaler: Thing = {
  apiVersion: 'autoscaling.karmada.io/v1alpha1',
  kind: 'FederatedHPA',
  metadata: { name: 'web' },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    minReplicas: 2,
    maxReplicas: 10,
    metrics: [
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } },
      { type: 'Pods', pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '100' } } },
    ],
  },
  status: {
    currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 35 } } }],
    conditions: [{ type: 'ScalingActive', status: 'False', message: 'no metrics' }],
  },
};

describe('an autoscaler', () => {
  it('is read: what it scales, within what, by which measures', () => {
    assert.equal(targetOf(scaler).name, 'web');
    assert.equal(rangeOf(scaler), '2–10');
    assert.deepEqual(metricsOf(scaler), [
      { name: 'cpu', target: '60 %', current: '35 %' },
      { name: 'rps', target: '100', current: '' },
    ]);
  });

  it('is degraded when it says that it cannot scale', () => {
    assert.deepEqual(scalerState(scaler), { state: 'degraded', message: 'no metrics' });
    assert.equal(scalerState({ ...scaler, status: {} }).state, 'progressing');
  });

  it('by the clock tells its rules, when they ran and run next', () => {
    const [rule] = rulesOf({
      ...scaler,
      kind: 'CronFederatedHPA',
      spec: { rules: [{ name: 'up', schedule: '0 8 * * *', targetMinReplicas: 3 }] },
      status: {
        executionHistories: [
          { ruleName: 'up', nextExecutionTime: '2026-01-01T08:00:00Z', failedExecutions: [{ message: 'gone' }] },
        ],
      },
    });
    assert.deepEqual(
      [rule?.replicas, rule?.timeZone, rule?.lastFailure, rule?.nextAt],
      ['3–…', 'UTC', 'gone', Date.parse('2026-01-01T08:00:00Z')],
    );
  });

  it('that is new is of its kind and its version', () => {
    const versions = ['FederatedHPA', 'CronFederatedHPA', 'HorizontalPodAutoscaler'].map((kind) => {
      const read = parse(newScalerText({ kind, namespace: 'shop', target: 'web' })) as Thing;
      return `${read.kind} ${read.apiVersion}`;
    });
    assert.deepEqual(versions, [
      'FederatedHPA autoscaling.karmada.io/v1alpha1',
      'CronFederatedHPA autoscaling.karmada.io/v1alpha1',
      'HorizontalPodAutoscaler autoscaling/v2',
    ]);
  });
});

describe('What an autoscaler lacks', () => {
  const changed = (change: object) => scalerLacks({ ...scaler, spec: { ...scaler.spec, ...change } });

  it('is nothing in what the form begins with', () => {
    for (const kind of ['FederatedHPA', 'CronFederatedHPA', 'HorizontalPodAutoscaler'])
      assert.deepEqual(scalerLacks(parse(newScalerText({ kind, namespace: 'shop', target: 'web' }))), []);
  });

  it('is a range, a measure, a target, or a calm that is not too long', () => {
    assert.deepEqual(changed({ minReplicas: 5, maxReplicas: 3 }), ['range']);
    assert.deepEqual(changed({ minReplicas: 0 }), ['range']);
    assert.deepEqual(changed({ metrics: undefined }), ['metric']);
    assert.deepEqual(changed({ scaleTargetRef: {} }), ['target']);
    assert.deepEqual(changed({ behavior: { scaleDown: { stabilizationWindowSeconds: 3601 } } }), ['calm']);
    assert.deepEqual(changed({ behavior: { scaleDown: { stabilizationWindowSeconds: 3600 } } }), []);
  });

  it('is a rule where it goes by the clock', () => {
    assert.deepEqual(scalerLacks({ kind: 'CronFederatedHPA', spec: { scaleTargetRef: { name: 'web' } } }), ['rule']);
  });
});
