/**
 * Signing in and out with a browser: by password, by a link that works once, or at an identity provider.
 *
 *     /signin                              the page with all ways in
 *     /signin?code=…                       changes a one-time link for a session
 *     /signin/oidc/{provider}              to the provider, with a state that only this browser can finish
 *     /signin/oidc/{provider}/callback     back from it
 *     /signout                             ends the session
 *
 * All of them end in a session of the identity module, so that it is seen, limited and revoked there like any other.
 * Programs sign in by the API of the identity module instead. Failures are pages, as a person reads them.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { StatusError, statusOf } from '#base/status-error.ts';
import type { Authenticator, Origin, SignedIn, SignInService } from '#ghippo/identity/index.ts';
import type { OidcService } from '#ghippo/oidc/index.ts';
import {
  cookie,
  cookieIn,
  endedCookie,
  ONCE_MS,
  refuseOtherPages,
  requireOwnPage,
  sessionCookie,
  sessionIn,
} from '#ghippo/session/index.ts';
import { peerOf } from '#rpc/node-request.ts';
import type { ConsoleFiles } from './console-files.ts';

export interface SignInDesk {
  /** Answers requests of its own and says true, or leaves a request alone. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  /** Whether a browser has a session that still counts. */
  isSignedIn(request: IncomingMessage): Promise<boolean>;
  /** The page with all ways in. */
  signedOut(response: ServerResponse): Promise<void>;
}

export interface SignInDeskDeps {
  readonly identities: Authenticator & { readonly signIns: SignInService; readonly oidc: OidcService };
  readonly files: ConsoleFiles;
}

/** What a browser was sent away to a provider with. */
const STATE_COOKIE = 'ghippo_signin';
const MOST_FORM_BYTES = 16 * 1024;
const HINT = 'Sign in with the link that `kairship up` printed, or run `kairship open` for a new one.';

export function signInDesk({ identities, files }: SignInDeskDeps): SignInDesk {
  const { signIns, oidc } = identities;

  async function page(response: ServerResponse, code: number, hint: string): Promise<void> {
    const providers = await oidc.listProviders();
    files.signIn(response, { code, hint, providers });
  }

  function welcome(request: IncomingMessage, response: ServerResponse, { secret }: SignedIn): void {
    const { encrypted } = peerOf(request);
    // A page, not a redirect: a strict cookie set by a redirect from elsewhere would not be sent with it.
    files.welcome(response, [sessionCookie(secret, { encrypted }), stateCookie('', 0, encrypted)]);
  }

  async function byPassword(request: IncomingMessage, response: ServerResponse): Promise<void> {
    refuseOtherPages((name) => request.headers[name]?.toString());
    const form = new URLSearchParams(await formOf(request));
    const credentials = { user: form.get('user') ?? '', password: form.get('password') ?? '' };
    welcome(request, response, await signIns.signIn(credentials, originOf(request)));
  }

  async function byLink(request: IncomingMessage, response: ServerResponse, code: string): Promise<void> {
    welcome(request, response, await signIns.signInByLink(code, originOf(request)));
  }

  async function toProvider(request: IncomingMessage, response: ServerResponse, provider: string): Promise<void> {
    const { url, state } = await oidc.begin(provider, callbackOf(request, provider));
    const remembered = stateCookie(state, ONCE_MS / 1000, peerOf(request).encrypted);
    response.writeHead(302, { location: url, 'set-cookie': remembered, 'cache-control': 'no-store' }).end();
  }

  async function fromProvider(request: IncomingMessage, response: ServerResponse, provider: string): Promise<void> {
    const back = {
      query: targetOf(request).searchParams,
      cookie: cookieIn(request.headers.cookie, STATE_COOKIE) ?? '',
      redirectUri: callbackOf(request, provider),
    };
    welcome(request, response, await oidc.finish(back, originOf(request)));
  }

  async function signOut(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requireOwnPage('POST', (name) => request.headers[name]?.toString());
    const secret = sessionIn(request.headers.cookie);
    if (secret !== undefined) await signIns.signOut(secret);
    const ended = endedCookie(peerOf(request));
    response.writeHead(303, { location: '/signin', 'set-cookie': ended, 'cache-control': 'no-store' }).end();
  }

  function routeOf(request: IncomingMessage): ((response: ServerResponse) => Promise<void>) | undefined {
    const { pathname, searchParams } = targetOf(request);
    // HEAD is not GET here: whoever only looks at a link must not use it up.
    const { method: verb } = request;
    const [, provider, callback] = /^\/signin\/oidc\/([a-z0-9.-]+)(\/callback)?$/.exec(pathname) ?? [];
    if (provider !== undefined && verb === 'GET')
      return (response) => (callback ? fromProvider : toProvider)(request, response, provider);
    const code = searchParams.get('code');
    if (pathname === '/signin' && verb === 'GET')
      return (response) => (code === null ? page(response, 200, HINT) : byLink(request, response, code));
    if (pathname === '/signin' && verb === 'POST') return (response) => byPassword(request, response);
    if (pathname === '/signout' && verb === 'POST') return (response) => signOut(request, response);
    return undefined;
  }

  return {
    async handle(request, response) {
      const route = routeOf(request);
      if (!route) return false;
      try {
        await route(response);
      } catch (error) {
        const { code, message = '' } = statusOf(error);
        await page(response, code, `${message}. \`kairship open\` makes a new link.`);
      }
      return true;
    },
    async isSignedIn(request) {
      const session = sessionIn(request.headers.cookie);
      if (session === undefined) return false;
      try {
        return (await identities.authenticate({ session })) !== undefined;
      } catch (error) {
        if (error instanceof StatusError && error.reason === 'Unauthorized') return false;
        throw error;
      }
    },
    signedOut: (response) => page(response, 401, HINT),
  };
}

function targetOf({ url }: IncomingMessage): URL {
  return new URL(url ?? '/', 'http://localhost');
}

/** Where the provider is to send the browser back to: here, as the browser knows it. */
function callbackOf(request: IncomingMessage, provider: string): string {
  const scheme = peerOf(request).encrypted ? 'https' : 'http';
  return `${scheme}://${request.headers.host ?? ''}/signin/oidc/${provider}/callback`;
}

/** Comes back with the browser from another site, which a strict cookie would not. */
function stateCookie(state: string, seconds: number, encrypted: boolean): string {
  return cookie(STATE_COOKIE, state, { seconds, encrypted, sameSite: 'Lax', path: '/signin' });
}

function originOf(request: IncomingMessage): Origin {
  const { address } = peerOf(request);
  const agent = request.headers['user-agent'];
  return { ...(address === undefined ? {} : { address }), ...(agent === undefined ? {} : { agent }) };
}

async function formOf(request: IncomingMessage): Promise<string> {
  if (Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) > MOST_FORM_BYTES)
    throw new StatusError('RequestEntityTooLarge', 'the form is too long');
  return text(request);
}
