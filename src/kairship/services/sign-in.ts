/**
 * Signing in and out with a browser: by password, by a link that works once, or at an identity provider.
 *
 *     /signin                              the page with all ways in
 *     /signin?code=…                       changes a one-time link for a session
 *     /signin/oidc/{provider}              to the provider, with a state that only this browser can finish
 *     /signin/oidc/{provider}/callback     back from it
 *     /signin/program                      asks whether a program on one's computer may act for one
 *     /signout                             ends the session
 *
 * `?next=…` is a page of the console to go on to. All of them end in a session of the identity module, so that it is
 * seen, limited and revoked there like any other. Programs sign in by the API of the identity module instead. Failures
 * are pages, as a person reads them.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StatusError, statusOf } from '#base/status-error.ts';
import type { Caller } from '#ghippo/access/caller.ts';
import type { Authenticator, SignedIn, SignInService } from '#ghippo/identity/index.ts';
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
import { formOf, nextIn, nextOf, originOf, targetOf } from './browser-request.ts';
import type { ConsoleFiles } from './console-files.ts';
import { programDesk } from './program-desk.ts';
import { goOnPage, waysInPage } from './sign-in-pages.ts';
import { signInWords } from './sign-in-words.ts';

export interface SignInDesk {
  /** Answers requests of its own and says true, or leaves a request alone. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  /** Whether a browser has a session that still counts. */
  isSignedIn(request: IncomingMessage): Promise<boolean>;
  /** The page with all ways in, from which it goes on to what was asked for. */
  signedOut(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

export interface SignInDeskDeps {
  readonly identities: Authenticator & { readonly signIns: SignInService; readonly oidc: OidcService };
  readonly files: ConsoleFiles;
}

interface ShownWays {
  readonly code: number;
  readonly hint?: 'link' | 'forProgram';
  readonly refusal?: string;
  readonly next: string | undefined;
}

/** What a browser was sent away to a provider with, and where it wants to go after it has come back. */
const STATE_COOKIE = 'ghippo_signin';
const NEXT_COOKIE = 'ghippo_next';

export function signInDesk({ identities, files }: SignInDeskDeps): SignInDesk {
  const { signIns, oidc } = identities;

  async function page(response: ServerResponse, shown: ShownWays): Promise<void> {
    const { code, hint = 'link', next, refusal } = shown;
    const [providers, words] = [await oidc.listProviders(), signInWords(response.req.headers['accept-language'])];
    const ways = {
      words,
      providers,
      hint: words[hint],
      ...(refusal === undefined ? {} : { refusal: words.refusal(refusal) }),
      ...(next === undefined ? {} : { next }),
    };
    files.show(response, waysInPage(ways), { code });
  }

  function welcome(
    request: IncomingMessage,
    response: ServerResponse,
    { secret }: SignedIn,
    next = nextIn(request),
  ): void {
    const { encrypted } = peerOf(request);
    const done = [STATE_COOKIE, NEXT_COOKIE].map((name) => wayCookie(name, '', 0, encrypted));
    files.show(response, goOnPage('Signed in', next ?? '/'), {
      cookies: [sessionCookie(secret, { encrypted }), ...done],
    });
  }

  async function byPassword(request: IncomingMessage, response: ServerResponse): Promise<void> {
    refuseOtherPages((name) => request.headers[name]?.toString());
    const form = await formOf(request);
    const credentials = { user: form.get('user') ?? '', password: form.get('password') ?? '' };
    welcome(request, response, await signIns.signIn(credentials, originOf(request)));
  }

  async function byLink(request: IncomingMessage, response: ServerResponse, code: string): Promise<void> {
    welcome(request, response, await signIns.signInByLink(code, originOf(request)));
  }

  async function toProvider(request: IncomingMessage, response: ServerResponse, provider: string): Promise<void> {
    const { url, state } = await oidc.begin(provider, callbackOf(request, provider));
    const { encrypted } = peerOf(request);
    const next = encodeURIComponent(nextIn(request) ?? '');
    const cookies = [
      wayCookie(STATE_COOKIE, state, ONCE_MS / 1000, encrypted),
      wayCookie(NEXT_COOKIE, next, next === '' ? 0 : ONCE_MS / 1000, encrypted),
    ];
    response.writeHead(302, { location: url, 'set-cookie': cookies, 'cache-control': 'no-store' }).end();
  }

  async function fromProvider(request: IncomingMessage, response: ServerResponse, provider: string): Promise<void> {
    const back = {
      query: targetOf(request).searchParams,
      cookie: cookieIn(request.headers.cookie, STATE_COOKIE) ?? '',
      redirectUri: callbackOf(request, provider),
    };
    const next = decodeURIComponent(cookieIn(request.headers.cookie, NEXT_COOKIE) ?? '');
    welcome(request, response, await oidc.finish(back, originOf(request)), nextOf(next));
  }

  async function signOut(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requireOwnPage('POST', (name) => request.headers[name]?.toString());
    const secret = sessionIn(request.headers.cookie);
    if (secret !== undefined) await signIns.signOut(secret);
    const ended = endedCookie(peerOf(request));
    const next = nextIn(request);
    const location = next === undefined ? '/signin' : `/signin?${new URLSearchParams({ next }).toString()}`;
    response.writeHead(303, { location, 'set-cookie': ended, 'cache-control': 'no-store' }).end();
  }

  /** Who is signed in in this browser. */
  async function sessionOf(request: IncomingMessage): Promise<Caller | undefined> {
    const session = sessionIn(request.headers.cookie);
    if (session === undefined) return undefined;
    try {
      return await identities.authenticate({ session });
    } catch (error) {
      if (error instanceof StatusError && error.reason === 'Unauthorized') return undefined;
      throw error;
    }
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
      return (response) =>
        code === null ? page(response, { code: 200, next: nextIn(request) }) : byLink(request, response, code);
    if (pathname === '/signin' && verb === 'POST') return (response) => byPassword(request, response);
    if (pathname === '/signout' && verb === 'POST') return (response) => signOut(request, response);
    return undefined;
  }

  const programs = programDesk({
    signIns,
    files,
    sessionOf,
    waysIn: (response, next) => page(response, { code: 401, hint: 'forProgram', next }),
  });

  return {
    async handle(request, response) {
      const route = routeOf(request);
      if (!route) return programs(request, response);
      try {
        await route(response);
      } catch (error) {
        const { code, message = '' } = statusOf(error);
        await page(response, { code, refusal: message, next: nextIn(request) });
      }
      return true;
    },
    isSignedIn: async (request) => (await sessionOf(request)) !== undefined,
    signedOut: (request, response) => page(response, { code: 401, next: nextOf(request.url) }),
  };
}

/** Where the provider is to send the browser back to: here, as the browser knows it. */
function callbackOf(request: IncomingMessage, provider: string): string {
  const scheme = peerOf(request).encrypted ? 'https' : 'http';
  return `${scheme}://${request.headers.host ?? ''}/signin/oidc/${provider}/callback`;
}

/** Comes back with the browser from another site, which a strict cookie would not. */
function wayCookie(name: string, value: string, seconds: number, encrypted: boolean): string {
  return cookie(name, value, { seconds, encrypted, sameSite: 'Lax', path: '/signin' });
}
