/**
 * What the store's thread and its writer thread say to each other.
 *
 * Requests are answered one by one in the order they were made, so answers carry no ids, and whoever gets the answer to
 * a read has before got the outcome of every write the read has seen.
 */
import { StatusError, type StatusDetails, type Reason } from '#base/status-error.ts';
import type { Write } from './sqlite-engine.ts';
import type { Listing, Page, Revision } from './store.ts';

export type Request =
  | { readonly do: 'commit'; readonly writes: PackedWrites }
  | { readonly do: 'get'; readonly key: string; readonly at: Revision | undefined }
  | { readonly do: 'list'; readonly prefix: string; readonly page: Page }
  | { readonly do: 'replay'; readonly prefix: string; readonly from: Revision; readonly limit: number }
  | { readonly do: 'compact'; readonly before: Revision }
  | { readonly do: 'sweep' }
  | { readonly do: 'snapshot'; readonly file: string }
  | { readonly do: 'close' };

export type Answer = { readonly result: unknown } | { readonly refusal: Refusal };

/** The first message of a writer thread, once it has the file open. */
export interface Opened {
  readonly revision: Revision;
  readonly compacted: Revision;
}

/** A StatusError as it crosses threads: structured clone keeps neither its class nor its fields. */
export interface Refusal {
  readonly reason: Reason;
  readonly message: string;
  readonly details: StatusDetails | undefined;
}

export function refusalOf(error: unknown): Refusal {
  if (error instanceof StatusError) return { reason: error.reason, message: error.message, details: error.details };
  return {
    reason: 'InternalError',
    message: error instanceof Error ? error.message : String(error),
    details: undefined,
  };
}

export function errorOf({ reason, message, details }: Refusal): StatusError {
  return new StatusError(reason, message, details ? { details } : {});
}

/**
 * Values in one buffer of its own, which is handed over to the other thread instead of being copied: cloning thousands
 * of small arrays, let alone views of larger ones, costs several times as much.
 */
export interface Packed {
  /** How many bytes each value has; -1 when it is absent. */
  readonly sizes: readonly number[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface PackedWrites {
  readonly keys: readonly string[];
  readonly expected: readonly Revision[];
  readonly values: Packed;
}

export interface PackedListing {
  readonly revision: Revision;
  readonly more: boolean;
  readonly keys: readonly string[];
  readonly revisions: readonly Revision[];
  readonly values: Packed;
}

const ABSENT = -1;

function pack(items: readonly { readonly value: Uint8Array | undefined }[]): Packed {
  const sizes = items.map(({ value }) => value?.byteLength ?? ABSENT);
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + Math.max(size, 0), 0));
  let offset = 0;
  for (const { value } of items) {
    if (!value) continue;
    bytes.set(value, offset);
    offset += value.byteLength;
  }
  return { sizes, bytes };
}

/** The values as views of the buffer, which lives as long as one of them. */
function unpack({ sizes, bytes }: Packed): (Uint8Array | undefined)[] {
  let offset = 0;
  return sizes.map((size) => (size === ABSENT ? undefined : bytes.subarray(offset, (offset += size))));
}

export function packWrites(writes: readonly Write[]): PackedWrites {
  return {
    keys: writes.map(({ key }) => key),
    expected: writes.map(({ expected }) => expected),
    values: pack(writes),
  };
}

export function unpackWrites({ keys, expected, values }: PackedWrites): Write[] {
  const unpacked = unpack(values);
  return keys.map((key, index) => ({ key, value: unpacked[index], expected: expected[index] ?? 0 }));
}

export function packListing({ revision, more, entries }: Listing): PackedListing {
  const keys = entries.map((entry) => entry.key);
  return { revision, more, keys, revisions: entries.map((entry) => entry.revision), values: pack(entries) };
}

export function unpackListing({ revision, more, keys, revisions, values }: PackedListing): Listing {
  const unpacked = unpack(values);
  const entries = keys.map((key, index) => ({
    key,
    // Copied out, or an entry that is kept would keep the whole list in memory.
    value: unpacked[index]?.slice() ?? new Uint8Array(),
    revision: revisions[index] ?? 0,
  }));
  return { revision, more, entries };
}
