/** What everybody may see and change: themselves, their tokens and their sessions. */
import { notFound } from '#base/status-error.ts';
import { AccountService } from '#gen/proto/ghippo/api/account/v1alpha1/account_service_pb.ts';
import { PLATFORM } from '#ghippo/apis/scope.ts';
import type { Ghippo } from '#ghippo/ghippo.ts';
import { PASSWORD_RULE } from '#ghippo/identity/index.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { callerIn } from './caller-in.ts';
import { scopeFrom, tokenMessage } from './messages.ts';
import { tokenLimits, userMessage } from './users-service.ts';

export function accountApi({ users, tokens, sessions, snapshot, guard }: Ghippo): ServedService {
  return service(AccountService, {
    async getUser(_request, context) {
      const caller = callerIn(context);
      return userMessage(await users.getUser(caller, caller.user));
    },
    async getGlobalPermissions(_request, context) {
      const caller = callerIn(context);
      return { permissions: snapshot.current().points.filter((point) => guard.may(caller, point, PLATFORM)) };
    },
    async updatePassword({ oldPassword, newPassword }, context) {
      await users.changePassword(callerIn(context), oldPassword, newPassword);
      return {};
    },
    updateEmail: async ({ email }, context) => userMessage(await users.updateSelf(callerIn(context), { email })),
    async updateUserFirstAndLastName({ firstName, lastName }, context) {
      const displayName = [firstName, lastName].filter((part) => part !== '').join(' ');
      return userMessage(await users.updateSelf(callerIn(context), { displayName }));
    },
    passwordDescription: () => PASSWORD_RULE,
    listAccessTokens: async (_request, context) => ({
      items: (await tokens.listTokens(callerIn(context))).map(tokenMessage),
    }),
    async createAccessToken({ description, lifeSeconds, permissions, scopes }, context) {
      const limits = tokenLimits({
        lifeSeconds,
        permissions,
        scopes: scopes.flatMap((scope) => scopeFrom(scope) ?? []),
      });
      const { text, token } = await tokens.createToken(callerIn(context), { description, ...limits });
      return { token: text, accessToken: tokenMessage(token) };
    },
    async deleteAccessToken({ id }, context) {
      await tokens.revokeToken(callerIn(context), id);
      return {};
    },
    async listSessions(_request, context) {
      const caller = callerIn(context);
      const items = (await sessions.list(caller.user)).map((session) => ({
        id: session.id,
        method: session.method,
        address: session.address,
        agent: session.agent,
        createdAt: BigInt(session.createdAt),
        seenAt: BigInt(session.seenAt),
        endsAt: BigInt(session.endsAt),
        current: session.id === caller.credential,
      }));
      return { items };
    },
    async deleteSession({ id }, context) {
      if (!(await sessions.revoke(id, callerIn(context).user))) throw notFound('sessions', id);
      return {};
    },
  });
}
