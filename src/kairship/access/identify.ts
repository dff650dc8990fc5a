/**
 * Who sends a request, the same for every protocol that comes through the entrance.
 *
 * A bearer token is the administrator's of this installation or one of the identity module's; a cookie is a session of
 * the identity module, and counts only for requests that the console itself sends, because a cookie travels by itself.
 * Both are looked up for every request: a session that has ended or a user who was disabled is refused at once.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { sameText } from '#base/same-text.ts';
import type { Authenticator } from '#ghippo/identity/index.ts';
import { requireOwnPage, sessionIn } from '#ghippo/session/index.ts';
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
}

export function identify({ identities, adminToken, admin }: IdentifyDeps): Identify {
  return async ({ method, headers, address }) => {
    const origin = address ? { address } : {};
    const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
    if (bearer !== undefined) {
      if (sameText(bearer, adminToken)) return admin;
      return platformCaller(await identities.authenticate({ bearer, ...origin }));
    }
    const session = sessionIn(headers.cookie);
    if (session === undefined) return undefined;
    requireOwnPage(method, (name) => headers[name]?.toString());
    return platformCaller(await identities.authenticate({ session, ...origin }));
  };
}

function platformCaller(found: Awaited<ReturnType<Authenticator['authenticate']>>): PlatformCaller | undefined {
  if (!found) return undefined;
  const { user, groups = [], token } = found;
  return { user, groups, ...(token ? { token } : {}) };
}
