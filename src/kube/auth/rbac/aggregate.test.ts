import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ClusterRole } from '#gen/kube/types.ts';
import { aggregatedRules } from './aggregate.ts';
import { ruleOf } from './bootstrap/rule-text.ts';

function role(name: string, of: { rules?: string[]; gathers?: string; labels?: string[] }): ClusterRole {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name, labels: Object.fromEntries((of.labels ?? []).map((label) => [label, 'true'])) },
    ...(of.rules ? { rules: of.rules.map(ruleOf) } : {}),
    ...(of.gathers ? { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [of.gathers]: 'true' } }] } } : {}),
  };
}

const rulesOf = (roles: readonly ClusterRole[], name: string) => aggregatedRules(roles).get(name);

describe('an aggregated role', () => {
  it('holds the rules of all it names, in the order of their names and each once', () => {
    const roles = [
      role('whole', { gathers: 'w', rules: ['get core old'] }),
      role('b', { labels: ['w'], rules: ['get core b', 'get core shared'] }),
      role('a', { labels: ['w'], rules: ['get core a', 'get core shared'] }),
      role('other', { rules: ['get core other'] }),
    ];
    assert.deepEqual(rulesOf(roles, 'whole'), ['get core a', 'get core shared', 'get core b'].map(ruleOf));
  });

  it('holds what aggregated roles among its parts hold, in whatever order they are found', () => {
    const roles = [
      role('admin', { gathers: 'admin' }),
      role('edit', { gathers: 'edit', labels: ['admin'] }),
      role('view', { gathers: 'view', labels: ['edit'] }),
      role('crd-view', { labels: ['view'], rules: ['get x things'] }),
    ];
    for (const order of [roles, roles.toReversed()]) {
      for (const name of ['admin', 'edit', 'view']) assert.deepEqual(rulesOf(order, name), [ruleOf('get x things')]);
    }
  });

  it('is empty when nothing is labelled for it', () => {
    assert.deepEqual(rulesOf([role('whole', { gathers: 'w', rules: ['get core old'] })], 'whole'), []);
  });

  it('does not keep rules alive that it only has from a role that has them from it', () => {
    const roles = [
      role('one', { gathers: 'one', labels: ['two'], rules: ['get core stale'] }),
      role('two', { gathers: 'two', labels: ['one'], rules: ['get core stale'] }),
      role('part', { labels: ['two'], rules: ['get core real'] }),
    ];
    assert.deepEqual(rulesOf(roles, 'one'), [ruleOf('get core real')]);
    assert.deepEqual(rulesOf(roles, 'two'), [ruleOf('get core real')]);
  });
});
