import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { CONFIG_MAP, NAMESPACE, SERVICE } from '../../api/kinds.ts';
import { isComplete, newPosition, policyOf, positionsOf } from './position.ts';

const AT = { namespace: 'shop', name: 'web' };

describe('Where a new resource goes', () => {
  it('may follow a workload only if it is a service, and nothing in particular if it is in no namespace', () => {
    assert.deepEqual(positionsOf(SERVICE), ['matching', 'inherit', 'reuse', 'own']);
    assert.deepEqual(positionsOf(CONFIG_MAP), ['matching', 'reuse', 'own']);
    assert.deepEqual(positionsOf(NAMESPACE), ['matching']);
  });

  it('is told by a policy of its own, for it alone and named so that no workload’s policy is in the way', () => {
    const policy = parse(policyOf({ ...newPosition(), mode: 'own' }, SERVICE, AT) ?? '');
    assert.deepEqual(policy.metadata, { name: 'web-service', namespace: 'shop' });
    assert.deepEqual(policy.spec.resourceSelectors, [{ apiVersion: 'v1', kind: 'Service', name: 'web' }]);
  });

  it('is told by a policy that is for one more thing, once', () => {
    const reused =
      'metadata: { name: p } # the shop\nspec:\n  resourceSelectors:\n    - { apiVersion: apps/v1, kind: Deployment }\n';
    const written = policyOf({ ...newPosition(), mode: 'reuse', reused }, SERVICE, AT) ?? '';
    assert.match(written, /# the shop/);
    assert.equal(parse(written).spec.resourceSelectors.length, 2);
    assert.equal(policyOf({ ...newPosition(), mode: 'reuse', reused: written }, SERVICE, AT), written);
  });

  it('is left to others otherwise, and needs a choice where there is one', () => {
    assert.equal(policyOf(newPosition(), SERVICE, AT), undefined);
    assert.equal(isComplete(newPosition()), true);
    assert.equal(isComplete({ ...newPosition(), mode: 'inherit' }), false);
    assert.equal(isComplete({ ...newPosition(), mode: 'inherit', workload: 'web' }), true);
    assert.equal(isComplete({ ...newPosition(), mode: 'reuse' }), false);
  });
});
