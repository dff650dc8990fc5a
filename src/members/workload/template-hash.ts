/** Short names for pod templates: equal templates have equal hashes, whatever the order of their keys. */
import { createHash } from 'node:crypto';
import { NAME_ALPHABET } from '#base/ids.ts';

/** `collisions` makes another hash of the same content, for when two contents have met in one. */
export function contentHash(content: unknown, collisions = 0): string {
  const salt = collisions === 0 ? '' : String(collisions);
  const digest = createHash('sha256').update(canonical(content)).update(salt).digest();
  return Array.from(digest.subarray(0, 10), (byte) => NAME_ALPHABET[byte % NAME_ALPHABET.length]).join('');
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
