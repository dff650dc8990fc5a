/**
 * Roles: sets of permission points. Those that come with the platform cannot be changed; custom ones are made from points
 * that products have registered, and get what these depend on.
 */
import { badRequest, notFound, StatusError } from '#base/status-error.ts';
import type { Action, Caller, Guard } from '#ghippo/access/index.ts';
import { ghippoPermission } from '#ghippo/apis/ghippo-product.ts';
import { GHIPPO_GROUP, type PermissionPoint, type Role } from '#ghippo/apis/kinds.ts';
import { covers, parsePermission, type Permission, permission } from '#ghippo/apis/permission.ts';
import type { GhippoClients } from '#ghippo/apis/resources.ts';
import { PLATFORM, type ScopeType } from '#ghippo/apis/scope.ts';
import type { LiveSnapshot } from '#ghippo/decision/live-snapshot.ts';
import type { AccessSnapshot } from '#ghippo/decision/snapshot.ts';
import { requireNoEscalation } from './escalation.ts';

export interface RoleInput {
  readonly displayName?: string;
  readonly description?: string;
  readonly permissions: readonly Permission[];
}

export interface RegisteredPoint extends PermissionPoint {
  readonly permission: Permission;
  readonly product: string;
}

export interface RolesService {
  createRole(caller: Caller, input: RoleInput & { readonly name: string; readonly scope: ScopeType }): Promise<Role>;
  getRole(caller: Caller, name: string): Promise<Role>;
  listRoles(caller: Caller, options?: { readonly scope?: ScopeType }): Promise<readonly Role[]>;
  updateRole(caller: Caller, name: string, input: RoleInput): Promise<Role>;
  deleteRole(caller: Caller, name: string): Promise<void>;
  /** Everything a role can be made of. */
  listPermissions(caller: Caller): Promise<readonly RegisteredPoint[]>;
}

export function rolesService(deps: {
  readonly clients: GhippoClients;
  readonly guard: Guard;
  readonly snapshot: LiveSnapshot;
}): RolesService {
  const { guard, snapshot } = deps;
  const { roles, products, bindings } = deps.clients;
  const on = (action: string, name: string, detail?: object): Action => ({
    permission: ghippoPermission('role', action),
    scope: PLATFORM,
    name,
    ...(detail ? { detail } : {}),
  });

  async function requireOwn(name: string): Promise<Role> {
    const role = await requireRole(name);
    if (role.spec.builtin)
      throw new StatusError('Forbidden', `role "${name}" comes with the platform and cannot be changed`);
    return role;
  }

  async function requireRole(name: string): Promise<Role> {
    const role = await roles.find(name);
    if (!role) throw notFound('roles', name, GHIPPO_GROUP);
    return role;
  }

  /** What somebody could have by being given the role, or by having been given it already. */
  function requireHeld(caller: Caller, permissions: readonly Permission[]): void {
    const now = snapshot.current();
    requireNoEscalation(guard, now, caller, { points: expanded(now, permissions), scope: PLATFORM });
  }

  return {
    createRole: (caller, { name, scope, ...input }) =>
      guard.perform(caller, on('create', name, { scope, permissions: input.permissions }), async () => {
        const permissions = closed(await registered(), input.permissions);
        requireHeld(caller, permissions);
        return roles.create({ metadata: { name }, spec: { ...described(input), scope, permissions } });
      }),
    async getRole(caller, name) {
      await guard.require(caller, on('get', name));
      return requireRole(name);
    },
    async listRoles(caller, { scope } = {}) {
      await guard.require(caller, on('list', ''));
      return (await roles.list()).filter(({ spec }) => scope === undefined || spec.scope === scope);
    },
    updateRole: (caller, name, input) =>
      guard.perform(caller, on('update', name, { permissions: input.permissions }), async () => {
        await requireOwn(name);
        const permissions = closed(await registered(), input.permissions);
        requireHeld(caller, permissions);
        const changed = await roles.modify(name, (draft) => {
          Object.assign(draft.spec, described(input), { permissions });
        });
        return changed ?? requireRole(name);
      }),
    deleteRole: (caller, name) =>
      guard.perform(caller, on('delete', name), async () => {
        await requireOwn(name);
        const inUse = (await bindings.list()).filter(({ spec }) => spec.role === name);
        if (inUse.length > 0)
          throw new StatusError(
            'Conflict',
            `role "${name}" is given by ${inUse.length} bindings, first "${inUse[0]?.metadata.name}"`,
          );
        await roles.remove(name);
      }),
    async listPermissions(caller) {
      await guard.require(caller, on('list', ''));
      return registered();
    },
  };

  async function registered(): Promise<readonly RegisteredPoint[]> {
    return (await products.list()).flatMap(({ metadata, spec }) =>
      spec.permissions.map((point) => ({
        ...point,
        product: metadata.name,
        permission: permission(metadata.name, point.resourceType, point.action),
      })),
    );
  }
}

function described({ displayName, description }: RoleInput) {
  return {
    ...(displayName === undefined ? {} : { displayName }),
    ...(description === undefined ? {} : { description }),
  };
}

/** The points asked for and all they depend on; refuses what nobody registered. */
function closed(registered: readonly RegisteredPoint[], asked: readonly Permission[]): readonly Permission[] {
  const byName = new Map(registered.map((point) => [point.permission, point]));
  const found = new Set<Permission>();
  const next = [...asked];
  for (let name = next.pop(); name !== undefined; name = next.pop()) {
    if (found.has(name)) continue;
    requireRegistered(registered, name);
    found.add(name);
    const point = byName.get(name);
    for (const needed of point?.dependsOn ?? []) next.push(`${point?.product}/${needed}`);
  }
  return [...found].toSorted();
}

function requireRegistered(registered: readonly RegisteredPoint[], name: Permission): void {
  if (!parsePermission(name)) throw badRequest(`"${name}" is no permission: it is written product/resource/action`);
  if (!registered.some((point) => covers(name, point.permission)))
    throw badRequest(`no product has registered the permission "${name}"`);
}

function expanded(snapshot: AccessSnapshot, permissions: readonly Permission[]): readonly Permission[] {
  return permissions.flatMap((name) =>
    name.includes('*') ? snapshot.points.filter((point) => covers(name, point)) : [name],
  );
}
