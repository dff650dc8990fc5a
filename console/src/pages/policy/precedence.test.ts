import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Thing } from '../../api/objects.ts';
import { ladderOf } from './precedence.ts';

const template: Thing = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'web',
    namespace: 'shop',
    labels: { tier: 'front' },
    annotations: { 'propagationpolicy.karmada.io/name': 'held', 'propagationpolicy.karmada.io/namespace': 'shop' },
  },
};
const DEPLOYMENTS = { apiVersion: 'apps/v1', kind: 'Deployment' };

function policy(
  name: string,
  selector: object,
  { priority = 0, wide = false, namespace = 'shop', spec = {} } = {},
): Thing {
  return {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: wide ? 'ClusterPropagationPolicy' : 'PropagationPolicy',
    metadata: { name, ...(wide ? {} : { namespace }) },
    spec: { priority, resourceSelectors: [{ ...DEPLOYMENTS, ...selector }], ...spec },
  };
}
const names = (...policies: readonly Thing[]) => ladderOf(template, policies).map(({ name }) => name);

describe('the ladder of policies', () => {
  it('has those of the namespace above those of the cluster, whatever their priority', () => {
    assert.deepEqual(names(policy('wide', { name: 'web' }, { wide: true, priority: 9 }), policy('own', {})), [
      'own',
      'wide',
    ]);
  });

  it('counts priority before closeness, closeness before the name', () => {
    assert.deepEqual(
      names(
        policy('b', {}),
        policy('a', {}),
        policy('labels', { labelSelector: { matchLabels: { tier: 'front' } } }),
        policy('named', { name: 'web' }),
        policy('urgent', {}, { priority: 1 }),
      ),
      ['urgent', 'named', 'labels', 'a', 'b'],
    );
  });

  it('says what each has over the next', () => {
    const rungs = ladderOf(template, [
      policy('a', { name: 'web' }, { priority: 2 }),
      policy('b', { name: 'web' }),
      policy('c', {}),
      policy('d', {}),
      policy('wide', {}, { wide: true }),
    ]);
    assert.deepEqual(
      rungs.map(({ above }) => above),
      ['priority', 'closeness', 'name', 'own', 'last'],
    );
  });

  it('marks the one in force, which need not be the first', () => {
    const rungs = ladderOf(template, [policy('held', {}), policy('later', { name: 'web' }, { priority: 3 })]);
    assert.deepEqual(
      rungs.map(({ name, inForce }) => [name, inForce]),
      [
        ['later', false],
        ['held', true],
      ],
    );
  });

  it('leaves out what does not match: another name, label, namespace or kind, or on its way out', () => {
    const gone = policy('gone', {});
    assert.deepEqual(
      names(
        policy('other', { name: 'api' }),
        policy('labelled', {
          labelSelector: { matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['front'] }] },
        }),
        policy('elsewhere', {}, { namespace: 'lab' }),
        policy('services', { apiVersion: 'v1', kind: 'Service' }),
        { ...gone, metadata: { ...gone.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } },
        policy('there', { labelSelector: { matchExpressions: [{ key: 'tier', operator: 'Exists' }] } }),
      ),
      ['there'],
    );
  });
});
