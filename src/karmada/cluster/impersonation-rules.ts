/** Whom the engine may impersonate in a member: those who may use its proxy, and nobody else. Pure. */
import type { KubeObject } from '#kube/meta/object.ts';

export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

export interface ClusterRole extends KubeObject {
  readonly rules?: readonly PolicyRule[] | null;
}

export interface ClusterRoleBinding extends KubeObject {
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly Subject[];
}

export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** Whether a role lets its subjects through to the cluster. */
export function grantsProxy({ rules }: ClusterRole, cluster: string): boolean {
  return (rules ?? []).some(
    (rule) =>
      (covers(rule, 'cluster.karmada.io', 'clusters/proxy') && names(rule, cluster)) ||
      covers(rule, 'search.karmada.io', 'proxying/proxy'),
  );
}

function covers({ apiGroups = [], resources = [] }: PolicyRule, group: string, resource: string): boolean {
  const [, subresource = ''] = resource.split('/');
  const wanted = ['*', resource, `*/${subresource}`];
  return [group, '*'].some((each) => apiGroups.includes(each)) && wanted.some((each) => resources.includes(each));
}

function names({ resourceNames = [] }: PolicyRule, cluster: string): boolean {
  return resourceNames.length === 0 || resourceNames.includes(cluster);
}

/** Those whom bindings give a role that lets them through. */
export function proxySubjects(
  roles: readonly ClusterRole[],
  bindings: readonly ClusterRoleBinding[],
  cluster: string,
): readonly Subject[] {
  const granting = new Set(roles.filter((role) => grantsProxy(role, cluster)).map(({ metadata }) => metadata.name));
  return bindings
    .filter(({ roleRef }) => roleRef.kind === 'ClusterRole' && granting.has(roleRef.name))
    .flatMap(({ subjects = [] }) => subjects);
}

/** The right to impersonate just them; sorted, so that the same subjects give the same rules. */
export function impersonationRules(subjects: readonly Subject[]): readonly PolicyRule[] {
  const of = (kind: string) =>
    [...new Set(subjects.filter((subject) => subject.kind === kind).map(({ name }) => name))].sort();
  const rule = (resource: string, resourceNames: readonly string[]) =>
    resourceNames.length === 0
      ? []
      : [{ verbs: ['impersonate'], apiGroups: [''], resources: [resource], resourceNames }];
  return [
    ...rule('users', of('User')),
    ...rule('serviceaccounts', of('ServiceAccount')),
    ...rule('groups', of('Group')),
  ];
}
