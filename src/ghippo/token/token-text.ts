/**
 * A token as its holder has it: `kst_<id>_<secret>`. The id finds it, the secret opens it; the prefix lets people and
 * scanners recognise one that was left somewhere.
 */
import { timingSafeEqual } from 'node:crypto';
import { NAME_ALPHABET } from '#base/ids.ts';
import { hashOf } from '#ghippo/session/secret.ts';

export const TOKEN_PREFIX = 'kst_';
export const TOKEN_ID_LENGTH = 12;

const PATTERN = new RegExp(`^${TOKEN_PREFIX}([${NAME_ALPHABET}]{${TOKEN_ID_LENGTH}})_([\\w-]{43})$`);

export function tokenText(id: string, secret: string): string {
  return `${TOKEN_PREFIX}${id}_${secret}`;
}

/** Undefined for anything else, without looking anywhere. */
export function parseToken(text: string): { readonly id: string; readonly secret: string } | undefined {
  const [, id, secret] = text.match(PATTERN) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

export function isSecretOf(secret: string, hash: string): boolean {
  const [given, kept] = [Buffer.from(hashOf(secret)), Buffer.from(hash)];
  return given.length === kept.length && timingSafeEqual(given, kept);
}
