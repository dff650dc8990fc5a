/** A token as it is kept: a Secret with its hash, whose it is and how far it reaches. */
import { GHIPPO_NAMESPACE } from '#ghippo/apis/kinds.ts';
import type { Secret } from '#ghippo/apis/resources.ts';
import type { Scope } from '#ghippo/apis/scope.ts';
import type { Narrowing } from '#ghippo/decision/verdict.ts';
import type { Desired } from '#kube/client/typed-client.ts';

export const TOKEN_TYPE = 'ghippo.io/access-token';
export const TOKEN_LABEL = 'ghippo.io/access-token';
export const TOKEN_SELECTOR = `${TOKEN_LABEL}=true`;

export interface AccessToken extends Narrowing {
  readonly id: string;
  readonly user: string;
  readonly description: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface KeptToken extends AccessToken {
  readonly hash: string;
}

export function tokenKey(id: string) {
  return { namespace: GHIPPO_NAMESPACE, name: `token-${id}` };
}

export function tokenSecret({ id, hash, ...token }: KeptToken): Desired<Secret> {
  const text = (value: string) => Buffer.from(value).toString('base64');
  return {
    metadata: { ...tokenKey(id), labels: { [TOKEN_LABEL]: 'true' } },
    type: TOKEN_TYPE,
    data: { hash: text(hash), token: text(JSON.stringify(token)) },
  };
}

/** Undefined for a Secret that is no token, or is about to be gone. */
export function tokenOf({ metadata, type, data }: Secret): KeptToken | undefined {
  const text = (key: string) => Buffer.from(data?.[key] ?? '', 'base64').toString();
  if (type !== TOKEN_TYPE || metadata.deletionTimestamp !== undefined) return undefined;
  const kept = JSON.parse(text('token')) as Omit<AccessToken, 'id'> & { readonly scopes?: readonly Scope[] };
  return { ...kept, id: metadata.name.replace(/^token-/, ''), hash: text('hash') };
}

/** What may be shown of it. */
export function shownToken(token: KeptToken): AccessToken {
  const { id, user, description, createdAt, expiresAt, permissions, scopes } = token;
  const limits = { ...(permissions ? { permissions } : {}), ...(scopes ? { scopes } : {}) };
  return { id, user, description, createdAt, expiresAt, ...limits };
}
