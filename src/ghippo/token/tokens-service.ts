/**
 * API tokens: made for oneself or, with the right to, for others; narrower than their owner, never wider; gone on every
 * replica as soon as the watch tells it. The text of a token is told once, to who made it.
 */
import type { Clock } from '#base/clock.ts';
import { type Ids } from '#base/ids.ts';
import { badRequest, notFound, StatusError } from '#base/status-error.ts';
import { type Action, type Caller, forbidden, type Guard } from '#ghippo/access/index.ts';
import { ghippoPermission } from '#ghippo/apis/ghippo-product.ts';
import { GHIPPO_GROUP } from '#ghippo/apis/kinds.ts';
import { parsePermission } from '#ghippo/apis/permission.ts';
import type { GhippoClients } from '#ghippo/apis/resources.ts';
import { GHIPPO_NAMESPACE } from '#ghippo/apis/kinds.ts';
import { PLATFORM, type Scope } from '#ghippo/apis/scope.ts';
import { type Database, numberOf, textOf } from '#ghippo/database/database.ts';
import { hashOf, type NewSecret, newSecret } from '#ghippo/session/secret.ts';
import {
  type AccessToken,
  type KeptToken,
  shownToken,
  TOKEN_SELECTOR,
  tokenKey,
  tokenOf,
  tokenSecret,
} from './access-token.ts';
import { TOKEN_ID_LENGTH, tokenText } from './token-text.ts';

const DAY = 24 * 3_600_000;
export const TOKEN_LIFE_MS = { default: 30 * DAY, max: 1825 * DAY };
export const TOKENS_PER_USER = 50;

export interface TokenInput {
  /** Oneself when absent. */
  readonly user?: string;
  readonly description?: string;
  readonly lifeMs?: number;
  /** Points it is limited to, possibly with `*`; all of its owner's when absent. */
  readonly permissions?: readonly string[];
  /** Scopes it is limited to; everywhere when absent. */
  readonly scopes?: readonly Scope[];
}

export interface TokenUse extends AccessToken {
  readonly lastUsed?: { readonly at: number; readonly address: string };
}

export interface TokensService {
  createToken(caller: Caller, input: TokenInput): Promise<{ readonly text: string; readonly token: AccessToken }>;
  listTokens(caller: Caller, user?: string): Promise<readonly TokenUse[]>;
  revokeToken(caller: Caller, id: string): Promise<void>;
}

export function tokensService(deps: {
  readonly clients: GhippoClients;
  readonly guard: Guard;
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly newSecret?: NewSecret;
}): TokensService {
  const { guard, database, clock, ids } = deps;
  const { secrets, users } = deps.clients;
  const on = (action: string, name: string, detail?: object): Action => ({
    permission: ghippoPermission('token', action),
    scope: PLATFORM,
    name,
    ...(detail ? { detail } : {}),
  });
  /** One's own tokens need no right, those of others do. */
  const performFor = <T>(caller: Caller, user: string, action: Action, write: () => Promise<T>) =>
    caller.user === user ? guard.performOwn(caller, action, write) : guard.perform(caller, action, write);

  async function kept(user: string): Promise<readonly KeptToken[]> {
    const all = await secrets.list({ namespace: GHIPPO_NAMESPACE, labelSelector: TOKEN_SELECTOR });
    return all.map(tokenOf).filter((token) => token !== undefined && token.user === user) as KeptToken[];
  }

  async function make(user: string, input: TokenInput, caller: Caller) {
    const owner = await users.find(user);
    if (!owner) throw notFound('users', user, GHIPPO_GROUP);
    if (owner.spec.disabled) throw new StatusError('Invalid', `user "${user}" is disabled`);
    if ((await kept(user)).length >= TOKENS_PER_USER)
      throw new StatusError('Invalid', `user "${user}" has ${TOKENS_PER_USER} tokens already`);
    const secret = (deps.newSecret ?? newSecret)();
    const token: KeptToken = {
      id: ids.suffix(TOKEN_ID_LENGTH),
      hash: hashOf(secret),
      user,
      description: input.description ?? '',
      createdAt: clock.now(),
      expiresAt: clock.now() + lifeOf(input),
      ...narrowed(input, caller),
    };
    await secrets.create(tokenSecret(token));
    return { text: tokenText(token.id, secret), token: shownToken(token) };
  }

  return {
    async createToken(caller, input) {
      const user = input.user ?? caller.user;
      const { description, permissions, scopes } = input;
      return performFor(caller, user, on('create', user, { description, permissions, scopes }), () =>
        make(user, input, caller),
      );
    },
    async listTokens(caller, user = caller.user) {
      if (user !== caller.user) await guard.require(caller, on('list', user));
      const used = new Map(
        (await database.query('SELECT id, used_at, address FROM ghippo_token_use')).map((row) => [
          textOf(row, 'id'),
          { at: numberOf(row, 'used_at'), address: textOf(row, 'address') },
        ]),
      );
      return (await kept(user)).map((token) => {
        const lastUsed = used.get(token.id);
        return { ...shownToken(token), ...(lastUsed ? { lastUsed } : {}) };
      });
    },
    async revokeToken(caller, id) {
      const secret = await secrets.find(tokenKey(id));
      const token = secret && tokenOf(secret);
      // Whether somebody else's token exists is nobody's business.
      if (!token) throw notFound('tokens', id, GHIPPO_GROUP);
      await performFor(caller, token.user, on('delete', id, { user: token.user }), async () => {
        await secrets.remove(tokenKey(id));
        await database.query('DELETE FROM ghippo_token_use WHERE id = $1', [id]);
      });
    },
  };
}

function lifeOf({ lifeMs = TOKEN_LIFE_MS.default }: TokenInput): number {
  if (lifeMs > 0 && lifeMs <= TOKEN_LIFE_MS.max) return lifeMs;
  throw badRequest(`a token lives for at most ${TOKEN_LIFE_MS.max / DAY} days`);
}

/** A token made with a token is no wider: it inherits the limits, and may not state others. */
function narrowed({ permissions, scopes }: TokenInput, caller: Caller): Pick<TokenInput, 'permissions' | 'scopes'> {
  for (const one of permissions ?? [])
    if (!parsePermission(one)) throw badRequest(`"${one}" is no permission: it is written product/resource/action`);
  if (caller.token && (permissions ?? scopes) !== undefined)
    throw forbidden('a token made with a token has the limits of the first and cannot have others');
  const limits = caller.token ?? { ...(permissions ? { permissions } : {}), ...(scopes ? { scopes } : {}) };
  return limits;
}
