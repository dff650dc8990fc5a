/**
 * The file of a SQLite store: creating it, and refusing what is not one of ours before touching it.
 *
 * Opening never changes a file it refuses. Its header is read first without locks, so a foreign file gets not even a
 * side file; then it is checked through a read-only connection; only then is it opened for writing, with the exclusive
 * lock that keeps other processes out for as long as the store is open. A new file is made under another name and
 * linked into place when it is whole, so there is no half-made file to find after a crash.
 *
 * All looking is done through SQLite: a POSIX lock is lost when its process closes *any* descriptor of the
 * file, so reading it with `node:fs` would silently unlock a store that is open in this process.
 *
 * Start at {@link openFile}.
 */
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { threadId } from 'node:worker_threads';
import { StatusError } from '#base/status-error.ts';
import { unavailable } from './store-error.ts';
import { describeFailure, isBusy, isDamaged, isNoDatabase } from './sqlite-failure.ts';

/** `KAIR`, in the header of every store file. */
export const APPLICATION_ID = 0x4b414952;
/** The layout below; a change that older programs would misread counts it up. */
export const FORMAT_VERSION = 1;

/**
 * `log` holds every change, `cur` where each key is now. Links (`cur.rev`, `log.prev`) are signed: `r` is the change that
 * put the key's value, `-r` the change that deleted it, 0 nothing. So history is a chain from `cur` backwards, and
 * needs no index. `meta` holds the compaction horizon, and how far forgetting has come (`swept`).
 */
const SCHEMA = `
  CREATE TABLE log (rev INTEGER PRIMARY KEY, key TEXT NOT NULL, prev INTEGER NOT NULL, value BLOB) STRICT;
  CREATE TABLE cur (key TEXT PRIMARY KEY, rev INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO meta VALUES ('horizon', 0), ('swept', 0);
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${FORMAT_VERSION};
`;

export interface FileOptions {
  readonly file: string;
  /** `full`: a write survives power loss; `normal`: it survives the process, but the last ones may be lost with power. */
  readonly durability: 'full' | 'normal';
  /** The file grows no further than this; absent: until the disk is full. */
  readonly maxBytes?: number;
}

/**
 * Opens the store file, creating it if there is none; throws a StatusError that says what to do. Rows come as arrays.
 */
export function openFile(options: FileOptions): DatabaseSync {
  const { file } = options;
  try {
    if (!exists(file)) create(file);
    refuseForeign(file);
    refuseDamaged(file);
    return openExclusively(options);
  } catch (error) {
    throw error instanceof StatusError ? error : refusal(file, error);
  }
}

function exists(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found && !found.isFile()) throw invalid(file, 'is not a file', 'Name a file, or a path where none is yet');
  if (found?.size === 0) throw invalid(file, 'is an empty file', 'If nothing is missing, remove it to start empty');
  if (!found) refuseOrphan(file);
  return found !== undefined;
}

/** SQLite would replay the journal of a lost file into the new one. */
function refuseOrphan(file: string): void {
  if (!statSync(`${file}-wal`, { throwIfNoEntry: false })?.size) return;
  throw invalid(file, `is missing, but its journal ${file}-wal is there`, 'Restore both, or remove it to start empty');
}

function create(file: string): void {
  const directory = dirname(file);
  // Secrets are in it: for its owner only, and SQLite gives its side files the same mode.
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}-${threadId}.new`;
  try {
    closeSync(openSync(draft, 'w', 0o600));
    const db = new DatabaseSync(draft);
    db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA auto_vacuum = INCREMENTAL');
    db.exec(`BEGIN; ${SCHEMA} COMMIT; PRAGMA journal_mode = WAL`);
    db.close();
    sync(draft);
    linkSync(draft, file);
    sync(directory);
  } finally {
    rmSync(draft, { force: true });
  }
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

function refuseForeign(file: string): void {
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  const [application, version] = looking(new DatabaseSync(url, { readOnly: true, returnArrays: true }), (db) => [
    numberOf(db, 'application_id'),
    numberOf(db, 'user_version'),
  ]);
  if (application !== APPLICATION_ID) {
    throw invalid(file, 'is a SQLite file of another application', 'Name another file');
  }
  if (version !== FORMAT_VERSION) {
    const found = `has format version ${version}, this program knows ${FORMAT_VERSION}`;
    throw invalid(file, found, 'Use the release that wrote it, or a newer one');
  }
}

function refuseDamaged(file: string): void {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 0, returnArrays: true });
  const found = looking(db, () => db.prepare('PRAGMA quick_check(1)').get()?.[0]);
  if (found !== 'ok') throw damaged(file, String(found));
}

function openExclusively({ file, durability, maxBytes }: FileOptions): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 0, returnArrays: true });
  try {
    db.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = ${durability === 'full' ? 'FULL' : 'NORMAL'}`);
    db.exec('PRAGMA cache_size = -8000; PRAGMA wal_autocheckpoint = 2000; PRAGMA journal_size_limit = 16777216');
    if (maxBytes) db.exec(`PRAGMA max_page_count = ${Math.ceil(maxBytes / numberOf(db, 'page_size'))}`);
    db.exec('BEGIN IMMEDIATE; COMMIT'); // takes the lock
    // Left by the read-only check. With the lock held nobody else can be using it, and an exclusive writer does not.
    rmSync(`${file}-shm`, { force: true });
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function looking<T>(db: DatabaseSync, look: (db: DatabaseSync) => T): T {
  try {
    return look(db);
  } finally {
    db.close();
  }
}

/** A number SQLite keeps about the file; `db` returns its rows as arrays. */
export function numberOf(db: DatabaseSync, pragma: string): number {
  return Number(db.prepare(`PRAGMA ${pragma}`).get()?.[0]);
}

function refusal(file: string, error: unknown): StatusError {
  if (isBusy(error)) {
    return unavailable(`store file ${file} is in use by another process. Stop that one, or name another file`, error);
  }
  if (isNoDatabase(error)) {
    return invalid(file, 'is not a database, or its header is damaged', 'Name another file, or restore a backup');
  }
  if (isDamaged(error)) return damaged(file, describeFailure(error), error);
  return unavailable(`store file ${file} cannot be opened for writing: ${describeFailure(error)}`, error);
}

function damaged(file: string, found: string, cause?: unknown): StatusError {
  const advice = 'Nothing was changed. Restore a backup, or move the file away to start empty';
  return new StatusError('InternalError', `store file ${file} is damaged: ${found}. ${advice}`, { cause });
}

function invalid(file: string, found: string, advice: string): StatusError {
  return new StatusError('Invalid', `store file ${file} ${found}. Nothing was changed. ${advice}`);
}
