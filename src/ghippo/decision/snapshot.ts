/**
 * Everything a decision depends on, indexed for it: a pure function of the objects there are.
 *
 * Objects that are being deleted are gone already: a right must not outlive the wish to end it. Start at
 * {@link accessSnapshot}; `live-snapshot.ts` makes one from the global cluster and keeps it current.
 */
import type {
  AccessBinding,
  Folder,
  Group,
  PermissionPoint,
  Product,
  Role,
  Subject,
  User,
  Workspace,
  WorkspaceResource,
} from '#ghippo/apis/kinds.ts';
import { type Permission, permission } from '#ghippo/apis/permission.ts';
import { type Scope, scopeKey } from '#ghippo/apis/scope.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { ScopeTree } from './containment.ts';
import { type EffectiveRole, effectiveRole } from './effective-role.ts';

export interface AccessObjects {
  readonly users: readonly User[];
  readonly groups: readonly Group[];
  readonly folders: readonly Folder[];
  readonly workspaces: readonly Workspace[];
  readonly workspaceResources: readonly WorkspaceResource[];
  readonly roles: readonly Role[];
  readonly bindings: readonly AccessBinding[];
  readonly products: readonly Product[];
}

export interface AccessSnapshot {
  user(name: string): User | undefined;
  /** The groups of ours a user is in, and those their identity provider named. */
  groupsOf(user: string): readonly string[];
  bindingsOf(subject: Subject): readonly AccessBinding[];
  role(name: string): EffectiveRole | undefined;
  readonly roles: readonly EffectiveRole[];
  readonly tree: ScopeTree;
  /** What belongs to workspaces, and so is more than the bindings themselves name. */
  readonly workspaceResources: readonly WorkspaceResource[];
  readonly workspaces: readonly Workspace[];
  readonly folders: readonly Folder[];
  /** Every registered point. */
  readonly points: readonly Permission[];
  point(permission: Permission): PermissionPoint | undefined;
  /** What an operation of a product's API asks for. */
  permissionOf(operation: string): Permission | undefined;
}

export const NO_OBJECTS: AccessObjects = {
  users: [],
  groups: [],
  folders: [],
  workspaces: [],
  workspaceResources: [],
  roles: [],
  bindings: [],
  products: [],
};

export function accessSnapshot(objects: AccessObjects): AccessSnapshot {
  const users = byName(objects.users);
  const memberships = indexed(alive(objects.groups), ({ spec }) => spec.members ?? []);
  const bindings = indexed(alive(objects.bindings), ({ spec }) => spec.subjects.map(subjectKey));
  const points = registeredPoints(alive(objects.products));
  const operations = operationsOf(alive(objects.products));
  const roles = alive(objects.roles).map((role) => effectiveRole(role, points));
  const rolesByName = new Map(roles.map((role) => [role.name, role]));
  const workspaceResources = alive(objects.workspaceResources);

  return {
    user: (name) => users.get(name),
    groupsOf(user) {
      const own = (memberships.get(user) ?? []).map(({ metadata }) => metadata.name);
      return [...new Set([...own, ...(users.get(user)?.spec.external?.groups ?? [])])];
    },
    bindingsOf: (subject) => bindings.get(subjectKey(subject)) ?? [],
    role: (name) => rolesByName.get(name),
    roles,
    tree: scopeTree(objects, workspaceResources),
    workspaceResources,
    workspaces: alive(objects.workspaces),
    folders: alive(objects.folders),
    points: [...points.keys()],
    point: (name) => points.get(name),
    permissionOf: (operation) => operations.get(operation),
  };
}

function scopeTree(objects: AccessObjects, workspaceResources: readonly WorkspaceResource[]): ScopeTree {
  const owners = new Map<string, string>();
  // The API server allows one object a resource; should there be two after all, the first name wins everywhere.
  for (const { spec } of workspaceResources.toSorted(byMetadataName).toReversed())
    owners.set(scopeKey(spec.resource), spec.workspace);
  const workspaces = byName(objects.workspaces);
  const folders = byName(objects.folders);
  return {
    workspaceOf: (resource: Scope) => owners.get(scopeKey(resource)),
    hasWorkspace: (workspace) => workspaces.has(workspace),
    folderOf: (workspace) => workspaces.get(workspace)?.spec.folder,
    hasFolder: (folder) => folders.has(folder),
    parentOf: (folder) => folders.get(folder)?.spec.parent,
  };
}

function registeredPoints(products: readonly Product[]): ReadonlyMap<Permission, PermissionPoint> {
  return new Map(
    products.flatMap(({ metadata, spec }) =>
      spec.permissions
        .map((point) => [permission(metadata.name, point.resourceType, point.action), point] as const)
        .toReversed(),
    ),
  );
}

function operationsOf(products: readonly Product[]): ReadonlyMap<string, Permission> {
  return new Map(
    products.flatMap(({ metadata, spec }) =>
      spec.permissions.flatMap(({ resourceType, action, operations = [] }) =>
        operations.map((operation) => [operation, permission(metadata.name, resourceType, action)] as const),
      ),
    ),
  );
}

function subjectKey({ kind, name }: Subject): string {
  return `${kind}:${name}`;
}

function alive<T extends KubeObject>(objects: readonly T[]): readonly T[] {
  return objects.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
}

function byName<T extends KubeObject>(objects: readonly T[]): ReadonlyMap<string, T> {
  return new Map(alive(objects).map((object) => [object.metadata.name, object]));
}

function byMetadataName(a: KubeObject, b: KubeObject): number {
  return a.metadata.name < b.metadata.name ? -1 : 1;
}

function indexed<T>(objects: readonly T[], keys: (object: T) => readonly string[]): ReadonlyMap<string, readonly T[]> {
  const index = new Map<string, T[]>();
  for (const object of objects) {
    for (const key of new Set(keys(object))) {
      const known = index.get(key);
      if (known) known.push(object);
      else index.set(key, [object]);
    }
  }
  return index;
}
