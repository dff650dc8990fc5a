import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { Attributes } from '#kube/apiserver/auth/authorize.ts';
import { ruleOf } from './bootstrap/rule-text.ts';
import { ruleAllows } from './policy-rule.ts';
import { rbacAuthorizer } from './rbac-authorizer.ts';
import { type AnyBinding, type AnyRole, rbacIndex } from './rbac-index.ts';
import { anyAttributes, anyRule, anyUser, binding, role } from './testing.ts';

function given(roles: readonly AnyRole[], bindings: readonly AnyBinding[]) {
  const index = rbacIndex();
  for (const one of roles) index.role(undefined, one);
  for (const one of bindings) index.binding(undefined, one);
  return { index, authorizer: rbacAuthorizer(index) };
}

const alice = { name: 'alice', groups: ['devs', 'system:authenticated'] };
const robot = { name: 'system:serviceaccount:n1:robot', groups: ['system:serviceaccounts:n1'] };
const reader = role('reader', [ruleOf('get core pods')]);
const getPod = (namespace?: string): Attributes => ({
  verb: 'get',
  group: '',
  version: 'v1',
  resource: 'pods',
  namespace,
  name: 'p',
});

describe('a decision', () => {
  it('is a refusal without a reason when nobody said anything', () => {
    assert.deepEqual(given([], []).authorizer.authorize(alice, getPod('n1')), { allowed: false });
  });

  it('by a ClusterRoleBinding counts everywhere', () => {
    const { authorizer } = given([reader], [binding({ name: 'b', role: 'reader', user: 'alice' })]);
    const because = 'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "reader" to User "alice"';
    assert.deepEqual(authorizer.authorize(alice, getPod('n1')), { allowed: true, reason: because });
    assert.deepEqual(authorizer.authorize(alice, getPod()), { allowed: true, reason: because });
    assert.deepEqual(authorizer.authorize(robot, getPod()), { allowed: false });
  });

  it('by a RoleBinding counts in its namespace', () => {
    const bound = binding({ name: 'b', namespace: 'n1', role: 'reader', group: 'devs' });
    const { authorizer } = given([reader], [bound]);
    assert.deepEqual(authorizer.authorize(alice, getPod('n1')), {
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "b/n1" of ClusterRole "reader" to Group "devs"',
    });
    assert.equal(authorizer.authorize(alice, getPod('n2')).allowed, false);
    assert.equal(authorizer.authorize(alice, getPod()).allowed, false);
  });

  it('knows service accounts, which in their own namespace need not name it', () => {
    const roles = [role('local', [ruleOf('get core pods')], 'n1')];
    const bound = binding({ name: 'b', namespace: 'n1', role: 'Role/local', account: { name: 'robot' } });
    assert.deepEqual(given(roles, [bound]).authorizer.authorize(robot, getPod('n1')), {
      allowed: true,
      reason: 'RBAC: allowed by RoleBinding "b/n1" of Role "local" to ServiceAccount "robot/n1"',
    });
    const everywhere = binding({ name: 'b', role: 'reader', account: { name: 'robot' } });
    assert.equal(given([reader], [everywhere]).authorizer.authorize(robot, getPod('n1')).allowed, false);
  });

  it('names the roles that bindings point at and that do not exist', () => {
    const { authorizer } = given(
      [],
      [
        binding({ name: 'a', role: 'gone', user: 'alice' }),
        binding({ name: 'b', role: 'gone', group: 'devs' }),
        binding({ name: 'c', namespace: 'n1', role: 'Role/local', user: 'alice' }),
      ],
    );
    const gone = 'clusterrole.rbac.authorization.k8s.io "gone" not found';
    assert.deepEqual(authorizer.authorize(alice, getPod()), { allowed: false, reason: `RBAC: ${gone}` });
    assert.equal(
      authorizer.authorize(alice, getPod('n1')).reason,
      `RBAC: [${gone}, role.rbac.authorization.k8s.io "local" not found]`,
    );
    const { incomplete, evaluationError } = authorizer.rules(alice, 'n2');
    assert.deepEqual({ incomplete, evaluationError }, { incomplete: true, evaluationError: gone });
  });

  it('follows a role that changes, goes and comes back', () => {
    const { index, authorizer } = given([reader], [binding({ name: 'b', role: 'reader', user: 'alice' })]);
    const other = role('reader', [ruleOf('get core nodes')]);
    index.role(reader, other);
    assert.equal(authorizer.authorize(alice, getPod()).allowed, false);
    index.role(other, undefined);
    assert.match(authorizer.authorize(alice, getPod()).reason ?? '', /not found/);
    index.role(undefined, reader);
    assert.equal(authorizer.authorize(alice, getPod()).allowed, true);
  });
});

describe('for arbitrary roles, bindings and requests', () => {
  const roleNames = ['r1', 'r2', 'r3'];
  const anyRoles = fc
    .tuple(...roleNames.map(() => fc.array(anyRule, { maxLength: 3 })))
    .map((all) => all.map((rules, i) => role(roleNames[i] ?? '', rules)));
  const anyBinding = fc
    .record(
      {
        name: fc.constantFrom('b1', 'b2', 'b3', 'b4'),
        role: fc.constantFrom(...roleNames, 'missing'),
        namespace: fc.constantFrom('n1', 'n2'),
        user: fc.constantFrom('alice', 'bob'),
        group: fc.constantFrom('devs', 'ops'),
        account: fc.constant({ name: 'robot', namespace: 'n1' }),
      },
      { requiredKeys: ['name', 'role'] },
    )
    .map(binding);
  const anyBindings = fc.uniqueArray(anyBinding, {
    maxLength: 6,
    selector: ({ metadata: { namespace, name } }) => `${namespace}/${name}`,
  });
  const runs = { seed: 1, numRuns: 300 };

  it('a request is allowed exactly when a rule of a role bound to the user there allows it', () => {
    fc.assert(
      fc.property(anyRoles, anyBindings, anyUser, anyAttributes, (roles, bindings, user, attributes) => {
        const expected = bindings.some(({ metadata, subjects = [], roleRef }) => {
          const here = metadata.namespace === undefined || !('path' in attributes);
          const there = metadata.namespace ?? ('path' in attributes ? undefined : attributes.namespace);
          const asks = 'path' in attributes ? undefined : attributes.namespace;
          const rules = roles.find((one) => one.metadata.name === roleRef.name)?.rules ?? [];
          return (
            here &&
            there === asks &&
            subjects.some(({ kind, name, namespace = '' }) => {
              if (kind === 'Group') return user.groups.includes(name);
              return user.name === (kind === 'User' ? name : `system:serviceaccount:${namespace}:${name}`);
            }) &&
            rules.some((rule) => ruleAllows(rule, attributes))
          );
        });
        assert.equal(given(roles, bindings).authorizer.authorize(user, attributes).allowed, expected);
      }),
      runs,
    );
  });

  it('another rule never takes a right away', () => {
    fc.assert(
      fc.property(anyRoles, anyBindings, anyRule, anyUser, anyAttributes, (roles, bindings, rule, user, attributes) => {
        const { index, authorizer } = given(roles, bindings);
        const before = authorizer.authorize(user, attributes).allowed;
        for (const one of roles) index.role(one, { ...one, rules: [...(one.rules ?? []), rule] });
        assert.ok(!before || authorizer.authorize(user, attributes).allowed);
      }),
      runs,
    );
  });

  it('removing a binding removes exactly what no other gives', () => {
    fc.assert(
      fc.property(anyRoles, anyBindings, anyUser, anyAttributes, (roles, bindings, user, attributes) => {
        const { index, authorizer } = given(roles, bindings);
        for (const [i, gone] of bindings.entries()) {
          index.binding(gone, undefined);
          const left = given(roles, bindings.slice(i + 1)).authorizer;
          assert.deepEqual(authorizer.authorize(user, attributes), left.authorize(user, attributes));
        }
      }),
      runs,
    );
  });
});
