import type { RoleBinding } from '#gen/kube/types.ts';
import type { Column, ResourceDefinition } from '#kube/apiserver/resource.ts';
import { pathSegmentProblems } from '#kube/meta/names.ts';
import { ageColumn, column, nameColumn, wideColumn } from '../columns.ts';
import { type Given, kind, type KindRules, type Making } from '../kind.ts';

export const GROUP = 'rbac.authorization.k8s.io';

/** The two kinds differ in their scope only. */
type Binding = RoleBinding;

const columns: readonly Column[] = [
  nameColumn,
  column<Binding>(
    'Role',
    'The role that is granted.',
    ({ roleRef }) => `${roleRef?.kind ?? ''}/${roleRef?.name ?? ''}`,
  ),
  ageColumn,
  wideColumn<Binding>('Users', 'Users it is granted to.', (binding) => subjectsText(binding, 'User')),
  wideColumn<Binding>('Groups', 'Groups it is granted to.', (binding) => subjectsText(binding, 'Group')),
  wideColumn<Binding>('ServiceAccounts', 'Accounts it is granted to.', (binding) =>
    subjectsText(binding, 'ServiceAccount'),
  ),
];

function subjectsText({ subjects }: Given<Binding>, kind: string): string {
  return (subjects ?? [])
    .filter((subject) => subject.kind === kind)
    .map(({ namespace, name }) => (kind === 'ServiceAccount' ? `${namespace ?? ''}/${name ?? ''}` : (name ?? '')))
    .join(', ');
}

const rules: KindRules<Binding> = {
  name: pathSegmentProblems,
  createOnUpdate: true,
  defaults: defaultBinding,
  columns,
};

function defaultBinding(binding: Making<Binding>): void {
  const role = (binding.roleRef ??= {});
  role.apiGroup ||= GROUP;
  for (const subject of binding.subjects ?? []) {
    if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ||= GROUP;
  }
}

export const roleBindings: ResourceDefinition = kind({ group: GROUP, version: 'v1', kind: 'RoleBinding' }, rules);

export const clusterRoleBindings: ResourceDefinition = kind(
  { group: GROUP, version: 'v1', kind: 'ClusterRoleBinding' },
  rules,
);
