/** A database in one SQLite file, or in memory. Statements take microseconds, so they run where they are asked for. */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { StatusError } from '#base/status-error.ts';
import type { Database, Row } from './database.ts';
import { createTables } from './schema.ts';

/** How long to wait for another process that writes. */
const BUSY_MS = 5_000;

export async function sqliteDatabase(file = ':memory:'): Promise<Database> {
  const db = new DatabaseSync(file, { timeout: BUSY_MS });
  // An audited write or a revoked session must not come back after a power cut.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  const prepared = new Map<string, StatementSync>();

  function statement(text: string): StatementSync {
    const known = prepared.get(text);
    if (known) return known;
    const fresh = db.prepare(text.replaceAll(/\$(\d+)/g, '?$1'));
    prepared.set(text, fresh);
    return fresh;
  }

  const database: Database = {
    async query(text, parameters = []) {
      try {
        return statement(text).all(...parameters) as readonly Row[];
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        throw new StatusError('InternalError', `the database refused: ${why}`, { cause });
      }
    },
    async close() {
      db.close();
    },
  };
  await createTables(database);
  return database;
}
