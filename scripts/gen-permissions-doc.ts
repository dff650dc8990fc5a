/**
 * Makes `docs/permissions.md` from the built-in roles and the registered products: which role may call which operation.
 *
 *     npm run gen:permissions-doc
 *
 * Every tick is what the decision said when this ran: the role given in a place of its kind, the operation asked for in
 * that same place. `gen-permissions-doc.test.ts` checks the committed file.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILTIN_ROLES } from '#ghippo/apis/builtin-roles.ts';
import { GHIPPO_PRODUCT, ghippoProduct } from '#ghippo/apis/ghippo-product.ts';
import type { PermissionPoint, ProductSpec } from '#ghippo/apis/kinds.ts';
import { permission } from '#ghippo/apis/permission.ts';
import {
  folderScope,
  instanceScope,
  namespaceScope,
  PLATFORM,
  type Scope,
  type ScopeType,
  workspaceScope,
} from '#ghippo/apis/scope.ts';
import { type AccessSnapshot, accessSnapshot, decide, NO_OBJECTS } from '#ghippo/decision/index.ts';
import { aUser, belongs, binding, folder, product, role, user, workspace } from '#ghippo/decision/testing.ts';
import { KAIRSHIP_PRODUCT, kairshipProduct } from '#kairship/access/kairship-product.ts';
import { KPANDA_PRODUCT, kpandaProduct } from '#kairship/access/kpanda-product.ts';

const TARGET = join(import.meta.dirname, '../docs/permissions.md');

export const PRODUCTS: readonly (readonly [name: string, spec: ProductSpec])[] = [
  [KAIRSHIP_PRODUCT, kairshipProduct],
  [KPANDA_PRODUCT, kpandaProduct],
  [GHIPPO_PRODUCT, ghippoProduct],
];

/** One place of each kind, each within the one before. */
export const PLACES: Readonly<Record<ScopeType, Scope>> = {
  Platform: PLATFORM,
  Folder: folderScope('folder'),
  Workspace: workspaceScope('workspace'),
  Instance: instanceScope('instance'),
  Namespace: namespaceScope('instance', 'namespace'),
};

/** A world in which each built-in role was given, where it belongs, to a user of its name. */
export function worldOfRoles(): AccessSnapshot {
  return accessSnapshot({
    ...NO_OBJECTS,
    users: BUILTIN_ROLES.map(({ name }) => user(name)),
    folders: [folder('folder')],
    workspaces: [workspace('workspace', 'folder')],
    workspaceResources: [belongs(instanceScope('instance'), 'workspace')],
    products: PRODUCTS.map(([name, spec]) => product(name, spec)),
    roles: BUILTIN_ROLES.map(({ name, ...spec }) => role(name, spec)),
    bindings: BUILTIN_ROLES.map(({ name, scope }) => binding(name, name, PLACES[scope], aUser(name))),
  });
}

/** Whether whoever holds a role may do what a point opens, in the narrowest place it can be asked for in. */
export function roleMay(world: AccessSnapshot, roleName: string, productName: string, point: PermissionPoint): boolean {
  const wanted = permission(productName, point.resourceType, point.action);
  return decide(world, { user: roleName, permission: wanted, scope: PLACES[point.scope] }).allowed;
}

export function permissionsDocument(): string {
  const world = worldOfRoles();
  return [
    '# Who may do what',
    '',
    'Made by `npm run gen:permissions-doc` from the built-in roles and the products’ permission points; do not edit.',
    '',
    'A role holds where it is given and in everything within: platform › folder › workspace › instance › namespace.',
    'A tick says that the role, given in a place of its kind, opens the operation there. Lists of several places are not',
    'refused but show what the caller may see. Custom roles are made of the same points.',
    '',
    ...roleTable(),
    ...PRODUCTS.flatMap(([name, spec]) => productSection(world, name, spec)),
  ].join('\n');
}

function roleTable(): string[] {
  return [
    '## Roles',
    '',
    '| | Role | Given in | |',
    '| --- | --- | --- | --- |',
    ...BUILTIN_ROLES.map(
      ({ name, displayName, scope, description }, index) =>
        `| ${index + 1} | ${displayName} (\`${name}\`) | ${scope} | ${description} |`,
    ),
    '',
  ];
}

function productSection(world: AccessSnapshot, name: string, spec: ProductSpec): string[] {
  const numbers = BUILTIN_ROLES.map((_, index) => index + 1);
  return [
    `## ${spec.displayName} (\`${name}\`)`,
    '',
    `| Permission | Asked for in | Operations | ${numbers.join(' | ')} |`,
    `| --- | --- | --- | ${numbers.map(() => ':-:').join(' | ')} |`,
    ...spec.permissions.map((point) => pointRow(world, name, point)).toSorted(),
    '',
  ];
}

function pointRow(world: AccessSnapshot, productName: string, point: PermissionPoint): string {
  const ticks = BUILTIN_ROLES.map((one) => (roleMay(world, one.name, productName, point) ? '✓' : ''));
  const operations = (point.operations ?? []).map(shortName).join(', ');
  return `| \`${point.resourceType}/${point.action}\` | ${point.scope} | ${operations} | ${ticks.join(' | ')} |`;
}

/** `kairship.api.apps.v1alpha1.AppsService/GetDeployment` is `Apps.GetDeployment` to people. */
function shortName(operation: string): string {
  return operation.replace(/^.*\.(\w+?)(Service)?\/(\w+)$/, '$1.$3');
}

if (import.meta.main) {
  writeFileSync(TARGET, permissionsDocument());
  process.stdout.write('docs/permissions.md\n');
}
