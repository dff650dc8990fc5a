/** What Ghippo itself can do, registered the way every product registers. */
import type { PermissionPoint, ProductSpec, Tier } from './kinds.ts';
import { type Permission, permission } from './permission.ts';
import type { ScopeType } from './scope.ts';

export const GHIPPO_PRODUCT = 'ghippo';

function points(resourceType: string, scope: ScopeType, tier: Tier, actions: readonly string[]): PermissionPoint[] {
  return actions.map((action) => ({ resourceType, action, tier, scope }));
}

const LOOK = ['list', 'get'] as const;
const CHANGE = ['create', 'update', 'delete'] as const;

export const ghippoProduct = {
  displayName: 'Identity and access',
  resourceTypes: [],
  permissions: [
    ...points('user', 'Platform', 'view', LOOK),
    ...points('user', 'Platform', 'manage', [...CHANGE, 'set-password']),
    ...points('group', 'Platform', 'view', LOOK),
    ...points('group', 'Platform', 'manage', CHANGE),
    ...points('role', 'Platform', 'view', LOOK),
    ...points('role', 'Platform', 'manage', CHANGE),
    ...points('folder', 'Folder', 'view', LOOK),
    ...points('folder', 'Folder', 'manage', CHANGE),
    ...points('workspace', 'Workspace', 'view', LOOK),
    ...points('workspace', 'Workspace', 'manage', [...CHANGE, 'bind', 'unbind']),
    // Rights can be looked at and given wherever they hold; nobody gives more than they have, but for `escalate`.
    ...points('access', 'Namespace', 'view', ['list']),
    ...points('access', 'Namespace', 'manage', ['grant', 'revoke']),
    ...points('access', 'Platform', 'manage', ['escalate']),
    ...points('token', 'Platform', 'manage', ['list', 'create', 'delete']),
    ...points('session', 'Platform', 'manage', ['list', 'revoke']),
    ...points('identity-provider', 'Platform', 'view', LOOK),
    ...points('identity-provider', 'Platform', 'manage', CHANGE),
    ...points('webhook', 'Platform', 'manage', [...LOOK, ...CHANGE]),
    ...points('audit', 'Platform', 'manage', ['list', 'configure', 'insert']),
  ],
} as const satisfies ProductSpec;

/** A point of Ghippo by its short name: `user/create`. */
export function ghippoPermission(resourceType: string, action: string): Permission {
  return permission(GHIPPO_PRODUCT, resourceType, action);
}
