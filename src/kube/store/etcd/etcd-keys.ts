/** Keys as etcd has them: bytes, and ranges from one up to but not including another. */
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const keyBytes = (key: string): Uint8Array<ArrayBuffer> => encoder.encode(key);
export const keyText = (key: Uint8Array): string => decoder.decode(key);

/** In etcd a single zero stands for the first key as a beginning, and for no end as an end. */
const ALL = Uint8Array.of(0);

/** The first key that may have the prefix, or that comes after a key which has it. */
export function beginOf(prefix: string, after?: string): Uint8Array<ArrayBuffer> {
  if (after !== undefined && after >= prefix) return Uint8Array.of(...keyBytes(after), 0);
  return prefix === '' ? ALL : keyBytes(prefix);
}

/** The first key that comes after all with the prefix. */
export function endOf(prefix: string): Uint8Array<ArrayBuffer> {
  const bytes = keyBytes(prefix);
  const last = bytes.findLastIndex((byte) => byte < 0xff);
  if (last < 0) return ALL;
  const end = bytes.slice(0, last + 1);
  end[last] = (end[last] ?? 0) + 1;
  return end;
}
