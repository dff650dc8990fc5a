import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PodDisruptionBudget } from '#gen/kube/types.ts';
import { podOf, readyPod } from '../testing.ts';
import { budgetStatus } from './budget.ts';

const NOW = Date.parse('2026-01-01T00:10:00Z');
const budget = (spec: object, status: object = {}): PodDisruptionBudget => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'web' },
  spec: { selector: {}, ...spec },
  status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0, ...status },
});
const healthy = ['a', 'b', 'c', 'd'].map((name) => readyPod(name));

describe('a disruption budget', () => {
  const cases: Array<[because: string, spec: object, desired: number, allowed: number]> = [
    ['keeps so many', { minAvailable: 3 }, 3, 1],
    ['keeps a share, rounded up', { minAvailable: '50%' }, 3, 1],
    ['may lack so many', { maxUnavailable: 1 }, 4, 0],
    ['may lack a share, rounded up', { maxUnavailable: '50%' }, 2, 2],
  ];
  for (const [because, spec, desired, allowed] of cases) {
    it(because, () => {
      const status = budgetStatus(budget(spec), healthy, 5, NOW);
      assert.deepEqual(
        [status.desiredHealthy, status.disruptionsAllowed, status.currentHealthy],
        [desired, allowed, 4],
      );
    });
  }

  it('does not count pods that are not ready, go, or were allowed to go', () => {
    const disruptedPods = { a: '2026-01-01T00:09:59Z', b: '2026-01-01T00:00:00Z', gone: '2026-01-01T00:09:59Z' };
    const pods = [...healthy, podOf('unready')];
    const status = budgetStatus(budget({ minAvailable: 1 }, { disruptedPods }), pods, 5, NOW);
    assert.deepEqual([status.currentHealthy, status.disruptedPods], [3, { a: '2026-01-01T00:09:59Z' }]);
  });
});
