/**
 * Folders, workspaces, and what belongs to them. Folders are a tree and workspaces stand in it; an instance or a
 * multi-cloud namespace belongs to at most one workspace. Nothing is deleted that still holds something.
 */
import { notFound, StatusError } from '#base/status-error.ts';
import type { Action, Caller, Guard } from '#ghippo/access/index.ts';
import { ghippoPermission } from '#ghippo/apis/ghippo-product.ts';
import {
  type BindableResource,
  type Folder,
  GHIPPO_GROUP,
  type Workspace,
  type WorkspaceResource,
} from '#ghippo/apis/kinds.ts';
import type { GhippoClients } from '#ghippo/apis/resources.ts';
import { folderScope, instanceScope, PLATFORM, type Scope, scopeText, workspaceScope } from '#ghippo/apis/scope.ts';
import { workspaceResourceName } from '#ghippo/apis/workspace-resource-name.ts';
import { type Database, numberOf } from '#ghippo/database/database.ts';

export interface PlaceInput {
  readonly displayName?: string;
  readonly description?: string;
}

export interface WorkspacesService {
  createFolder(
    caller: Caller,
    input: PlaceInput & { readonly name: string; readonly parent?: string },
  ): Promise<Folder>;
  updateFolder(caller: Caller, name: string, input: PlaceInput): Promise<Folder>;
  /** Into another folder, or to the top without one. */
  moveFolder(caller: Caller, name: string, parent: string | undefined): Promise<Folder>;
  deleteFolder(caller: Caller, name: string): Promise<void>;
  listFolders(caller: Caller): Promise<readonly Folder[]>;

  createWorkspace(
    caller: Caller,
    input: PlaceInput & { readonly name: string; readonly folder?: string },
  ): Promise<Workspace>;
  updateWorkspace(caller: Caller, name: string, input: PlaceInput): Promise<Workspace>;
  moveWorkspace(caller: Caller, name: string, folder: string | undefined): Promise<Workspace>;
  deleteWorkspace(caller: Caller, name: string): Promise<void>;
  /** Those the caller may see. */
  listWorkspaces(caller: Caller): Promise<readonly Workspace[]>;

  /** Needs a say in both: the workspace and the resource. */
  bindResource(caller: Caller, workspace: string, resource: BindableResource): Promise<WorkspaceResource>;
  unbindResource(caller: Caller, resource: BindableResource): Promise<void>;
  listResources(caller: Caller, workspace?: string): Promise<readonly WorkspaceResource[]>;
}

export function workspacesService(deps: {
  readonly clients: GhippoClients;
  readonly guard: Guard;
  readonly database: Database;
}): WorkspacesService {
  const { guard, database } = deps;
  const { folders, workspaces, workspaceResources, registrations } = deps.clients;
  const at = (place: string | undefined): Scope => (place === undefined ? PLATFORM : folderScope(place));
  const onFolder = (action: string, scope: Scope, name: string): Action => ({
    permission: ghippoPermission('folder', action),
    scope,
    name,
  });
  const onWorkspace = (action: string, scope: Scope, name: string, detail?: object): Action => ({
    permission: ghippoPermission('workspace', action),
    scope,
    name,
    ...(detail ? { detail } : {}),
  });

  async function requireFolder(name: string): Promise<Folder> {
    const folder = await folders.find(name);
    if (!folder) throw notFound('folders', name, GHIPPO_GROUP);
    return folder;
  }

  async function requireWorkspace(name: string): Promise<Workspace> {
    const workspace = await workspaces.find(name);
    if (!workspace) throw notFound('workspaces', name, GHIPPO_GROUP);
    return workspace;
  }

  /** Never given twice, also when the database is younger than the objects. */
  async function nextId(): Promise<number> {
    const known = [...(await folders.list()), ...(await workspaces.list())].map(({ spec }) => spec.id);
    const [row] = await database.query(
      `INSERT INTO ghippo_sequences AS s (id, value) VALUES ($1, $2)
       ON CONFLICT (id) DO UPDATE SET value = CASE WHEN s.value < $3 THEN $2 ELSE s.value + 1 END RETURNING value`,
      ['workspace', Math.max(0, ...known) + 1, Math.max(0, ...known)],
    );
    return numberOf(row ?? {}, 'value');
  }

  async function requireNoCycle(name: string, parent: string | undefined): Promise<void> {
    for (let above = parent; above !== undefined; above = (await requireFolder(above)).spec.parent)
      if (above === name) throw new StatusError('Invalid', `folder "${name}" cannot be moved into itself`);
  }

  async function requireRegistered({ instance }: BindableResource): Promise<void> {
    const name = workspaceResourceName(instanceScope(instance));
    if (!(await registrations.find(name)))
      throw new StatusError(
        'Invalid',
        `instance "${instance}" is not registered, so that it cannot belong to a workspace`,
      );
  }

  function refuseUnlessEmpty(what: string, held: readonly string[]): void {
    if (held.length === 0) return;
    throw new StatusError('Conflict', `${what} still holds ${held.length} others, first ${held[0]}`);
  }

  /** Moving changes who has rights in it, so it needs a say in both places. */
  async function requireSayIn(
    caller: Caller,
    place: string | undefined,
    action: (scope: Scope) => Action,
  ): Promise<void> {
    if (place !== undefined) await requireFolder(place);
    await guard.require(caller, action(at(place)));
  }

  return {
    createFolder: (caller, { name, parent, ...input }) =>
      guard.perform(caller, onFolder('create', at(parent), name), async () => {
        if (parent !== undefined) await requireFolder(parent);
        const spec = { ...described(input), id: await nextId(), ...(parent === undefined ? {} : { parent }) };
        return folders.create({ metadata: { name }, spec });
      }),
    updateFolder: (caller, name, input) =>
      guard.perform(caller, onFolder('update', folderScope(name), name), async () => {
        const changed = await folders.modify(name, ({ spec }) => void Object.assign(spec, described(input)));
        return changed ?? requireFolder(name);
      }),
    async moveFolder(caller, name, parent) {
      await requireSayIn(caller, parent, (scope) => onFolder('create', scope, name));
      return guard.perform(caller, onFolder('update', folderScope(name), name), async () => {
        await requireNoCycle(name, parent);
        const changed = await folders.modify(name, ({ spec }) => {
          if (parent === undefined) delete spec.parent;
          else spec.parent = parent;
        });
        return changed ?? requireFolder(name);
      });
    },
    deleteFolder: (caller, name) =>
      guard.perform(caller, onFolder('delete', folderScope(name), name), async () => {
        await requireFolder(name);
        const below = (await folders.list()).filter(({ spec }) => spec.parent === name);
        const inside = (await workspaces.list()).filter(({ spec }) => spec.folder === name);
        const names = [...below, ...inside].map(({ kind, metadata }) => `${kind.toLowerCase()} "${metadata.name}"`);
        refuseUnlessEmpty(`folder "${name}"`, names);
        await folders.remove(name);
      }),
    async listFolders(caller) {
      const all = await folders.list();
      return all.filter(({ metadata }) =>
        guard.may(caller, ghippoPermission('folder', 'list'), folderScope(metadata.name)),
      );
    },

    createWorkspace: (caller, { name, folder, ...input }) =>
      guard.perform(caller, onWorkspace('create', at(folder), name), async () => {
        if (folder !== undefined) await requireFolder(folder);
        const spec = { ...described(input), id: await nextId(), ...(folder === undefined ? {} : { folder }) };
        return workspaces.create({ metadata: { name }, spec });
      }),
    updateWorkspace: (caller, name, input) =>
      guard.perform(caller, onWorkspace('update', workspaceScope(name), name), async () => {
        const changed = await workspaces.modify(name, ({ spec }) => void Object.assign(spec, described(input)));
        return changed ?? requireWorkspace(name);
      }),
    async moveWorkspace(caller, name, folder) {
      await requireSayIn(caller, folder, (scope) => onWorkspace('create', scope, name));
      return guard.perform(caller, onWorkspace('update', workspaceScope(name), name, { folder }), async () => {
        const changed = await workspaces.modify(name, ({ spec }) => {
          if (folder === undefined) delete spec.folder;
          else spec.folder = folder;
        });
        return changed ?? requireWorkspace(name);
      });
    },
    deleteWorkspace: (caller, name) =>
      guard.perform(caller, onWorkspace('delete', workspaceScope(name), name), async () => {
        await requireWorkspace(name);
        const held = (await workspaceResources.list()).filter(({ spec }) => spec.workspace === name);
        refuseUnlessEmpty(
          `workspace "${name}"`,
          held.map(({ spec }) => scopeText(spec.resource)),
        );
        await workspaces.remove(name);
      }),
    async listWorkspaces(caller) {
      const all = await workspaces.list();
      return all.filter(({ metadata }) =>
        guard.may(caller, ghippoPermission('workspace', 'list'), workspaceScope(metadata.name)),
      );
    },

    async bindResource(caller, workspace, resource) {
      // Whoever is in the workspace gains rights on the resource: that is giving them.
      const giving = { permission: ghippoPermission('access', 'grant'), scope: resource, name: scopeText(resource) };
      await guard.require(caller, giving);
      const action = onWorkspace('bind', workspaceScope(workspace), workspace, { resource });
      return guard.perform(caller, action, async () => {
        await requireWorkspace(workspace);
        await requireRegistered(resource);
        const name = workspaceResourceName(resource);
        const owner = await workspaceResources.find(name);
        if (owner?.spec.workspace === workspace) return owner;
        if (owner)
          throw new StatusError(
            'Conflict',
            `${scopeText(resource)} belongs to workspace "${owner.spec.workspace}" already`,
          );
        return workspaceResources.create({ metadata: { name }, spec: { workspace, resource } });
      });
    },
    async unbindResource(caller, resource) {
      const name = workspaceResourceName(resource);
      const owner = await workspaceResources.find(name);
      if (!owner) throw new StatusError('NotFound', `${scopeText(resource)} belongs to no workspace`);
      const { workspace } = owner.spec;
      await guard.perform(caller, onWorkspace('unbind', workspaceScope(workspace), workspace, { resource }), () =>
        workspaceResources.remove(name),
      );
    },
    async listResources(caller, workspace) {
      const all = (await workspaceResources.list()).filter(
        ({ spec }) => workspace === undefined || spec.workspace === workspace,
      );
      return all.filter(({ spec }) =>
        guard.may(caller, ghippoPermission('workspace', 'get'), workspaceScope(spec.workspace)),
      );
    },
  };
}

function described({ displayName, description }: PlaceInput): PlaceInput {
  return {
    ...(displayName === undefined ? {} : { displayName }),
    ...(description === undefined ? {} : { description }),
  };
}
