import type { ClusterRole, PolicyRule, Role } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { invalid, required } from '#kube/meta/field-error.ts';
import { pathSegmentProblems } from '#kube/meta/names.ts';
import { plainColumns } from '../columns.ts';
import { labelSelector } from '../checks.ts';
import { type Errors, type Given, kind } from '../kind.ts';

const GROUP = { group: 'rbac.authorization.k8s.io', version: 'v1' } as const;

export const roles: ResourceDefinition = kind<Role>(
  { ...GROUP, kind: 'Role' },
  { name: pathSegmentProblems, createOnUpdate: true, validate: roleRules, columns: plainColumns },
);

export const clusterRoles: ResourceDefinition = kind<ClusterRole>(
  { ...GROUP, kind: 'ClusterRole' },
  { name: pathSegmentProblems, createOnUpdate: true, validate: clusterRoleRules, columns: plainColumns },
);

function* roleRules({ rules = [] }: Given<Role>): Errors {
  for (const [at, rule] of rules.entries()) yield* policyRule(rule, true, `rules[${at}]`);
}

function* clusterRoleRules({ rules = [], aggregationRule }: Given<ClusterRole>): Errors {
  for (const [at, rule] of rules.entries()) yield* policyRule(rule, false, `rules[${at}]`);
  if (!aggregationRule) return;
  const path = 'aggregationRule.clusterRoleSelectors';
  const selectors = aggregationRule.clusterRoleSelectors ?? [];
  if (selectors.length === 0) {
    yield required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil');
  }
  for (const [at, selector] of selectors.entries()) {
    const errors = [...labelSelector(selector, `${path}[${at}]`)];
    yield* errors;
    if (errors.length > 0) yield invalid(`${path}[${at}]`, null, 'invalid label selector.');
  }
}

/** A rule is about resources or about URLs, and says what may be done with them. */
function* policyRule(rule: Given<PolicyRule>, namespaced: boolean, path: string): Errors {
  const { verbs = [], nonResourceURLs = [], apiGroups = [], resources = [], resourceNames = [] } = rule;
  if (verbs.length === 0) yield required(`${path}.verbs`, 'verbs must contain at least one value');
  if (nonResourceURLs.length > 0) {
    const own = `${path}.nonResourceURLs`;
    if (namespaced) yield invalid(own, nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs');
    if (apiGroups.length + resources.length + resourceNames.length > 0) {
      yield invalid(own, nonResourceURLs, 'rules cannot apply to both regular resources and non-resource URLs');
    }
    return;
  }
  if (apiGroups.length === 0) yield required(`${path}.apiGroups`, 'resource rules must supply at least one api group');
  if (resources.length === 0) yield required(`${path}.resources`, 'resource rules must supply at least one resource');
}
