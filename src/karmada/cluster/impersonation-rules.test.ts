import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type ClusterRole,
  type ClusterRoleBinding,
  grantsProxy,
  impersonationRules,
  type PolicyRule,
  proxySubjects,
  type Subject,
} from './impersonation-rules.ts';

const apiVersion = 'rbac.authorization.k8s.io/v1';
const role = (name: string, ...rules: PolicyRule[]): ClusterRole => ({
  apiVersion,
  kind: 'ClusterRole',
  metadata: { name },
  rules,
});
const binding = (name: string, ...subjects: Subject[]): ClusterRoleBinding => ({
  apiVersion,
  kind: 'ClusterRoleBinding',
  metadata: { name },
  roleRef: { kind: 'ClusterRole', name },
  subjects,
});
const proxy = { verbs: ['*'], apiGroups: ['cluster.karmada.io'], resources: ['clusters/proxy'] };

describe('who may be impersonated in a member', () => {
  const cases: [because: string, rule: PolicyRule, granted: boolean][] = [
    ['the proxy of all clusters', proxy, true],
    ['the proxy of this cluster', { ...proxy, resourceNames: ['m1'] }, true],
    ['the proxy of another cluster', { ...proxy, resourceNames: ['m2'] }, false],
    ['everything', { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }, true],
    ['clusters but not their proxy', { ...proxy, resources: ['clusters'] }, false],
    [
      'the proxy of the search',
      { verbs: ['get'], apiGroups: ['search.karmada.io'], resources: ['proxying/proxy'] },
      true,
    ],
  ];
  for (const [because, rule, granted] of cases) {
    it(`depends on the role: ${because}`, () => assert.equal(grantsProxy(role('r', rule), 'm1'), granted));
  }
  it('are the subjects of such roles, each once, by kind', () => {
    const alice = { kind: 'User', name: 'alice' };
    const bindings = [
      binding('r', alice, { kind: 'Group', name: 'devs' }),
      binding('r', alice),
      binding('other', { kind: 'User', name: 'bob' }),
    ];
    assert.deepEqual(impersonationRules(proxySubjects([role('r', proxy), role('other')], bindings, 'm1')), [
      { verbs: ['impersonate'], apiGroups: [''], resources: ['users'], resourceNames: ['alice'] },
      { verbs: ['impersonate'], apiGroups: [''], resources: ['groups'], resourceNames: ['devs'] },
    ]);
  });
});
