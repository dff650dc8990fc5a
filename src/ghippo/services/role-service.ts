/** Roles and what they are made of. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import { badRequest } from '#base/status-error.ts';
import { type RoleSchema, RoleService } from '#gen/proto/ghippo/api/role/v1alpha1/role_service_pb.ts';
import { Scope_Type } from '#gen/proto/ghippo/api/types/v1alpha1/types_pb.ts';
import type { Role } from '#ghippo/apis/kinds.ts';
import type { ScopeType } from '#ghippo/apis/scope.ts';
import type { Ghippo } from '#ghippo/ghippo.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { callerIn, type Context } from './caller-in.ts';
import { given, type PageRequest, paged, scopeMessage, scopeTypeFrom, subjectMessage, timeOf } from './messages.ts';

export function roleApi({ roles, bindings }: Ghippo): ServedService {
  /** Everybody who was given a role, once for each binding. */
  async function membersOf(name: string, context: Context) {
    await roles.getRole(callerIn(context), name);
    const given = await bindings.listBindings(callerIn(context), { role: name });
    return given.flatMap(({ metadata, spec }) =>
      spec.subjects.map((subject) => ({ subject, scope: spec.scope, binding: metadata.name })),
    );
  }

  async function members(request: PageRequest & { readonly name: string }, context: Context) {
    const { items, pagination } = paged(request, await membersOf(request.name, context));
    return {
      items: items.map(({ subject, scope, binding }) => ({
        member: subjectMessage(subject),
        scope: scopeMessage(scope),
        binding,
      })),
      pagination,
    };
  }

  const namesIn = async (scope: ScopeType, context: Context) => ({
    names: (await roles.listRoles(callerIn(context), { scope })).map(({ metadata }) => metadata.name),
  });

  return service(RoleService, {
    async listRoles(request, context) {
      const scope = scopeTypeFrom(request.scope);
      const all = await roles.listRoles(callerIn(context), scope ? { scope } : {});
      const { items, pagination } = paged(request, all);
      return { items: items.map(roleMessage), pagination };
    },
    getRole: async ({ name }, context) => roleMessage(await roles.getRole(callerIn(context), name)),
    async checkRoleName({ name }, context) {
      const all = await roles.listRoles(callerIn(context));
      return { exists: all.some(({ metadata }) => metadata.name === name) };
    },
    async createRole({ name, scope: type, permissions, displayName, description }, context) {
      const scope = scopeTypeFrom(type);
      if (!scope) throw badRequest('a role has a scope, which says where it can be bound');
      const input = { name, scope, permissions, ...given({ displayName, description }) };
      return roleMessage(await roles.createRole(callerIn(context), input));
    },
    updateRole: async ({ name, permissions, displayName, description }, context) =>
      roleMessage(
        await roles.updateRole(callerIn(context), name, { permissions, ...given({ displayName, description }) }),
      ),
    async deleteRole({ name }, context) {
      await roles.deleteRole(callerIn(context), name);
      return {};
    },
    async getRoleMemberCount({ name }, context) {
      const all = await membersOf(name, context);
      return { count: new Set(all.map(({ subject }) => `${subject.kind} ${subject.name}`)).size };
    },
    listMembersByPlatformRole: members,
    listMembersFoldersByFolderRole: members,
    listMembersWorkspacesByWorkspaceRole: members,
    listFolderRoleNames: (_request, context) => namesIn('Folder', context),
    listWorkspaceRoleNames: (_request, context) => namesIn('Workspace', context),
    async listAllPermissions({ product }, context) {
      const all = await roles.listPermissions(callerIn(context));
      const items = all
        .filter((point) => product === '' || point.product === product)
        .map(({ scope, description = '', dependsOn = [], operations = [], ...point }) => ({
          ...point,
          scope: Scope_Type[scope],
          description,
          dependsOn: dependsOn.map((needed) => `${point.product}/${needed}`),
          operations: [...operations],
        }));
      return { items };
    },
  });
}

function roleMessage(role: Role): MessageInitShape<typeof RoleSchema> {
  const { displayName = '', description = '', scope, permissions = [], includes = [], builtin = false } = role.spec;
  return {
    name: role.metadata.name,
    displayName,
    description,
    scope: Scope_Type[scope],
    permissions: [...permissions],
    includes: includes.map(({ tier, product = '' }) => ({ tier, product })),
    builtin,
    createdAt: timeOf(role),
  };
}
