/**
 * Who sends a request: whoever holds a session or a token, as long as they are a user and not disabled.
 *
 * A token is tried only as a token and a session only as a session. What is not valid is refused with `Unauthorized`,
 * in words that do not say why.
 */
import { StatusError } from '#base/status-error.ts';
import type { Caller } from '#ghippo/access/caller.ts';
import type { LiveSnapshot } from '#ghippo/decision/live-snapshot.ts';
import type { Sessions } from '#ghippo/session/sessions.ts';
import type { TokenAuthenticator } from '#ghippo/token/token-authenticator.ts';

export interface ShownCredentials {
  /** From `Authorization: Bearer …`. */
  readonly bearer?: string;
  /** From the session's cookie. */
  readonly session?: string;
  readonly address?: string;
  readonly agent?: string;
}

export interface Authenticator {
  /** Undefined when nothing was shown; throws `Unauthorized` when what was shown is not valid. */
  authenticate(shown: ShownCredentials): Promise<Caller | undefined>;
}

export function authenticator(deps: {
  readonly sessions: Sessions;
  readonly tokens: TokenAuthenticator;
  readonly snapshot: LiveSnapshot;
}): Authenticator {
  const { sessions, tokens, snapshot } = deps;

  function requireActive(user: string): void {
    const found = snapshot.current().user(user);
    if (!found || found.spec.disabled) throw new StatusError('Unauthorized', 'the account is not active');
  }

  async function byToken(bearer: string, origin: Pick<Caller, 'address' | 'agent'>): Promise<Caller> {
    const { id, user, permissions, scopes } = await tokens.authenticate(bearer, origin.address);
    requireActive(user);
    const token = { ...(permissions ? { permissions } : {}), ...(scopes ? { scopes } : {}) };
    return { user, method: 'token', credential: id, token, ...origin };
  }

  async function bySession(secret: string, origin: Pick<Caller, 'address' | 'agent'>): Promise<Caller> {
    const session = await sessions.open(secret);
    if (!session) throw new StatusError('Unauthorized', 'the session has ended');
    requireActive(session.user);
    return { user: session.user, method: 'session', credential: session.id, ...origin };
  }

  return {
    async authenticate({ bearer, session, ...origin }) {
      if (bearer !== undefined) return byToken(bearer, origin);
      return session === undefined ? undefined : bySession(session, origin);
    },
  };
}
