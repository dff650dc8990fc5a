/** A point in the store's history; the API server's resourceVersion. Safe as a number up to 2^53. */
export type Revision = number;

export interface Entry {
  readonly key: string;
  readonly value: Uint8Array;
  /** The revision of the key's last change. */
  readonly revision: Revision;
}

export interface Change {
  readonly type: 'put' | 'delete';
  readonly key: string;
  /** The value put; for a delete, the last value before it. */
  readonly value: Uint8Array;
  readonly revision: Revision;
  /** The revision this change replaced; 0 when the key was absent before. */
  readonly previous: Revision;
}

/**
 * An ordered key-value log with one revision counter, as the API server needs it.
 *
 * Contract, checked for every implementation by `storeContract()`:
 * - a write either commits at a new revision, greater than all before it, or changes nothing;
 * - a write whose promise resolved is as durable as the backend promises, and is visible to every later read;
 * - `watch(prefix, from)` yields every change after `from` exactly once, in revision order, in one array per commit
 *   (what was written before the watch began comes in larger arrays); a change is offered to the watchers of the same
 *   process before the promise of its write resolves;
 * - reading or watching below the compaction horizon throws `Expired`, never a gap.
 *
 * The empty store is at revision 1, the first write gets 2, as in etcd. Values are shared, not copied: nobody changes
 * one after handing it over or being handed it.
 *
 * Failures are StatusErrors: `Conflict` (a guard failed; a `StoreConflict`, whose `conflictingRevision` tells the
 * current one), `Expired`, `Timeout` (a revision yet to come), `ServiceUnavailable` (the medium refused: disk full,
 * read-only, closed).
 */
export interface Store {
  /** The revision of the newest committed write. */
  revision(): Promise<Revision>;
  get(key: string, at?: Revision): Promise<Entry | undefined>;
  /** Entries under `prefix` in key order (that of UTF-8 bytes), from after `page.after` on, all as of one revision. */
  list(prefix: string, page?: Page): Promise<Listing>;

  /** Writes `value` if the key is still at `expected` (0: absent); throws `Conflict` if it moved. */
  put(key: string, value: Uint8Array, expected: Revision): Promise<Revision>;
  /** Removes the key if it is still at `expected`; an absent key is a `Conflict` at revision 0. */
  delete(key: string, expected: Revision): Promise<Revision>;

  /** Changes after `from`, until `signal` aborts or the store is closed. */
  watch(prefix: string, from: Revision, signal: AbortSignal): AsyncIterable<readonly Change[]>;
  /** Forgets history before `before`; the newest value of each key always stays. */
  compact(before: Revision): Promise<void>;
  /** The oldest revision that can still be read or watched from. */
  compacted(): Promise<Revision>;
  /**
   * Writes all there is at one moment into a file of its own, while writes go on; absent where a store has tools of its
   * own for that.
   */
  readonly snapshot?: (file: string) => Promise<void>;
  close(): Promise<void>;
}

export interface Page {
  readonly after?: string;
  /** At most so many entries; 0 or absent: all. */
  readonly limit?: number;
  readonly at?: Revision;
}

export interface Listing {
  readonly revision: Revision;
  readonly entries: readonly Entry[];
  readonly more: boolean;
}
