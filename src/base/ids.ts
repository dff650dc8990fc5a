import { randomBytes, randomUUID } from 'node:crypto';

/** Identity as a dependency: uids and random name suffixes, predictable in tests. */
export interface Ids {
  uid(): string;
  /** `length` characters of Kubernetes' vowel-free alphabet, as in generated names. */
  suffix(length: number): string;
}

/** No vowels and none of 0, 1, 3: a random name never spells a word. */
export const NAME_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

export const randomIds: Ids = {
  uid: () => randomUUID(),
  suffix: (length) => Array.from(randomBytes(length), (byte) => NAME_ALPHABET[byte % NAME_ALPHABET.length]).join(''),
};

/** Ids that count up, so that a test can name what it expects. */
export function countingIds(): Ids {
  let n = 0;
  return {
    uid: () => `00000000-0000-4000-8000-${String(++n).padStart(12, '0')}`,
    suffix: (length) => String(++n).padStart(length, 'x').slice(-length),
  };
}
