/** Small JSON values as few bytes, for stores that write very many of them. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** For values of a few kilobytes: making room for more costs three times as much as compressing them. */
const SMALL = { level: 3, memLevel: 4, windowBits: 12, chunkSize: 2048 } as const;

export function packJson(value: unknown): Uint8Array {
  return deflateRawSync(JSON.stringify(value), SMALL);
}

/** What {@link packJson} packed, or any deflated JSON. */
export function unpackJson(bytes: Uint8Array): unknown {
  return JSON.parse(inflateRawSync(bytes).toString());
}
