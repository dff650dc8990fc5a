/**
 * A store in one SQLite file, through `node:sqlite`.
 *
 * A write is acknowledged when it is in the file's write-ahead log and (`durability: 'full'`) on the disk: it survives
 * `kill -9` and loss of power. The file belongs to a writer thread that does all the waiting; writes that gather
 * meanwhile are committed together. The file is locked while open, checked when opened, and never overwritten when it
 * is not ours, damaged or from a newer release.
 *
 * When the medium refuses (full, read-only) the writes are refused with `ServiceUnavailable`, reads go on, and
 * writes go on as soon as there is room. How a write flows is told in `README.md`.
 */
import { type Clock, systemClock } from '#base/clock.ts';
import { type Log, silentLog } from '#base/log.ts';
import { groupCommit } from './group-commit.ts';
import type { Committed, Write } from './sqlite-engine.ts';
import type { FileOptions } from './sqlite-file.ts';
import { type SqliteWriter, sqliteWriter } from './sqlite-writer.ts';
import type { Change, Revision, Store } from './store.ts';
import { unavailable } from './store-error.ts';
import { type Watchers, watchers } from './watchers.ts';

export interface SqliteStoreOptions extends FileOptions {
  readonly log?: Log;
  readonly clock?: Clock;
}

/** Opens the store in `options.file`, creating it if there is none; throws a StatusError that says what to do. */
export async function sqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { file, log = silentLog, clock = systemClock } = options;
  const started = clock.now();
  let watching: Watchers | undefined;
  let closed: Promise<void> | undefined;

  const writer = await sqliteWriter(options, (why) => {
    if (!closed) log.error('the store is lost until it is opened again', { file, error: why });
    watching?.end(closed ? undefined : why);
  });
  let { revision, compacted } = writer.opened;
  log.info('store opened', { file, revision, compacted, milliseconds: clock.now() - started });

  const watched = watchers({
    published: () => revision,
    replay: (prefix, from, limit) => writer.replay(prefix, from, limit),
  });
  watching = watched;
  const group = groupCommit(attended(writer, { file, log, clock }), publish);

  function publish(changes: readonly Change[]): void {
    revision = changes.at(-1)?.revision ?? revision;
    watched.publish(changes);
  }

  async function compact(before: Revision): Promise<void> {
    compacted = await writer.compact(before);
    while (await writer.sweep()); // slice by slice, so that writes get in between
  }

  async function close(): Promise<void> {
    await group.idle();
    watched.end();
    await writer.close();
  }

  function open<T>(body: () => Promise<T>): Promise<T> {
    return closed ? Promise.reject(unavailable(`store file ${file} is closed`)) : body();
  }

  return {
    revision: () => open(() => Promise.resolve(revision)),
    get: (key, at) => open(() => writer.get(key, at)),
    list: (prefix, page = {}) => open(() => writer.list(prefix, page)),
    put: (key, value, expected) => open(() => group.write(key, value, expected)),
    delete: (key, expected) => open(() => group.write(key, undefined, expected)),
    watch: (prefix, from, signal) => watched.watch(prefix, from, signal),
    compact: (before) => open(() => compact(before)),
    compacted: () => open(() => Promise.resolve(compacted)),
    snapshot: (target) => open(() => writer.snapshot(target)),
    close: () => (closed ??= close()),
  };
}

const SLOW_COMMIT = 1_000;
/** A medium in trouble fails many writes: one line a minute is enough. */
const TELL_EVERY = 60_000;

/** Commits, and tells operators when the medium is slow, refuses or recovers. */
function attended(writer: SqliteWriter, deps: { readonly file: string; readonly log: Log; readonly clock: Clock }) {
  const { file, log, clock } = deps;
  let refusing = false;
  let refusalTold = Number.NEGATIVE_INFINITY;
  let slownessTold = Number.NEGATIVE_INFINITY;

  function tellRefusal(why: string | undefined, now: number): void {
    if (why === undefined && refusing) {
      log.info('the store can be written again', { file });
      refusing = false;
    }
    if (why !== undefined && now - refusalTold >= TELL_EVERY) {
      log.error('the store cannot be written', { file, why });
      refusing = true;
      refusalTold = now;
    }
  }

  function tellSlowness(milliseconds: number, writes: number, now: number): void {
    if (milliseconds < SLOW_COMMIT || now - slownessTold < TELL_EVERY) return;
    log.warn('the disk is slow to commit', { file, milliseconds, writes });
    slownessTold = now;
  }

  return async (writes: readonly Write[]): Promise<Committed> => {
    const started = clock.now();
    const outcome = await writer.commit(writes);
    const now = clock.now();
    tellSlowness(now - started, writes.length, now);
    tellRefusal(outcome.failures.values().next().value, now);
    return outcome;
  };
}
