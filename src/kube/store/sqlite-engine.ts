/**
 * The store on one SQLite connection, synchronously: what the writer thread runs.
 *
 * It owns the file alone, so its revision counter is in memory and the order of calls is the order of everything.
 * A batch of writes is one transaction, one fsync; each write in it has its own outcome. History is followed backwards
 * along `prev` links from where a key is now (see the schema in `sqlite-file.ts`), which makes writes and current reads
 * cheap and lets a read at an old revision pay for the changes since.
 *
 * Start at {@link sqliteEngine}; the thread around it is `sqlite-worker.ts`.
 */
import type { DatabaseSync } from 'node:sqlite';
import { compareKeys } from './key-order.ts';
import { writeSnapshot } from './snapshot.ts';
import { describeFailure } from './sqlite-failure.ts';
import { type FileOptions, numberOf, openFile } from './sqlite-file.ts';
import { bytesIn, endOf, numberIn, type Row, statements, textIn } from './sqlite-statements.ts';
import type { Change, Entry, Listing, Page, Revision } from './store.ts';
import { checkRevision, unavailable } from './store-error.ts';
import type { Replay } from './watchers.ts';

/** A write to make; without a value, a deletion. */
export interface Write {
  readonly key: string;
  readonly value: Uint8Array | undefined;
  readonly expected: Revision;
}

/** What became of the writes of a batch, by their index in it. */
export interface Committed {
  /** The revision of each write; 0 when it was refused. */
  readonly revisions: readonly Revision[];
  /** Refused by the guard: the revision found. */
  readonly conflicts: ReadonlyMap<number, Revision>;
  /** Refused by the medium: why. */
  readonly failures: ReadonlyMap<number, string>;
  /** The last value of what was deleted. */
  readonly removed: ReadonlyMap<number, Uint8Array>;
}

export interface SqliteEngine {
  /** The connection, for tests that make the medium refuse. */
  readonly db: DatabaseSync;
  revision(): Revision;
  compacted(): Revision;
  commit(writes: readonly Write[]): Committed;
  get(key: string, at?: Revision): Entry | undefined;
  list(prefix: string, page: Page): Listing;
  replay(prefix: string, from: Revision, limit: number): Replay;
  /** Moves the horizon: what is before it is gone for readers at once, and from the file by and by ({@link sweep}). */
  compact(before: Revision): Revision;
  /** Forgets a slice of what is before the horizon, then shrinks the file by a slice; false when nothing is left to do. */
  sweep(): boolean;
  /** All there is now, in a file of its own that must not be there yet. */
  snapshot(file: string): void;
  close(): void;
}

/** How much one sweep does: a few milliseconds' worth, for it runs between two batches of writes. */
const SWEEP_CHANGES = 500;
const SWEEP_PAGES = 500;
/** Up to this share of the file stays free for the writes to come, instead of being given back. */
const FREE_SHARE = 0.25;

export function sqliteEngine(options: FileOptions): SqliteEngine {
  const db = openFile(options);
  const sql = statements(db);
  let horizon = numberIn(sql.meta.get('horizon'), 0);
  let swept = numberIn(sql.meta.get('swept'), 0);
  // Compaction may have removed the newest changes, if they were deletions; its horizon still knows how far they went.
  let revision = Math.max(1, horizon, numberIn(sql.newest.get(), 0));
  let shrunk = false;

  function transaction<T>(body: () => T): T {
    sql.begin.run();
    try {
      const result = body();
      sql.commit.run();
      return result;
    } catch (error) {
      if (db.isTransaction) sql.rollback.run();
      throw error;
    }
  }

  function commit(writes: readonly Write[]): Committed {
    const outcome = undecided();
    try {
      revision = transaction(() => writes.reduce((at, write, index) => apply(write, index, at, outcome), revision));
      return outcome;
    } catch (error) {
      // What is too large for the medium must not take the others of its batch down.
      return writes.length > 1 ? joined(writes.map((write) => commit([write]))) : refused(error);
    }
  }

  /** Makes `write` after revision `at` if its guard holds; returns the revision the store is at then. */
  function apply({ key, value, expected }: Write, index: number, at: Revision, outcome: Outcome): Revision {
    const link = linkOf(key);
    const current = Math.max(link, 0);
    if (current !== expected || (!value && current === 0)) {
      outcome.revisions.push(0);
      outcome.conflicts.set(index, current);
      return at;
    }
    if (!value) outcome.removed.set(index, valueAt(current));
    const next = at + 1;
    sql.append.run(next, key, link, value ?? null);
    sql.point.run(key, value ? next : -next);
    outcome.revisions.push(next);
    return next;
  }

  function linkOf(key: string): number {
    return numberIn(sql.current.get(key), 0);
  }

  /** Follows a key's history back to what it was at `at`. */
  function linkAt(link: number, at: Revision): number {
    let found = link;
    while (Math.abs(found) > at) found = numberIn(sql.previous.get(Math.abs(found)), 0);
    return found;
  }

  function valueAt(at: Revision): Uint8Array {
    return bytesIn(sql.value.get(at), 0);
  }

  function get(key: string, at = revision): Entry | undefined {
    checkRevision(at, horizon, revision);
    const link = linkAt(linkOf(key), at);
    return link > 0 ? { key, value: valueAt(link), revision: link } : undefined;
  }

  function list(prefix: string, { after = '', limit = 0, at = revision }: Page): Listing {
    checkRevision(at, horizon, revision);
    const range = [compareKeys(after, prefix) > 0 ? after : prefix, endOf(prefix), after] as const;
    const wanted = limit === 0 ? -1 : limit + 1; // one more tells whether there are more
    const entries = at === revision ? currentEntries(range, wanted) : oldEntries(range, wanted, at);
    const more = entries.length === wanted;
    return { revision: at, entries: more ? entries.slice(0, limit) : entries, more };
  }

  function currentEntries(range: Range, wanted: number): Entry[] {
    const rows = sql.entries.all(...range, wanted);
    return rows.map((row) => ({ key: textIn(row, 0), value: bytesIn(row, 2), revision: numberIn(row, 1) }));
  }

  function oldEntries(range: Range, wanted: number, at: Revision): Entry[] {
    const entries: Entry[] = [];
    for (const row of sql.keys.iterate(...range)) {
      const link = linkAt(numberIn(row, 1), at);
      if (link > 0) entries.push({ key: textIn(row, 0), value: valueAt(link), revision: link });
      if (entries.length === wanted) break;
    }
    return entries;
  }

  function replay(prefix: string, from: Revision, limit: number): Replay {
    checkRevision(from, horizon, revision);
    const changes = sql.changes.all(from, prefix, endOf(prefix), limit).map(changeOf);
    return { changes, upTo: changes.length < limit ? revision : (changes.at(-1)?.revision ?? revision) };
  }

  function changeOf(row: Row): Change {
    const previous = Math.max(numberIn(row, 2), 0);
    const put = row[3] !== null;
    const value = put ? bytesIn(row, 3) : valueAt(previous);
    return { type: put ? 'put' : 'delete', key: textIn(row, 1), value, revision: numberIn(row, 0), previous };
  }

  function compact(before: Revision): Revision {
    checkRevision(before, 0, revision);
    if (before > horizon) {
      compacting(() => sql.setMeta.run(before, 'horizon'));
      horizon = before;
    }
    return horizon;
  }

  function sweep(): boolean {
    return compacting(() => (swept < horizon ? forgetSlice() : shrinkSlice()));
  }

  function forgetSlice(): boolean {
    swept = transaction(() => {
      const rows = sql.sweepable.all(swept, horizon, SWEEP_CHANGES);
      for (const row of rows) forgetBefore(row);
      const upTo = rows.length < SWEEP_CHANGES ? horizon : numberIn(rows.at(-1), 0);
      sql.setMeta.run(upTo, 'swept');
      return upTo;
    });
    return true;
  }

  /** A change at or before the horizon outdates the one it replaced, and itself if it deleted the key. */
  function forgetBefore(row: Row): void {
    const [at, replaced, deleted] = [numberIn(row, 0), numberIn(row, 2), numberIn(row, 3) === 1];
    if (replaced > 0) sql.drop.run(replaced);
    if (!deleted) return;
    sql.drop.run(at);
    sql.unpoint.run(textIn(row, 1), -at);
  }

  function shrinkSlice(): boolean {
    const excess = numberOf(db, 'freelist_count') - Math.ceil(numberOf(db, 'page_count') * FREE_SHARE);
    if (excess > 0) {
      db.exec(`PRAGMA incremental_vacuum(${Math.min(excess, SWEEP_PAGES)})`);
      shrunk = true;
    } else if (shrunk) {
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)'); // only now does the file itself shrink
      shrunk = false;
    }
    return excess > 0;
  }

  function compacting<T>(body: () => T): T {
    try {
      return body();
    } catch (error) {
      throw unavailable(`store file ${options.file} cannot be compacted: ${describeFailure(error)}`, error);
    }
  }

  return {
    db,
    revision: () => revision,
    compacted: () => horizon,
    commit,
    get,
    list,
    replay,
    compact,
    sweep,
    snapshot: (file) => writeSnapshot(db, file),
    close: () => db.close(),
  };
}

type Range = readonly [start: string, end: string, after: string];

interface Outcome extends Committed {
  readonly revisions: Revision[];
  readonly conflicts: Map<number, Revision>;
  readonly failures: Map<number, string>;
  readonly removed: Map<number, Uint8Array>;
}

function undecided(): Outcome {
  return { revisions: [], conflicts: new Map(), failures: new Map(), removed: new Map() };
}

function refused(error: unknown): Committed {
  return { ...undecided(), revisions: [0], failures: new Map([[0, describeFailure(error)]]) };
}

/** The outcomes of writes made one by one, as that of one batch. */
function joined(singles: readonly Committed[]): Committed {
  const outcome = undecided();
  for (const [index, single] of singles.entries()) {
    outcome.revisions.push(...single.revisions);
    for (const found of single.conflicts.values()) outcome.conflicts.set(index, found);
    for (const why of single.failures.values()) outcome.failures.set(index, why);
    for (const value of single.removed.values()) outcome.removed.set(index, value);
  }
  return outcome;
}
