/** People, as those who manage them see them. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import { type UserSchema, UsersService } from '#gen/proto/ghippo/api/users/v1alpha1/users_service_pb.ts';
import type { User } from '#ghippo/apis/kinds.ts';
import { PLATFORM } from '#ghippo/apis/scope.ts';
import type { Ghippo } from '#ghippo/ghippo.ts';
import { replaceRoles } from '#ghippo/role/index.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { callerIn, type Context } from './caller-in.ts';
import { given, paged, scopeFrom, scopeMessage, subjectMessage, timeOf, tokenMessage } from './messages.ts';

export function usersApi({ users, tokens, bindings, snapshot, clients }: Ghippo): ServedService {
  async function rolesOf(id: string, context: Context) {
    const now = snapshot.current();
    const subjects = [
      { kind: 'User' as const, name: id },
      ...now.groupsOf(id).map((name) => ({ kind: 'Group' as const, name })),
    ];
    const all = await bindings.listBindings(callerIn(context));
    const items = subjects.flatMap((subject) =>
      all
        .filter(({ spec }) => spec.subjects.some(({ kind, name }) => kind === subject.kind && name === subject.name))
        .map(({ spec }) => ({ role: spec.role, scope: scopeMessage(spec.scope), through: subjectMessage(subject) })),
    );
    return { items };
  }

  return service(UsersService, {
    async listUsers(request, context) {
      const all = await users.listUsers(callerIn(context), { search: request.search });
      const { items, pagination } = paged(request, all);
      return { items: items.map(userMessage), pagination };
    },
    getUser: async ({ id }, context) => userMessage(await users.getUser(callerIn(context), id)),
    async checkUser({ username }, context) {
      await users.listUsers(callerIn(context), { search: username });
      return { exists: (await clients.users.find(username)) !== undefined };
    },
    async checkUserEmail({ username: address }, context) {
      const found = await users.listUsers(callerIn(context), { search: address });
      return { exists: found.some(({ spec }) => spec.email?.toLowerCase() === address.toLowerCase()) };
    },
    async createUser({ name, displayName, email, description, password }, context) {
      const texts = given({ displayName, email, description, password });
      return userMessage(await users.createUser(callerIn(context), { name, ...texts }));
    },
    async updateUser({ id, enabled, displayName, email, description }, context) {
      const disabled = enabled === undefined ? {} : { disabled: !enabled };
      const texts = {
        ...(displayName === undefined ? {} : { displayName }),
        ...(email === undefined ? {} : { email }),
        ...(description === undefined ? {} : { description }),
      };
      return userMessage(await users.updateUser(callerIn(context), id, { ...texts, ...disabled }));
    },
    async deleteUser({ id }, context) {
      await users.deleteUser(callerIn(context), id);
      return {};
    },
    async setUserPassword({ id, password }, context) {
      await users.setPassword(callerIn(context), id, password);
      return {};
    },
    async listUserGroups({ id }, context) {
      await users.getUser(callerIn(context), id);
      return { items: [...snapshot.current().groupsOf(id)] };
    },
    async listUserRoles({ id }, context) {
      await users.getUser(callerIn(context), id);
      return rolesOf(id, context);
    },
    async updateUserRoles({ id, roles }, context) {
      await users.getUser(callerIn(context), id);
      await replaceRoles(bindings, callerIn(context), { kind: 'User', name: id }, PLATFORM, roles);
      return rolesOf(id, context);
    },
    listUserAccessTokens: async ({ id }, context) => ({
      items: (await tokens.listTokens(callerIn(context), id)).map(tokenMessage),
    }),
    async createUserAccessToken({ id, description, lifeSeconds, permissions, scopes }, context) {
      const { text, token } = await tokens.createToken(callerIn(context), {
        user: id,
        description,
        ...tokenLimits({ lifeSeconds, permissions, scopes: scopes.flatMap((scope) => scopeFrom(scope) ?? []) }),
      });
      return { token: text, accessToken: tokenMessage(token) };
    },
    async deleteUserAccessToken({ aid }, context) {
      await tokens.revokeToken(callerIn(context), aid);
      return {};
    },
  });
}

export function userMessage(user: User): MessageInitShape<typeof UserSchema> {
  const { displayName = '', email = '', description = '', disabled = false, external } = user.spec;
  return {
    id: user.metadata.name,
    name: user.metadata.name,
    displayName,
    email,
    description,
    enabled: !disabled,
    source: external?.provider ?? 'local',
    createdAt: timeOf(user),
  };
}

/** An empty list does not limit: it is what a request that says nothing looks like. */
export function tokenLimits<S>(asked: {
  readonly lifeSeconds: bigint;
  readonly permissions: readonly string[];
  readonly scopes: readonly S[];
}): { readonly lifeMs?: number; readonly permissions?: readonly string[]; readonly scopes?: readonly S[] } {
  return {
    ...(asked.lifeSeconds === 0n ? {} : { lifeMs: Number(asked.lifeSeconds) * 1000 }),
    ...(asked.permissions.length === 0 ? {} : { permissions: asked.permissions }),
    ...(asked.scopes.length === 0 ? {} : { scopes: asked.scopes }),
  };
}
