import { type PermissionPoint, type Role, type RoleInclusion, TIERS } from '#ghippo/apis/kinds.ts';
import { covers, parsePermission, type Permission } from '#ghippo/apis/permission.ts';
import type { ScopeType } from '#ghippo/apis/scope.ts';

/** A role with its tiers resolved to the points that are registered now. */
export interface EffectiveRole {
  readonly name: string;
  readonly displayName: string;
  readonly scope: ScopeType;
  readonly builtin: boolean;
  /** What in the role grants the point, as the role states it; undefined when nothing does. */
  grants(permission: Permission): string | undefined;
  /** Every registered point it grants. */
  points(): readonly Permission[];
}

export function effectiveRole(role: Role, registered: ReadonlyMap<Permission, PermissionPoint>): EffectiveRole {
  const { permissions = [], includes = [], scope, displayName, builtin = false } = role.spec;
  const known = new Map<Permission, string | undefined>();

  function look(permission: Permission, point: PermissionPoint): string | undefined {
    const named = permissions.find((one) => covers(one, permission));
    if (named !== undefined) return named;
    const inclusion = includes.find((one) => includesPoint(one, permission, point));
    return inclusion && inclusionText(inclusion);
  }

  function grants(permission: Permission): string | undefined {
    const point = registered.get(permission);
    // Nobody has a right that no product has heard of.
    if (!point) return undefined;
    if (!known.has(permission)) known.set(permission, look(permission, point));
    return known.get(permission);
  }

  return {
    name: role.metadata.name,
    displayName: displayName ?? role.metadata.name,
    scope,
    builtin,
    grants,
    points: () => [...registered.keys()].filter((permission) => grants(permission) !== undefined),
  };
}

function includesPoint({ tier, product }: RoleInclusion, permission: Permission, point: PermissionPoint): boolean {
  if (product !== undefined && parsePermission(permission)?.product !== product) return false;
  return TIERS.indexOf(point.tier) <= TIERS.indexOf(tier);
}

function inclusionText({ tier, product }: RoleInclusion): string {
  return `every point up to "${tier}"${product === undefined ? '' : ` of ${product}`}`;
}
