/**
 * What the store's thread and its writer thread say to each other.
 *
 * Requests are answered one by one in the order they were made, so answers carry no ids, and whoever gets the answer to
 * a read has before got the outcome of every write the read has seen.
 */
import { StatusError, type StatusDetails, type Reason } from '#base/status-error.ts';
import type { Write } from './sqlite-engine.ts';
import type { Page, Revision } from './store.ts';

export type Request =
  | { readonly do: 'commit'; readonly writes: PackedWrites }
  | { readonly do: 'get'; readonly key: string; readonly at: Revision | undefined }
  | { readonly do: 'list'; readonly prefix: string; readonly page: Page }
  | { readonly do: 'replay'; readonly prefix: string; readonly from: Revision; readonly limit: number }
  | { readonly do: 'compact'; readonly before: Revision }
  | { readonly do: 'sweep' }
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

/** Writes with their values in one buffer of its own, which is handed over instead of being copied again. */
export interface PackedWrites {
  readonly keys: readonly string[];
  readonly expected: readonly Revision[];
  /** How many bytes each value has; -1 for a deletion. */
  readonly sizes: readonly number[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const DELETION = -1;

export function pack(writes: readonly Write[]): PackedWrites {
  const sizes = writes.map(({ value }) => value?.byteLength ?? DELETION);
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + Math.max(size, 0), 0));
  let offset = 0;
  for (const { value } of writes) {
    if (!value) continue;
    bytes.set(value, offset);
    offset += value.byteLength;
  }
  return { keys: writes.map(({ key }) => key), expected: writes.map(({ expected }) => expected), sizes, bytes };
}

export function unpack({ keys, expected, sizes, bytes }: PackedWrites): Write[] {
  let offset = 0;
  return keys.map((key, index) => {
    const size = sizes[index] ?? DELETION;
    const value = size === DELETION ? undefined : bytes.subarray(offset, (offset += size));
    return { key, value, expected: expected[index] ?? 0 };
  });
}
