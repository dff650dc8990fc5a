/** How a session travels with a browser: in a cookie that no script can read and no other site's page can use. */
import { StatusError } from '#base/status-error.ts';
import { SESSION_LONGEST_MS } from './sessions.ts';

export const SESSION_COOKIE = 'ghippo_session';

/** The secret of the session that a `Cookie` header carries. */
export function sessionIn(cookies: string | null | undefined): string | undefined {
  return cookieIn(cookies, SESSION_COOKIE);
}

export function cookieIn(cookies: string | null | undefined, name: string): string | undefined {
  return new RegExp(`(?:^|; *)${name}=([^;]+)`).exec(cookies ?? '')?.[1];
}

export interface CookieOptions {
  readonly seconds: number;
  /** Without TLS a secure cookie would never come back; that is allowed on this machine only. */
  readonly encrypted: boolean;
  /** `Lax` is for what must survive the way back from another site. */
  readonly sameSite?: 'Strict' | 'Lax';
  readonly path?: string;
}

/** A `Set-Cookie` header. */
export function cookie(name: string, value: string, options: CookieOptions): string {
  const { seconds, encrypted, sameSite = 'Strict', path = '/' } = options;
  const parts = [`${name}=${value}`, 'HttpOnly', `SameSite=${sameSite}`, `Path=${path}`, `Max-Age=${seconds}`];
  return [...parts, ...(encrypted ? ['Secure'] : [])].join('; ');
}

export function sessionCookie(secret: string, { encrypted }: { readonly encrypted: boolean }): string {
  return cookie(SESSION_COOKIE, secret, { seconds: SESSION_LONGEST_MS / 1000, encrypted });
}

export function endedCookie({ encrypted }: { readonly encrypted: boolean }): string {
  return cookie(SESSION_COOKIE, '', { seconds: 0, encrypted });
}

type HeaderOf = (name: string) => string | null | undefined;

/** A cookie travels by itself: a request of another site's page is refused, whatever it carries. */
export function requireOwnPage(verb: string, header: HeaderOf): void {
  const page = pageOf(header);
  if (page === 'another' || (page === 'unknown' && verb !== 'GET'))
    throw new StatusError('Forbidden', 'requests with a session must come from the console itself');
}

/** For signing in, which programs do too: no other page may sign a browser in as whom it likes. */
export function refuseOtherPages(header: HeaderOf): void {
  if (pageOf(header) === 'another') throw new StatusError('Forbidden', 'another site’s page may not sign anybody in');
}

function pageOf(header: HeaderOf): 'own' | 'another' | 'unknown' {
  const site = header('sec-fetch-site') ?? undefined;
  if (site !== undefined) return site === 'same-origin' || site === 'none' ? 'own' : 'another';
  const origin = header('origin') ?? undefined;
  if (origin === undefined) return 'unknown';
  return URL.canParse(origin) && new URL(origin).host === header('host') ? 'own' : 'another';
}
