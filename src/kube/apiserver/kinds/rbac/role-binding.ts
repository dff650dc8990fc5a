import type { RoleBinding, RbacV1Subject as Subject } from '#gen/kube/types.ts';
import type { Column, ResourceDefinition } from '#kube/apiserver/resource.ts';
import { jsonEqual } from '#base/json.ts';
import { invalid, invalidAll, notSupported, required } from '#kube/meta/field-error.ts';
import { pathSegmentProblems } from '#kube/meta/names.ts';
import { ageColumn, column, nameColumn, wideColumn } from '../columns.ts';
import { dnsSubdomain, oneOf } from '../checks.ts';
import { type Errors, type Given, kind, type KindRules, type Making } from '../kind.ts';

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

function rules(namespaced: boolean): KindRules<Binding> {
  return {
    name: pathSegmentProblems,
    createOnUpdate: true,
    defaults: defaultBinding,
    validate: (binding) => bindingRules(binding, namespaced),
    validateUpdate: (binding, old) => bindingUpdate(binding, old, namespaced),
    columns,
  };
}

function defaultBinding(binding: Making<Binding>): void {
  const role = (binding.roleRef ??= {});
  role.apiGroup ||= GROUP;
  for (const subject of binding.subjects ?? []) {
    if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ||= GROUP;
  }
}

export const roleBindings: ResourceDefinition = kind({ group: GROUP, version: 'v1', kind: 'RoleBinding' }, rules(true));

export const clusterRoleBindings: ResourceDefinition = kind(
  { group: GROUP, version: 'v1', kind: 'ClusterRoleBinding' },
  rules(false),
);

function* bindingRules({ roleRef = {}, subjects = [] }: Given<Binding>, namespaced: boolean): Errors {
  yield* oneOf(roleRef.apiGroup ?? '', [GROUP], 'roleRef.apiGroup');
  yield* oneOf(roleRef.kind ?? '', namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'], 'roleRef.kind');
  const { name = '' } = roleRef;
  if (name === '') yield required('roleRef.name');
  else yield* invalidAll('roleRef.name', name, pathSegmentProblems(name));
  for (const [at, subject] of subjects.entries()) yield* subjectRules(subject, namespaced, `subjects[${at}]`);
}

function* subjectRules(
  { kind, name = '', namespace, apiGroup = '' }: Given<Subject>,
  namespaced: boolean,
  path: string,
): Errors {
  if (name === '') yield required(`${path}.name`);
  if (kind === 'ServiceAccount') {
    if (name !== '') yield* dnsSubdomain(name, `${path}.name`);
    if (apiGroup !== '') yield notSupported(`${path}.apiGroup`, apiGroup, ['']);
    if (!namespaced && !namespace) yield required(`${path}.namespace`);
  } else if (kind === 'User' || kind === 'Group') yield* oneOf(apiGroup, [GROUP], `${path}.apiGroup`);
  else yield notSupported(`${path}.kind`, kind ?? '', ['ServiceAccount', 'User', 'Group']);
}

/** Who is bound may change, not to what: that would be another binding. */
function* bindingUpdate(binding: Given<Binding>, old: Given<Binding>, namespaced: boolean): Errors {
  yield* bindingRules(binding, namespaced);
  if (!jsonEqual(binding.roleRef, old.roleRef)) yield invalid('roleRef', binding.roleRef, 'cannot change roleRef');
}
