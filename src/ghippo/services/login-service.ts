/** Signing in and out. The secret of a session goes into a cookie that no script of a page can read. */
import { LoginService } from '#gen/proto/ghippo/api/login/v1alpha1/login_service_pb.ts';
import type { Ghippo } from '#ghippo/ghippo.ts';
import type { Origin, SignedIn } from '#ghippo/identity/sign-in-service.ts';
import { SESSION_LONGEST_MS } from '#ghippo/session/sessions.ts';
import { PEER } from '#rpc/caller.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { callerIn, type Context } from './caller-in.ts';

export const SESSION_COOKIE = 'ghippo_session';

export function loginApi({ signIns }: Ghippo): ServedService {
  return service(LoginService, {
    login: async ({ user, password }, context) =>
      welcome(context, await signIns.signIn({ user, password }, originOf(context))),
    loginByLink: async ({ code }, context) => welcome(context, await signIns.signInByLink(code, originOf(context))),
    createLoginLink: async ({ user }, context) => ({ code: await signIns.createLink(callerIn(context), user) }),
    async logout(_request, context) {
      const secret = sessionCookie(context.requestHeader);
      if (secret !== undefined) await signIns.signOut(secret);
      context.responseHeader.set('set-cookie', cookie(context, '', 0));
      return {};
    },
  });
}

/** The secret of the session a request carries. */
export function sessionCookie(header: Headers): string | undefined {
  return new RegExp(`(?:^|; *)${SESSION_COOKIE}=([^;]+)`).exec(header.get('cookie') ?? '')?.[1];
}

function welcome(context: Context, { secret, session }: SignedIn) {
  context.responseHeader.set('set-cookie', cookie(context, secret, SESSION_LONGEST_MS / 1000));
  return { user: session.user, endsAt: BigInt(session.endsAt) };
}

function cookie({ values }: Context, value: string, seconds: number): string {
  // Without TLS a secure cookie would never come back; that is allowed on this machine only.
  const secure = values.get(PEER).encrypted ? ['Secure'] : [];
  return [`${SESSION_COOKIE}=${value}`, 'HttpOnly', 'SameSite=Strict', 'Path=/', `Max-Age=${seconds}`, ...secure].join(
    '; ',
  );
}

function originOf({ values, requestHeader }: Context): Origin {
  const { address } = values.get(PEER);
  const agent = requestHeader.get('user-agent');
  return { ...(address === undefined ? {} : { address }), ...(agent === null ? {} : { agent }) };
}
