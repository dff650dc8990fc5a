/** Secrets that only their holder knows: what is kept of them is a hash, which is enough to find them again. */
import { createHash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** Randomness, a dependency so that tests can name what they expect. */
export type NewSecret = () => string;

export const newSecret: NewSecret = () => randomBytes(SECRET_BYTES).toString('base64url');

/** No salt and one round: nobody guesses 256 random bits. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
