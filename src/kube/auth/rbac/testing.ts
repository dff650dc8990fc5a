/** For tests: roles and bindings in few words, and arbitrary ones. */
import * as fc from 'fast-check';
import type { Attributes } from '#kube/apiserver/auth/authorize.ts';
import type { User } from '#kube/apiserver/admission.ts';
import type { PolicyRule } from './policy-rule.ts';
import type { AnyBinding, AnyRole } from './rbac-index.ts';

const GROUP = 'rbac.authorization.k8s.io';

export function role(name: string, rules: readonly PolicyRule[], namespace?: string): AnyRole {
  const shared = { apiVersion: `${GROUP}/v1` as const, rules };
  return namespace === undefined
    ? { ...shared, kind: 'ClusterRole', metadata: { name } }
    : { ...shared, kind: 'Role', metadata: { name, namespace } };
}

export interface BindingText {
  readonly name: string;
  readonly role: string;
  readonly namespace?: string;
  readonly user?: string;
  readonly group?: string;
  readonly account?: { readonly name: string; readonly namespace?: string };
}

/** Binds a ClusterRole, or, when `role` is `Role/name`, a Role of the namespace. */
export function binding({ name, role: to, namespace, user, group, account }: BindingText): AnyBinding {
  const shared = {
    apiVersion: `${GROUP}/v1` as const,
    roleRef: to.startsWith('Role/')
      ? { apiGroup: GROUP, kind: 'Role', name: to.slice('Role/'.length) }
      : { apiGroup: GROUP, kind: 'ClusterRole', name: to },
    subjects: [
      ...(user === undefined ? [] : [{ apiGroup: GROUP, kind: 'User', name: user }]),
      ...(group === undefined ? [] : [{ apiGroup: GROUP, kind: 'Group', name: group }]),
      ...(account === undefined ? [] : [{ kind: 'ServiceAccount', ...account }]),
    ],
  };
  return namespace === undefined
    ? { ...shared, kind: 'ClusterRoleBinding', metadata: { name } }
    : { ...shared, kind: 'RoleBinding', metadata: { name, namespace } };
}

/** Few enough values that arbitrary rules and requests meet. */
const some = (...values: readonly string[]) => fc.subarray([...values], { minLength: 1 });
const one = (...values: readonly string[]) => fc.constantFrom(...values);

export const anyRule: fc.Arbitrary<PolicyRule> = fc.oneof(
  fc.record({
    verbs: some('get', 'list', 'create', '*'),
    apiGroups: some('', 'apps', '*'),
    resources: some('pods', 'pods/log', 'deployments', 'deployments/scale', '*/scale', '*'),
  }),
  fc.record({
    verbs: some('get', 'create'),
    apiGroups: some('', 'apps'),
    resources: some('pods', 'deployments'),
    resourceNames: some('a', 'b'),
  }),
  fc.record({ verbs: some('get', '*'), nonResourceURLs: some('/healthz', '/api/*', '*') }),
);

export const anyAttributes: fc.Arbitrary<Attributes> = fc.oneof(
  fc.record({
    verb: one('get', 'list', 'create', 'delete'),
    group: one('', 'apps', 'batch'),
    version: fc.constant('v1'),
    resource: one('pods', 'deployments', 'jobs'),
    subresource: fc.constantFrom(undefined, 'log', 'scale'),
    namespace: fc.constantFrom(undefined, 'n1', 'n2'),
    name: fc.constantFrom(undefined, 'a', 'c'),
  }),
  fc.record({ verb: one('get', 'post'), path: one('/healthz', '/api/v1', '/metrics') }),
);

export const anyUser: fc.Arbitrary<User> = fc.record({
  name: one('alice', 'bob', 'system:serviceaccount:n1:robot'),
  groups: fc.subarray(['devs', 'ops', 'system:authenticated']),
});
