/**
 * Snapshots of a SQLite store: all there is at one moment, in a file that is itself a store.
 *
 * A store that is put back to a snapshot must not hand out revisions that it handed out before for something else. So
 * its revisions go on beyond all of them, and everything before counts as compacted: who watches or pages on from an
 * older one is told so (410 Gone), and lists again.
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

/**
 * Puts a store back to a snapshot. Nobody may have it open. What was there before stays beside it until the next time,
 * as `<file>.before-restore`; done again after a crash half-way, it comes to the same end.
 */
export function restoreSnapshot(snapshot: string, file: string): SnapshotFacts {
  const before = lastRevision(file);
  const draft = `${file}.restoring`;
  for (const side of ['', '-wal', '-shm']) rmSync(draft + side, { force: true });
  copyFileSync(snapshot, draft);
  chmodSync(draft, 0o600);
  const facts = checkSnapshot(draft);
  const db = openFile({ file: draft, durability: 'full' });
  try {
    db.prepare('UPDATE meta SET value = ? WHERE name = ?').run(Math.max(before, facts.revision) + LEAP, 'horizon');
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

/** 0 when there is no store, or none that can be read: it is being replaced anyway. */
function lastRevision(file: string): Revision {
  const at = [file, `${file}.before-restore`].find((one) => statSync(one, { throwIfNoEntry: false }));
  if (at === undefined) return 0;
  try {
    const db = openFile({ file: at, durability: 'normal' });
    try {
      return revisionIn(db);
    } finally {
      db.close();
    }
  } catch {
    return 0;
  }
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
