/** Folders, workspaces and what belongs to them, known by numbers as the published API does. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import { badRequest, notFound, StatusError } from '#base/status-error.ts';
import {
  type BoundResourceSchema,
  type FolderSchema,
  type MemberRoleSchema,
  type WorkspaceSchema,
  WorkspaceService,
} from '#gen/proto/ghippo/api/workspace/v1alpha1/workspace_service_pb.ts';
import type { Caller } from '#ghippo/access/caller.ts';
import { ghippoPermission } from '#ghippo/apis/ghippo-product.ts';
import {
  type AccessBinding,
  type BindableResource,
  type Folder,
  GHIPPO_GROUP,
  type Subject,
  type Workspace,
} from '#ghippo/apis/kinds.ts';
import {
  folderScope,
  instanceScope,
  namespaceScope,
  type Scope,
  scopeText,
  workspaceScope,
} from '#ghippo/apis/scope.ts';
import { workspaceResourceName } from '#ghippo/apis/workspace-resource-name.ts';
import type { Ghippo } from '#ghippo/ghippo.ts';
import { replaceRoles } from '#ghippo/role/index.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { callerIn, type Context } from './caller-in.ts';
import { given, type PageRequest, paged, scopeMessage, subjectFrom, subjectMessage } from './messages.ts';

const PRODUCT = 'kairship';
const TYPES = { Instance: 'Kairship', Namespace: 'Kairship-Namespace' } as const;

interface Tree {
  readonly folder?: MessageInitShape<typeof FolderSchema>;
  readonly folders: Tree[];
  readonly workspaces: MessageInitShape<typeof WorkspaceSchema>[];
}

export function workspaceApi({ workspaces, clients, bindings, guard, snapshot }: Ghippo): ServedService {
  async function folderName(id: number): Promise<string> {
    const found = (await clients.folders.list()).find(({ spec }) => spec.id === id);
    if (!found) throw notFound('folders', String(id), GHIPPO_GROUP);
    return found.metadata.name;
  }

  async function workspaceName(id: number): Promise<string> {
    const found = (await clients.workspaces.list()).find(({ spec }) => spec.id === id);
    if (!found) throw notFound('workspaces', String(id), GHIPPO_GROUP);
    return found.metadata.name;
  }

  /** A place by its number; 0 is none. */
  const inFolder = async (id: number) => (id === 0 ? undefined : folderName(id));

  async function numberOf(folder: string | undefined): Promise<number> {
    return folder === undefined ? 0 : ((await clients.folders.find(folder))?.spec.id ?? 0);
  }

  async function folderMessage({ metadata, spec }: Folder): Promise<MessageInitShape<typeof FolderSchema>> {
    const { id, displayName = '', description = '', parent } = spec;
    return { folderId: id, name: metadata.name, displayName, description, parentId: await numberOf(parent) };
  }

  async function workspaceMessage({ metadata, spec }: Workspace): Promise<MessageInitShape<typeof WorkspaceSchema>> {
    const { id, displayName = '', description = '', folder } = spec;
    return { workspaceId: id, name: metadata.name, displayName, description, folderId: await numberOf(folder) };
  }

  async function seenWorkspace(caller: Caller, id: number): Promise<Workspace> {
    const found = (await workspaces.listWorkspaces(caller)).find(({ spec }) => spec.id === id);
    if (!found) throw notFound('workspaces', String(id), GHIPPO_GROUP);
    return found;
  }

  async function seenFolder(caller: Caller, id: number): Promise<Folder> {
    const found = (await workspaces.listFolders(caller)).find(({ spec }) => spec.id === id);
    if (!found) throw notFound('folders', String(id), GHIPPO_GROUP);
    return found;
  }

  /** Folders and workspaces never have the same number. */
  async function placeOf(id: number): Promise<Scope> {
    const folder = (await clients.folders.list()).find(({ spec }) => spec.id === id);
    return folder ? folderScope(folder.metadata.name) : workspaceScope(await workspaceName(id));
  }

  async function memberRoles(request: PageRequest, scope: Scope, context: Context) {
    const given = await bindings.listBindings(callerIn(context), { scope });
    const { items, pagination } = paged(request, given.flatMap(memberMessages));
    return { items, pagination };
  }

  async function tree(caller: Caller): Promise<Tree> {
    const [folders, spaces] = [await workspaces.listFolders(caller), await workspaces.listWorkspaces(caller)];
    const seen = new Set(folders.map(({ metadata }) => metadata.name));
    // What stands in a folder that the caller may not see is shown at the top.
    const isIn = (place: string | undefined, name: string | undefined) =>
      (place !== undefined && seen.has(place) ? place : undefined) === name;
    const below = async (name: string | undefined): Promise<Tree> => ({
      folders: await Promise.all(
        folders
          .filter(({ spec }) => isIn(spec.parent, name))
          .map(async (folder) => ({ folder: await folderMessage(folder), ...(await below(folder.metadata.name)) })),
      ),
      workspaces: await Promise.all(spaces.filter(({ spec }) => isIn(spec.folder, name)).map(workspaceMessage)),
    });
    return below(undefined);
  }

  return service(WorkspaceService, {
    getFolder: async ({ folderId }, context) => folderMessage(await seenFolder(callerIn(context), folderId)),
    listFolderTree: (_request, context) => tree(callerIn(context)),
    async folderListPermissions({ folderId }, context) {
      const [caller, scope] = [callerIn(context), await placeOf(folderId)];
      return { permissions: snapshot.current().points.filter((point) => guard.may(caller, point, scope)) };
    },
    async authorize({ folderId, role, member }, context) {
      const [scope, subject] = [await placeOf(folderId), memberFrom(member)];
      const made = await bindings.grant(callerIn(context), { role, scope, subjects: [subject] });
      return { member: subjectMessage(subject), role, binding: made.metadata.name };
    },
    async deauthorize({ folderId, role, member }, context) {
      const [caller, scope, subject] = [callerIn(context), await placeOf(folderId), memberFrom(member)];
      const found = await bindings.listBindings(caller, { scope, subject, ...given({ role }) });
      if (found.length === 0)
        throw new StatusError(
          'NotFound',
          `${subject.kind} "${subject.name}" was given no such role in ${scopeText(scope)}`,
        );
      for (const { metadata } of found) await bindings.revokeFrom(caller, metadata.name, subject);
      return {};
    },
    async reauthorize({ folderId, role, member }, context) {
      const [scope, subject] = [await placeOf(folderId), memberFrom(member)];
      const [made] = await replaceRoles(bindings, callerIn(context), subject, scope, [role]);
      return { member: subjectMessage(subject), role, binding: made?.metadata.name ?? '' };
    },
    listMembersRolesByFolder: async (request, context) =>
      memberRoles(request, folderScope(await folderName(request.folderId)), context),
    listMembersRolesByWorkspace: async (request, context) =>
      memberRoles(request, workspaceScope(await workspaceName(request.workspaceId)), context),
    async moveWorkspaceFolderList({ workspaceId }, context) {
      const caller = callerIn(context);
      const { spec } = await seenWorkspace(caller, workspaceId);
      const open = (await workspaces.listFolders(caller)).filter(
        ({ metadata }) =>
          metadata.name !== spec.folder &&
          guard.may(caller, ghippoPermission('workspace', 'create'), folderScope(metadata.name)),
      );
      return { items: await Promise.all(open.map(folderMessage)) };
    },
    listExclusiveResourceTypes: () => ({
      items: Object.values(TYPES).map((resourceType) => ({ gproduct: PRODUCT, resourceType })),
    }),
    listFolders: async (_request, context) => ({
      items: await Promise.all((await workspaces.listFolders(callerIn(context))).map(folderMessage)),
    }),
    async createFolder({ name, displayName, description, parentId }, context) {
      const parent = await inFolder(parentId);
      const input = { name, ...given({ displayName, description, parent }) };
      return folderMessage(await workspaces.createFolder(callerIn(context), input));
    },
    async updateFolder({ folderId, displayName, description, parentId }, context) {
      const [caller, name] = [callerIn(context), await folderName(folderId)];
      const updated = await workspaces.updateFolder(caller, name, given({ displayName, description }));
      if (parentId === undefined) return folderMessage(updated);
      return folderMessage(await workspaces.moveFolder(caller, name, await inFolder(parentId)));
    },
    async deleteFolder({ folderId }, context) {
      await workspaces.deleteFolder(callerIn(context), await folderName(folderId));
      return {};
    },
    async listWorkspaces(request, context) {
      const all = await workspaces.listWorkspaces(callerIn(context));
      const found = all.filter(({ metadata }) => metadata.name.includes(request.search));
      const { items, pagination } = paged(request, found);
      return { items: await Promise.all(items.map(workspaceMessage)), pagination };
    },
    getWorkspace: async ({ workspaceId }, context) =>
      workspaceMessage(await seenWorkspace(callerIn(context), workspaceId)),
    async createWorkspace({ name, displayName, description, folderId }, context) {
      const folder = await inFolder(folderId);
      const input = { name, ...given({ displayName, description, folder }) };
      return workspaceMessage(await workspaces.createWorkspace(callerIn(context), input));
    },
    async updateWorkspace({ workspaceId, displayName, description }, context) {
      const name = await workspaceName(workspaceId);
      return workspaceMessage(
        await workspaces.updateWorkspace(callerIn(context), name, given({ displayName, description })),
      );
    },
    async moveWorkspace({ workspaceId, folderId }, context) {
      const name = await workspaceName(workspaceId);
      return workspaceMessage(await workspaces.moveWorkspace(callerIn(context), name, await inFolder(folderId)));
    },
    async deleteWorkspace({ workspaceId }, context) {
      await workspaces.deleteWorkspace(callerIn(context), await workspaceName(workspaceId));
      return {};
    },
    async listExclusiveResourcesByWorkspace(request, context) {
      const { metadata } = await seenWorkspace(callerIn(context), request.workspaceId);
      const bound = await workspaces.listResources(callerIn(context), metadata.name);
      const { items, pagination } = paged(request, bound);
      return { items: items.map(({ spec }) => boundMessage(request.workspaceId, spec.resource)), pagination };
    },
    async bindExclusiveResourceToWorkspace(request, context) {
      const resource = resourceFrom(request);
      await workspaces.bindResource(callerIn(context), await workspaceName(request.workspaceId), resource);
      return boundMessage(request.workspaceId, resource);
    },
    async unbindResourceFromWorkspace(request, context) {
      const [workspace, resource] = [await workspaceName(request.workspaceId), resourceFrom(request)];
      const owner = await clients.workspaceResources.find(workspaceResourceName(resource));
      if (owner?.spec.workspace !== workspace)
        throw new StatusError('NotFound', `${scopeText(resource)} does not belong to workspace "${workspace}"`);
      await workspaces.unbindResource(callerIn(context), resource);
      return {};
    },
  });
}

function memberFrom(member: Parameters<typeof subjectFrom>[0] | undefined): Subject {
  if (!member) throw badRequest('a member is a User or a Group, and has a name');
  return subjectFrom(member);
}

function memberMessages({ metadata, spec }: AccessBinding): MessageInitShape<typeof MemberRoleSchema>[] {
  return spec.subjects.map((subject) => ({
    member: subjectMessage(subject),
    role: spec.role,
    binding: metadata.name,
  }));
}

/** `resource_scope` is the instance of a namespace. */
function resourceFrom(named: {
  readonly resourceName: string;
  readonly resourceType: string;
  readonly resourceScope: string;
}): BindableResource {
  const { resourceName, resourceType, resourceScope } = named;
  if (resourceType === TYPES.Instance && resourceName !== '') return instanceScope(resourceName);
  if (resourceType === TYPES.Namespace && resourceName !== '' && resourceScope !== '')
    return namespaceScope(resourceScope, resourceName);
  throw badRequest(`a resource is a ${TYPES.Instance} by its name, or a ${TYPES.Namespace} with its instance as scope`);
}

function boundMessage(workspaceId: number, resource: BindableResource): MessageInitShape<typeof BoundResourceSchema> {
  return { workspaceId, resource: scopeMessage(resource), gproduct: PRODUCT, resourceType: TYPES[resource.type] };
}
