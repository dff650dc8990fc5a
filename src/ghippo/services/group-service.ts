/** Groups and who is in them. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import { type GroupSchema, GroupService } from '#gen/proto/ghippo/api/group/v1alpha1/group_service_pb.ts';
import type { Group } from '#ghippo/apis/kinds.ts';
import { PLATFORM } from '#ghippo/apis/scope.ts';
import type { Ghippo } from '#ghippo/ghippo.ts';
import { replaceRoles } from '#ghippo/role/index.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { callerIn, type Context } from './caller-in.ts';
import { given, paged, scopeMessage, timeOf } from './messages.ts';

export function groupApi({ groups, bindings }: Ghippo): ServedService {
  async function rolesOf(name: string, context: Context) {
    const given = await bindings.listBindings(callerIn(context), { subject: { kind: 'Group', name } });
    return { items: given.map(({ spec }) => ({ role: spec.role, scope: scopeMessage(spec.scope) })) };
  }

  return service(GroupService, {
    async listGroups(request, context) {
      const all = await groups.listGroups(callerIn(context), { search: request.search });
      const { items, pagination } = paged(request, all);
      return { items: items.map(groupMessage), pagination };
    },
    getGroup: async ({ id }, context) => groupMessage(await groups.getGroup(callerIn(context), id)),
    createGroup: async ({ name, description, members }, context) =>
      groupMessage(await groups.createGroup(callerIn(context), { name, members, ...given({ description }) })),
    updateGroup: async ({ id, description }, context) =>
      groupMessage(await groups.updateGroup(callerIn(context), id, { description })),
    async deleteGroup({ id }, context) {
      await groups.deleteGroup(callerIn(context), id);
      return {};
    },
    async groupMembers(request, context) {
      const { spec } = await groups.getGroup(callerIn(context), request.id);
      return paged(request, spec.members ?? []);
    },
    addUserToGroup: async ({ id, userId }, context) =>
      groupMessage(await groups.addMembers(callerIn(context), id, [userId])),
    async listGroupRoles({ id }, context) {
      await groups.getGroup(callerIn(context), id);
      return rolesOf(id, context);
    },
    async updateGroupRoles({ id, roles }, context) {
      await groups.getGroup(callerIn(context), id);
      await replaceRoles(bindings, callerIn(context), { kind: 'Group', name: id }, PLATFORM, roles);
      return rolesOf(id, context);
    },
    deleteUserFromGroup: async ({ id, userId }, context) =>
      groupMessage(await groups.removeMembers(callerIn(context), id, [userId])),
  });
}

function groupMessage(group: Group): MessageInitShape<typeof GroupSchema> {
  const { description = '', members = [] } = group.spec;
  const { name } = group.metadata;
  return { id: name, name, description, memberCount: members.length, createdAt: timeOf(group) };
}
