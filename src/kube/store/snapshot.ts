/**
 * Snapshots of a SQLite store: all there is at one moment, in a file that is itself a store.
 *
 * A store that is put back to a snapshot must not hand out revisions that it handed out before for something else. So
 * its revisions go on beyond all of them, and everything before counts as compacted: who watches or pages on from an
 * older one is told so (410 Gone), and lists again.
 *
 * Not all of a copy must come back, and not all of what is there must go: {@link Exceptions} are by key.
 *
 * Start at {@link checkSnapshot} and {@link restoreSnapshot}.
 */
import { chmodSync, closeSync, copyFileSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { StatusError } from '#base/status-error.ts';
import { openFile } from './sqlite-file.ts';
import type { Revision } from './store.ts';

/** How far revisions go on beyond the last known: what was written between a last look and a crash is less. */
const LEAP = 1_000_000;

export interface SnapshotFacts {
  readonly revision: Revision;
  /** Keys that have a value. */
  readonly keys: number;
  readonly bytes: number;
}

/** What a restore leaves as it is: keys that it takes from the store it replaces, or from nowhere. */
export interface Exceptions {
  /** Keys of the snapshot that do not come back. */
  readonly without?: (key: string) => boolean;
  /** Keys that stay as the store has them, there with their value or not there; if there is a store that can be read. */
  readonly keep?: (key: string) => boolean;
  /** What becomes of a value that comes back; undefined where it comes back as it is. */
  readonly change?: (key: string, value: Uint8Array) => Uint8Array | undefined;
}

/** Called by the engine on its own connection, between two batches of writes. */
export function writeSnapshot(db: DatabaseSync, file: string): void {
  // Made by us, because Secrets are in it: for its owner only.
  closeSync(openSync(file, 'wx', 0o600));
  try {
    db.prepare('VACUUM INTO ?').run(file);
    sync(file);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
}

/** Reads all of a snapshot; throws a StatusError when it is damaged, foreign or of a release that is not known here. */
export function checkSnapshot(file: string): SnapshotFacts {
  if (!statSync(file, { throwIfNoEntry: false })) throw new StatusError('NotFound', `there is no snapshot at ${file}`);
  const db = openFile({ file, durability: 'normal' });
  try {
    const found = String(db.prepare('PRAGMA integrity_check(1)').get()?.[0]);
    if (found !== 'ok') throw new StatusError('InternalError', `snapshot ${file} is damaged: ${found}`);
    return {
      revision: revisionIn(db),
      keys: numberAt(db, 'SELECT count(*) FROM cur WHERE rev > 0'),
      bytes: statSync(file).size,
    };
  } finally {
    db.close();
  }
}

/** What a snapshot holds, each key with its value. */
export function readSnapshot(file: string): ReadonlyMap<string, Uint8Array> {
  const db = openFile({ file, durability: 'normal' });
  try {
    return valuesIn(db, () => true);
  } finally {
    db.close();
  }
}

/**
 * Puts a store back to a snapshot. Nobody may have it open. What was there before stays beside it until the next time,
 * as `<file>.before-restore`; done again after a crash half-way, it comes to the same end.
 */
export function restoreSnapshot(snapshot: string, file: string, exceptions: Exceptions = {}): SnapshotFacts {
  const before = stateBefore(file, exceptions.keep);
  const draft = `${file}.restoring`;
  for (const side of ['', '-wal', '-shm']) rmSync(draft + side, { force: true });
  copyFileSync(snapshot, draft);
  chmodSync(draft, 0o600);
  const facts = checkSnapshot(draft);
  const db = openFile({ file: draft, durability: 'full' });
  try {
    const horizon = Math.max(before.revision, facts.revision) + LEAP;
    db.prepare('UPDATE meta SET value = ? WHERE name = ?').run(horizon, 'horizon');
    makeExceptions(db, exceptions, before, horizon);
    db.exec('PRAGMA locking_mode = NORMAL; PRAGMA journal_mode = WAL; PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
  for (const side of ['-wal', '-shm']) rmSync(draft + side, { force: true });
  sync(draft);
  for (const side of ['', '-wal']) {
    if (statSync(file + side, { throwIfNoEntry: false })) renameSync(file + side, `${file}.before-restore${side}`);
    else rmSync(`${file}.before-restore${side}`, { force: true });
  }
  rmSync(`${file}-shm`, { force: true });
  renameSync(draft, file);
  sync(dirname(file));
  return facts;
}

type Kept = ReadonlyMap<string, Uint8Array>;

interface Before {
  readonly revision: Revision;
  readonly kept: Kept | undefined;
}

const NOTHING_KNOWN: Before = { revision: 0, kept: undefined };

/** Of a store that cannot be read nothing is known, and it is being replaced anyway. */
function stateBefore(file: string, keep: Exceptions['keep']): Before {
  const at = [file, `${file}.before-restore`].find((one) => statSync(one, { throwIfNoEntry: false }));
  if (at === undefined) return NOTHING_KNOWN;
  try {
    const db = openFile({ file: at, durability: 'normal' });
    try {
      return { revision: revisionIn(db), kept: keep && valuesIn(db, keep) };
    } finally {
      db.close();
    }
  } catch {
    return NOTHING_KNOWN;
  }
}

function valuesIn(db: DatabaseSync, wanted: (key: string) => boolean): Kept {
  const read = db.prepare('SELECT value FROM log WHERE rev = ?');
  return new Map(
    keysIn(db, wanted).map(([key, revision]) => [key, read.get(revision)?.[0] as unknown as Uint8Array] as const),
  );
}

/** Keys that have a value, each with the revision of it. */
function keysIn(db: DatabaseSync, wanted: (key: string) => boolean): readonly (readonly [string, Revision])[] {
  const all = db.prepare('SELECT key, rev FROM cur WHERE rev > 0').all() as unknown as readonly [string, number][];
  return all.filter(([key]) => wanted(key));
}

function changeValues(db: DatabaseSync, change: NonNullable<Exceptions['change']>): void {
  const write = db.prepare('UPDATE log SET value = ? WHERE rev = ?');
  const revisions = new Map(keysIn(db, () => true));
  for (const [key, value] of valuesIn(db, () => true)) {
    const changed = change(key, value);
    if (changed) write.run(changed, revisions.get(key) ?? 0);
  }
}

/** Just below the horizon nothing was ever written: a kept value gets its revision there, and nobody has seen it. */
function makeExceptions(
  db: DatabaseSync,
  { without, keep, change }: Exceptions,
  before: Before,
  horizon: Revision,
): void {
  const { kept = new Map<string, Uint8Array>() } = before;
  const gone = keysIn(db, (key) => without?.(key) === true || (before.kept && keep?.(key)) === true);
  db.exec('BEGIN');
  if (change) changeValues(db, change);
  const [forget, unlist] = [db.prepare('DELETE FROM log WHERE key = ?'), db.prepare('DELETE FROM cur WHERE key = ?')];
  for (const key of new Set([...gone.map(([one]) => one), ...kept.keys()]))
    [forget, unlist].forEach((statement) => statement.run(key));
  const [log, list] = [db.prepare('INSERT INTO log VALUES (?, ?, 0, ?)'), db.prepare('INSERT INTO cur VALUES (?, ?)')];
  let revision = horizon - kept.size;
  for (const [key, value] of kept) {
    log.run(revision, key, value);
    list.run(key, revision);
    revision += 1;
  }
  db.exec('COMMIT');
}

function revisionIn(db: DatabaseSync): Revision {
  return Math.max(
    1,
    numberAt(db, "SELECT value FROM meta WHERE name = 'horizon'"),
    numberAt(db, 'SELECT max(rev) FROM log'),
  );
}

function numberAt(db: DatabaseSync, sql: string): number {
  return Number(db.prepare(sql).get()?.[0] ?? 0);
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
