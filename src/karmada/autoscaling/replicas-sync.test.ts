import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ResourceBinding } from '#karmada/apis/index.ts';
import { replicasSync } from './replicas-sync.ts';

describe('replicasSync', () => {
  function binding(more: Partial<ResourceBinding['spec']> = {}, ...replicas: readonly number[]): ResourceBinding {
    return {
      apiVersion: 'work.karmada.io/v1alpha2',
      kind: 'ResourceBinding',
      metadata: { name: 'web-deployment', generation: 2 },
      spec: {
        resource: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        replicas: 4,
        clusters: [{ name: 'm1' }, { name: 'm2' }],
        placement: { replicaScheduling: { replicaSchedulingType: 'Divided' } },
        ...more,
      },
      status: {
        schedulerObservedGeneration: 2,
        aggregatedStatus: replicas.map((count, at) => ({ clusterName: `m${at + 1}`, status: { replicas: count } })),
      },
    };
  }
  const scaled = { spec: { replicas: 4 }, status: { replicas: 6 } } as never;
  const unscheduled = { ...binding({}, 4, 2), metadata: { name: 'web-deployment', generation: 3 } };
  const cases: [because: string, template: never, bound: ResourceBinding, type: string][] = [
    ['when everything has arrived', scaled, binding({}, 4, 2), 'set'],
    ['when replicas are duplicated', scaled, binding({ placement: {} }, 4, 2), 'none'],
    ['when nothing changed', { spec: { replicas: 6 }, status: { replicas: 6 } } as never, binding({}, 4, 2), 'none'],
    ['while the binding has another number', scaled, binding({ replicas: 5 }, 4, 2), 'wait'],
    ['while it is being scheduled', scaled, unscheduled, 'wait'],
    ['while a member has not reported', scaled, binding({}, 6), 'wait'],
    ['while a member has reported nothing yet', scaled, binding({}, 6, 0), 'wait'],
    ['while the template has not heard of it', scaled, binding({}, 4, 3), 'wait'],
  ];
  for (const [because, template, bound, type] of cases) {
    it(`says ${type} ${because}`, () => assert.equal(replicasSync(template, bound).type, type));
  }
});
