/** People for journeys: a token of theirs, as the identity module would have made it. */
import { systemClock } from '#base/clock.ts';
import { randomIds } from '#base/ids.ts';
import type { GhippoClients } from '#ghippo/apis/resources.ts';
import { hashOf, newSecret } from '#ghippo/session/secret.ts';
import { tokenSecret } from '#ghippo/token/access-token.ts';
import { TOKEN_ID_LENGTH, tokenText } from '#ghippo/token/token-text.ts';

export async function newToken(people: GhippoClients, user: string): Promise<string> {
  const [id, secret, createdAt] = [randomIds.suffix(TOKEN_ID_LENGTH), newSecret(), systemClock.now()];
  const kept = { id, hash: hashOf(secret), user, description: 'test', createdAt, expiresAt: createdAt + 3_600_000 };
  await people.secrets.create(tokenSecret(kept));
  return tokenText(id, secret);
}
