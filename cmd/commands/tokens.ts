/** `kairship token list|create|delete`: tokens with which programs act as oneself. */
import { toJson } from '@bufbuild/protobuf';
import { AccountService } from '#gen/proto/ghippo/api/account/v1alpha1/account_service_pb.ts';
import { type AccessToken, AccessTokenSchema } from '#gen/proto/ghippo/api/types/v1alpha1/types_pb.ts';
import { connected, type ConnectionOptions } from '../cli/connection.ts';
import type { Listed, ListOptions } from '../cli/output.ts';
import { write } from '../cli/output.ts';
import { note } from '../cli/screen.ts';
import { follow } from '../cli/follow.ts';
import { ago, ahead, scopeFrom, scopeText } from './access-words.ts';

const TOKENS: Listed<AccessToken> = {
  kind: 'token',
  name: ({ id }) => id,
  object: (token) => toJson(AccessTokenSchema, token),
  columns: [
    { head: 'ID', of: ({ id }) => id },
    { head: 'DESCRIPTION', of: ({ description }) => description },
    { head: 'LIMITED TO', of: ({ scopes, permissions }) => [...scopes.map(scopeText), ...permissions].join(', ') },
    { head: 'LAST USED', of: ({ lastUsedAt }) => ago(lastUsedAt) || 'never' },
    { head: 'FROM', of: ({ lastUsedFrom }) => lastUsedFrom, wide: true },
    { head: 'ENDS', of: ({ expiresAt }) => ahead(expiresAt) },
    { head: 'AGE', of: ({ createdAt }) => ago(createdAt) },
  ],
};

export function listTokens(options: ConnectionOptions & ListOptions): Promise<void> {
  return connected(options, (on) =>
    follow(
      TOKENS,
      async () => (await on.rpc(AccountService).listAccessTokens({})).items,
      options,
      'You have no tokens.',
    ),
  );
}

export interface CreateTokenOptions extends ConnectionOptions {
  readonly ttl?: number;
  readonly permission?: readonly string[];
  readonly in?: readonly string[];
}

export function createToken(description: string | undefined, options: CreateTokenOptions): Promise<void> {
  return connected(options, async (on) => {
    const { token, accessToken } = await on.rpc(AccountService).createAccessToken({
      description: description ?? 'made by kairship token create',
      lifeSeconds: BigInt(Math.round((options.ttl ?? 0) / 1000)),
      permissions: [...(options.permission ?? [])],
      scopes: (options.in ?? []).map(scopeFrom),
    });
    note(`Token ${accessToken?.id ?? ''} ends ${ahead(accessToken?.expiresAt)}. This is the only time it is shown:`);
    write(token);
  });
}

export function deleteTokens(ids: readonly string[], options: ConnectionOptions): Promise<void> {
  return connected(options, async (on) => {
    for (const id of ids) {
      await on.rpc(AccountService).deleteAccessToken({ id });
      note(`token/${id} taken back`);
    }
  });
}
