import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFree, promotable } from './promotable.ts';

describe('what could be taken over', () => {
  const free = (kind: string, name: string, namespace = 'shop', labels = {}) =>
    isFree({ kind, metadata: { name, namespace, labels } });

  it('is what no instance put there', () => {
    assert.equal(free('ConfigMap', 'settings'), true);
    assert.equal(free('ConfigMap', 'settings', 'shop', { 'karmada.io/managed': 'true' }), false);
  });

  it('is not what runs the cluster itself', () => {
    assert.equal(free('ConfigMap', 'kube-root-ca.crt'), false);
    assert.equal(free('Service', 'kubernetes', 'default'), false);
    assert.equal(free('ConfigMap', 'coredns', 'kube-system'), false);
  });

  it('begins with deployments', () => {
    assert.equal(promotable('').kind.kind, 'Deployment');
    assert.equal(promotable('Ingress').right, 'kairship/network/promote');
  });
});
