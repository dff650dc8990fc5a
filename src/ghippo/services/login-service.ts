/** Signing in and out. The secret of a session goes into a cookie that no script of a page can read. */
import { LoginService } from '#gen/proto/ghippo/api/login/v1alpha1/login_service_pb.ts';
import type { Ghippo } from '#ghippo/ghippo.ts';
import type { Origin, SignedIn } from '#ghippo/identity/sign-in-service.ts';
import { endedCookie, sessionCookie, sessionIn } from '#ghippo/session/index.ts';
import { PEER } from '#rpc/caller.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { callerIn, type Context } from './caller-in.ts';

export function loginApi({ signIns }: Ghippo): ServedService {
  return service(LoginService, {
    login: async ({ user, password }, context) =>
      welcome(context, await signIns.signIn({ user, password }, originOf(context))),
    loginByLink: async ({ code }, context) => welcome(context, await signIns.signInByLink(code, originOf(context))),
    loginByCode: async ({ code, verifier }, context) =>
      welcome(context, await signIns.signInByCode({ code, verifier }, originOf(context))),
    createLoginLink: async ({ user }, context) => ({ code: await signIns.createLink(callerIn(context), user) }),
    async logout(_request, context) {
      const secret = sessionIn(context.requestHeader.get('cookie'));
      if (secret !== undefined) await signIns.signOut(secret);
      context.responseHeader.set('set-cookie', endedCookie(context.values.get(PEER)));
      return {};
    },
  });
}

function welcome(context: Context, { secret, session }: SignedIn) {
  context.responseHeader.set('set-cookie', sessionCookie(secret, context.values.get(PEER)));
  return { user: session.user, endsAt: BigInt(session.endsAt) };
}

function originOf({ values, requestHeader }: Context): Origin {
  const { address } = values.get(PEER);
  const agent = requestHeader.get('user-agent');
  return { ...(address === undefined ? {} : { address }), ...(agent === null ? {} : { agent }) };
}
