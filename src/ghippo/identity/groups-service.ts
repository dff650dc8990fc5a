/** Groups and who is in them. */
import { notFound } from '#base/status-error.ts';
import type { Action, Caller, Guard } from '#ghippo/access/index.ts';
import { ghippoPermission } from '#ghippo/apis/ghippo-product.ts';
import { GHIPPO_GROUP, type Group } from '#ghippo/apis/kinds.ts';
import type { GhippoClients } from '#ghippo/apis/resources.ts';
import { PLATFORM } from '#ghippo/apis/scope.ts';

export interface GroupsService {
  createGroup(
    caller: Caller,
    input: { readonly name: string; readonly description?: string; readonly members?: readonly string[] },
  ): Promise<Group>;
  getGroup(caller: Caller, name: string): Promise<Group>;
  listGroups(caller: Caller, options?: { readonly search?: string }): Promise<readonly Group[]>;
  updateGroup(caller: Caller, name: string, input: { readonly description: string }): Promise<Group>;
  addMembers(caller: Caller, name: string, members: readonly string[]): Promise<Group>;
  removeMembers(caller: Caller, name: string, members: readonly string[]): Promise<Group>;
  deleteGroup(caller: Caller, name: string): Promise<void>;
}

export function groupsService(deps: { readonly clients: GhippoClients; readonly guard: Guard }): GroupsService {
  const { guard } = deps;
  const { groups, users } = deps.clients;
  const on = (action: string, name: string, detail?: object): Action => ({
    permission: ghippoPermission('group', action),
    scope: PLATFORM,
    name,
    ...(detail ? { detail } : {}),
  });

  async function requireUsers(names: readonly string[]): Promise<void> {
    for (const name of names) if (!(await users.find(name))) throw notFound('users', name, GHIPPO_GROUP);
  }

  async function requireGroup(name: string): Promise<Group> {
    const group = await groups.find(name);
    if (!group) throw notFound('groups', name, GHIPPO_GROUP);
    return group;
  }

  function change(
    caller: Caller,
    name: string,
    detail: object,
    next: (group: Group['spec']) => Group['spec'],
    before = async () => {},
  ): Promise<Group> {
    return guard.perform(caller, on('update', name, detail), async () => {
      await before();
      const changed = await groups.modify(name, (draft) => {
        const { members, ...rest } = next(draft.spec);
        draft.spec = { ...rest, ...(members ? { members: [...members] } : {}) };
      });
      return changed ?? requireGroup(name);
    });
  }

  return {
    createGroup: (caller, { name, description, members = [] }) =>
      guard.perform(caller, on('create', name, { members }), async () => {
        await requireUsers(members);
        const spec = { ...(description === undefined ? {} : { description }), members: [...new Set(members)] };
        return groups.create({ metadata: { name }, spec });
      }),
    async getGroup(caller, name) {
      await guard.require(caller, on('get', name));
      return requireGroup(name);
    },
    async listGroups(caller, { search = '' } = {}) {
      await guard.require(caller, on('list', ''));
      return (await groups.list()).filter(({ metadata }) => metadata.name.includes(search));
    },
    updateGroup: (caller, name, { description }) => change(caller, name, {}, (spec) => ({ ...spec, description })),
    addMembers: (caller, name, members) =>
      change(
        caller,
        name,
        { added: members },
        (spec) => ({ ...spec, members: [...new Set([...(spec.members ?? []), ...members])] }),
        () => requireUsers(members),
      ),
    removeMembers: (caller, name, members) =>
      change(caller, name, { removed: members }, (spec) => ({
        ...spec,
        members: (spec.members ?? []).filter((one) => !members.includes(one)),
      })),
    deleteGroup: (caller, name) =>
      guard.perform(caller, on('delete', name), async () => {
        await requireGroup(name);
        await groups.remove(name);
      }),
  };
}
