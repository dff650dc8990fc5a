import type { KindCases } from '../kind-cases.ts';

export const role: KindCases = {
  kind: 'Role',
  apiVersion: 'rbac.authorization.k8s.io/v1',
  least: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
  refused: [
    [
      'a rule has verbs',
      { 'rules/0/verbs': [] },
      'rules[0].verbs: Required value: verbs must contain at least one value',
    ],
    [
      'a rule has groups',
      { 'rules/0/apiGroups': [] },
      'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
    ],
    [
      'URLs have no namespace',
      { 'rules/0': { nonResourceURLs: ['/x'], verbs: ['get'] } },
      'rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs',
    ],
  ],
};

export const clusterRole: KindCases = {
  kind: 'ClusterRole',
  apiVersion: 'rbac.authorization.k8s.io/v1',
  least: { rules: [{ nonResourceURLs: ['/healthz'], verbs: ['get'] }] },
  refused: [
    [
      'aggregation selects',
      { aggregationRule: {} },
      'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
    ],
    [
      'a rule is of resources or of URLs',
      { 'rules/0/resources': ['pods'] },
      'rules[0].nonResourceURLs: Invalid value: ["/healthz"]: rules cannot apply to both regular resources and non-resource URLs',
    ],
  ],
};

export const roleBinding: KindCases = {
  kind: 'RoleBinding',
  apiVersion: 'rbac.authorization.k8s.io/v1',
  least: { roleRef: { kind: 'Role', name: 'reader' }, subjects: [{ kind: 'User', name: 'jane' }] },
  refused: [
    [
      'a role has a kind',
      { 'roleRef/kind': 'Crown' },
      'roleRef.kind: Unsupported value: "Crown": supported values: "Role", "ClusterRole"',
    ],
    [
      'subjects are known',
      { 'subjects/0/kind': 'Robot', 'subjects/0/apiGroup': 'x' },
      'subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
    ],
    ['subjects have names', { 'subjects/0/name': '' }, 'subjects[0].name: Required value'],
  ],
  fixed: [
    [
      'the role stays',
      { 'roleRef/name': 'writer' },
      'roleRef: Invalid value: {"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"writer"}: cannot change roleRef',
    ],
  ],
};

export const clusterRoleBinding: KindCases = {
  kind: 'ClusterRoleBinding',
  apiVersion: 'rbac.authorization.k8s.io/v1',
  least: { roleRef: { kind: 'ClusterRole', name: 'reader' } },
  refused: [
    [
      'only cluster roles reach everywhere',
      { 'roleRef/kind': 'Role' },
      'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
    ],
    [
      'an account has a namespace',
      { subjects: [{ kind: 'ServiceAccount', name: 'a' }] },
      'subjects[0].namespace: Required value',
    ],
  ],
};
