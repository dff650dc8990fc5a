/** The bootstrap policy as objects. Pure. */
import type { ClusterRole, ClusterRoleBinding, RbacV1Subject, Role, RoleBinding } from '#gen/kube/types.ts';
import { type BootstrapRole, CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES, type Gathering, SYSTEM_ROLES } from './policy.ts';
import { ruleOf } from './rule-text.ts';

const GROUP = 'rbac.authorization.k8s.io';
const API = `${GROUP}/v1` as const;
const AUTO_UPDATE = 'rbac.authorization.kubernetes.io/autoupdate';
const SYSTEM = 'kube-system';

/** Whether its owner wants it repaired at each start; whoever sets the annotation to false looks after it alone. */
export function isKeptUpToDate(annotations: Readonly<Record<string, string>> | undefined): boolean {
  return annotations?.[AUTO_UPDATE] !== 'false';
}

export function bootstrapClusterRoles(): readonly ClusterRole[] {
  return Object.entries(CLUSTER_ROLES).map(([name, { rules, gathers, partOf }]: [string, BootstrapRole]) => ({
    apiVersion: API,
    kind: 'ClusterRole',
    metadata: metadata(name, partOf ? labelFor(partOf) : {}),
    ...(rules ? { rules: rules.map(ruleOf) } : {}),
    ...(gathers ? { aggregationRule: { clusterRoleSelectors: [{ matchLabels: labelFor(gathers) }] } } : {}),
  }));
}

export function bootstrapClusterRoleBindings(): readonly ClusterRoleBinding[] {
  return Object.entries(CLUSTER_ROLE_BINDINGS).map(([name, subjects]) => ({
    apiVersion: API,
    kind: 'ClusterRoleBinding',
    metadata: metadata(name),
    roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name },
    ...(subjects.length > 0 ? { subjects: subjects.map(subjectOf) } : {}),
  }));
}

export function bootstrapRoles(): readonly Role[] {
  return Object.entries(SYSTEM_ROLES).map(([name, { rules }]) => ({
    apiVersion: API,
    kind: 'Role',
    metadata: { ...metadata(name), namespace: SYSTEM },
    rules: rules.map(ruleOf),
  }));
}

export function bootstrapRoleBindings(): readonly RoleBinding[] {
  return Object.entries(SYSTEM_ROLES).map(([name, { binding, subjects }]) => ({
    apiVersion: API,
    kind: 'RoleBinding',
    metadata: { ...metadata(binding), namespace: SYSTEM },
    roleRef: { apiGroup: GROUP, kind: 'Role', name },
    subjects: subjects.map(subjectOf),
  }));
}

function metadata(name: string, labels: Readonly<Record<string, string>> = {}) {
  return {
    name,
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
    annotations: { [AUTO_UPDATE]: 'true' },
  };
}

function labelFor(gathering: Gathering): Readonly<Record<string, string>> {
  return { [`${GROUP}/aggregate-to-${gathering}`]: 'true' };
}

function subjectOf(text: string): RbacV1Subject {
  const [kind, name = ''] = text.split(/:(.*)/s);
  if (kind !== 'account') return { apiGroup: GROUP, kind: kind === 'group' ? 'Group' : 'User', name };
  const [namespace = '', account = ''] = name.split('/');
  return { kind: 'ServiceAccount', name: account, namespace };
}
