/**
 * Whose token is this? Answered from a live copy of all tokens, so that a revoked one is refused as soon as the watch
 * tells it. A token too new for the copy is looked up. When one was last used is written at most once an hour.
 */
import type { Clock } from '#base/clock.ts';
import { StatusError } from '#base/status-error.ts';
import { GHIPPO_NAMESPACE } from '#ghippo/apis/kinds.ts';
import { SECRETS, type Secret } from '#ghippo/apis/resources.ts';
import type { Database } from '#ghippo/database/database.ts';
import type { TypedClient } from '#kube/client/typed-client.ts';
import type { Informers } from '#kube/runtime/informer.ts';
import { type AccessToken, shownToken, TOKEN_SELECTOR, tokenKey, tokenOf } from './access-token.ts';
import { isSecretOf, parseToken } from './token-text.ts';

export const TOKEN_USE_MS = 3_600_000;

export interface TokenAuthenticator {
  /** The token a text opens; throws `Unauthorized` for every other text, always with the same words. */
  authenticate(text: string, address?: string): Promise<AccessToken>;
  readonly ready: Promise<void>;
}

export function tokenAuthenticator(deps: {
  readonly informers: Informers;
  readonly secrets: TypedClient<Secret>;
  readonly database: Database;
  readonly clock: Clock;
}): TokenAuthenticator {
  const { secrets, database, clock } = deps;
  const known = deps.informers<Secret>(SECRETS, { namespace: GHIPPO_NAMESPACE, labelSelector: TOKEN_SELECTOR });
  const noted = new Map<string, number>();

  async function find(id: string): Promise<Secret | undefined> {
    const key = tokenKey(id);
    return known.get(`${key.namespace}/${key.name}`) ?? secrets.find(key);
  }

  async function noteUse(id: string, address: string): Promise<void> {
    const now = clock.now();
    if (now - (noted.get(id) ?? Number.NEGATIVE_INFINITY) < TOKEN_USE_MS) return;
    noted.set(id, now);
    await database.query(
      `INSERT INTO ghippo_token_use (id, used_at, address) VALUES ($1, $2, $3)
       ON CONFLICT (id) DO UPDATE SET used_at = excluded.used_at, address = excluded.address`,
      [id, now, address],
    );
  }

  known.subscribe(({ type, object }) => {
    if (type === 'deleted') noted.delete(object.metadata.name.replace(/^token-/, ''));
  });

  return {
    ready: known.synced,
    async authenticate(text, address = '') {
      const parsed = parseToken(text);
      const secret = parsed && (await find(parsed.id));
      const token = secret && tokenOf(secret);
      if (!parsed || !token || !isSecretOf(parsed.secret, token.hash) || token.expiresAt <= clock.now())
        throw new StatusError('Unauthorized', 'the token is not valid');
      await noteUse(token.id, address);
      return shownToken(token);
    },
  };
}
