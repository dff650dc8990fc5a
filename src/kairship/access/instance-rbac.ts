/**
 * The roles that an instance gives to the groups of `instance-groups.ts`, as objects: a pure function.
 *
 * What Kubernetes' own roles `view` and `edit` say of its kinds is said here of Karmada's, of our own, and of the kinds
 * that people define themselves: whoever may change workloads may change those. All of it carries one label, and one policy brings it into every member, so that a right holds behind the instance too.
 */
import { isObject } from '#base/json.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { instanceGroup, namespaceGroup } from './instance-groups.ts';

/** On everything this room writes into an instance. */
export const RBAC_LABEL = 'kairship.io/rbac';
const labels = { [RBAC_LABEL]: 'true' };
const RBAC = 'rbac.authorization.k8s.io';

const LOOK = ['get', 'list', 'watch'];
const CHANGE = ['create', 'update', 'patch', 'delete', 'deletecollection'];
const NAMESPACED = ['policy.karmada.io', 'autoscaling.karmada.io', 'networking.karmada.io', 'work.karmada.io'];

const rule = (apiGroups: readonly string[], resources: readonly string[], verbs: readonly string[]) => ({
  apiGroups,
  resources,
  verbs,
});

const viewing = [
  rule([...NAMESPACED, 'apps.karmada.io', 'cluster.karmada.io'], ['*'], LOOK),
  rule(['placement.kairship.io'], ['*'], [...LOOK, 'create']),
  rule(['apiextensions.k8s.io'], ['customresourcedefinitions'], LOOK),
  rule([''], ['namespaces', 'nodes'], LOOK),
  // Members are reached through the instance; what may be done there, their own roles say.
  rule(['cluster.karmada.io'], ['clusters/proxy'], ['*']),
];
const editing = [
  rule(['policy.karmada.io', 'autoscaling.karmada.io', 'networking.karmada.io', 'apps.karmada.io'], ['*'], CHANGE),
  rule([''], ['namespaces'], CHANGE),
];

function role(name: string, rules: readonly object[]): KubeObject {
  return { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: { name, labels }, rules };
}

function binding(to: string, group: string, name: string, namespace?: string): KubeObject {
  return {
    apiVersion: `${RBAC}/v1`,
    kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: { name, labels, ...(namespace === undefined ? {} : { namespace }) },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: to },
    subjects: [{ apiGroup: RBAC, kind: 'Group', name: group }],
  };
}

/** What the levels of a whole instance are given. */
const clusterWide = (own: readonly string[]) => [
  role('kairship:viewer', [...viewing, ...ofOwn(own, LOOK)]),
  role('kairship:editor', [...editing, ...ofOwn(own, CHANGE)]),
  binding('cluster-admin', instanceGroup('admin'), 'kairship:instance-admin'),
  binding('view', instanceGroup('viewer'), 'kairship:instance-viewer'),
  binding('kairship:viewer', instanceGroup('viewer'), 'kairship:instance-viewer-karmada'),
  binding('edit', instanceGroup('editor'), 'kairship:instance-editor'),
  binding('kairship:editor', instanceGroup('editor'), 'kairship:instance-editor-karmada'),
];

const ofOwn = (groups: readonly string[], verbs: readonly string[]) =>
  groups.length === 0 ? [] : [rule(groups, ['*'], verbs)];

/** Groups whose kinds are the platform's, Karmada's or Kubernetes' own business: rules above say what of them is open. */
const GUARDED = /(^|\.)(karmada\.io|kairship\.io|kpanda\.io|ghippo\.io|k8s\.io)$/;

/** The groups of kinds that people defined, of the definitions that an instance has. */
export function ownGroups(definitions: readonly KubeObject[]): readonly string[] {
  const groups = definitions.flatMap(({ spec }) => {
    const group = isObject(spec) ? spec['group'] : undefined;
    return typeof group === 'string' && group !== '' && !GUARDED.test(group) ? [group] : [];
  });
  return [...new Set(groups)].toSorted();
}

function inNamespace(namespace: string): readonly KubeObject[] {
  return [
    binding('view', namespaceGroup('viewer', namespace), 'kairship:namespace-viewer', namespace),
    binding('kairship:viewer', namespaceGroup('viewer', namespace), 'kairship:namespace-viewer-karmada', namespace),
    binding('edit', namespaceGroup('editor', namespace), 'kairship:namespace-editor', namespace),
    binding('kairship:editor', namespaceGroup('editor', namespace), 'kairship:namespace-editor-karmada', namespace),
  ];
}

const selects = (kind: string) => ({
  apiVersion: `${RBAC}/v1`,
  kind,
  labelSelector: { matchLabels: labels },
});

const POLICY: KubeObject = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'ClusterPropagationPolicy',
  metadata: { name: 'kairship-rbac', labels },
  spec: {
    conflictResolution: 'Overwrite',
    resourceSelectors: [selects('ClusterRole'), selects('ClusterRoleBinding'), selects('RoleBinding')],
    placement: {},
  },
};

/** Everything an instance shall hold, for the namespaces in which somebody was given something and its own groups. */
export function instanceRbac(namespaces: readonly string[], own: readonly string[] = []): readonly KubeObject[] {
  return [...clusterWide(own), ...[...new Set(namespaces)].toSorted().flatMap(inNamespace), POLICY];
}
