/**
 * Who sends a request, the same for every protocol that comes through the entrance.
 *
 * A bearer token is the administrator's of this installation or one of the identity module's; a cookie is a session,
 * and counts only for requests that the console itself sends, because a cookie travels by itself.
 */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { StatusError } from '#base/status-error.ts';
import type { Authenticator } from '#ghippo/identity/index.ts';
import type { PlatformCaller } from './authorize.ts';

export interface ShownRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly address?: string | undefined;
}

/** Undefined when nothing was shown; throws `Unauthorized` when what was shown is not valid. */
export type Identify = (request: ShownRequest) => Promise<PlatformCaller | undefined>;

export interface IdentifyDeps {
  readonly identities: Authenticator;
  /** The administrator's token of this installation, and who they are. */
  readonly adminToken: string;
  readonly admin: PlatformCaller;
  /** Who a session's cookie belongs to. */
  readonly userOf: (cookie: string) => string | undefined;
  readonly cookieName: string;
}

export function identify(deps: IdentifyDeps): Identify {
  return async ({ method, headers, address }) => {
    const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
    if (bearer !== undefined) {
      if (sameText(bearer, deps.adminToken)) return deps.admin;
      return platformCaller(await deps.identities.authenticate({ bearer, ...(address ? { address } : {}) }));
    }
    const cookie = cookieOf(headers, deps.cookieName);
    if (cookie === undefined) return undefined;
    const user = deps.userOf(cookie);
    if (user === undefined) throw new StatusError('Unauthorized', 'the session has ended: sign in again');
    if (!isSameSite(method, headers))
      throw new StatusError('Forbidden', 'requests with a session must come from the console itself');
    return user === deps.admin.user ? deps.admin : { user, groups: [] };
  };
}

function platformCaller(found: Awaited<ReturnType<Authenticator['authenticate']>>): PlatformCaller | undefined {
  if (!found) return undefined;
  const { user, groups = [], token } = found;
  return { user, groups, ...(token ? { token } : {}) };
}

export function cookieOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  return new RegExp(`(?:^|; )${name}=([^;]+)`).exec(headers.cookie ?? '')?.[1];
}

function isSameSite(method: string, headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = headers;
  return origin === undefined ? method === 'GET' : new URL(origin).host === headers.host;
}

/** Takes as long whatever is compared. */
export function sameText(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}
