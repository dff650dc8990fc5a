/** The SQL of the store, prepared once, and the reading of its rows, which come as arrays. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';

export type Row = Readonly<Record<number, SQLOutputValue>>;

export function statements(db: DatabaseSync) {
  return {
    begin: db.prepare('BEGIN IMMEDIATE'),
    commit: db.prepare('COMMIT'),
    rollback: db.prepare('ROLLBACK'),

    newest: db.prepare('SELECT max(rev) FROM log'),
    current: db.prepare('SELECT rev FROM cur WHERE key = ?'),
    value: db.prepare('SELECT value FROM log WHERE rev = ?'),
    previous: db.prepare('SELECT prev FROM log WHERE rev = ?'),
    append: db.prepare('INSERT INTO log (rev, key, prev, value) VALUES (?, ?, ?, ?)'),
    point: db.prepare('INSERT INTO cur (key, rev) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET rev = excluded.rev'),

    keys: db.prepare('SELECT key, rev FROM cur WHERE key >= ? AND key < ? AND key <> ? ORDER BY key'),
    // A deleted key's link is negative and joins with nothing.
    entries: db.prepare(`
      SELECT cur.key, cur.rev, log.value FROM cur JOIN log ON log.rev = cur.rev
      WHERE cur.key >= ? AND cur.key < ? AND cur.key <> ? ORDER BY cur.key LIMIT ?`),
    changes: db.prepare(`
      SELECT rev, key, prev, value FROM log WHERE rev > ? AND key >= ? AND key < ? ORDER BY rev LIMIT ?`),

    meta: db.prepare('SELECT value FROM meta WHERE name = ?'),
    setMeta: db.prepare('UPDATE meta SET value = ? WHERE name = ?'),
    sweepable: db.prepare(`
      SELECT rev, key, prev, value IS NULL FROM log WHERE rev > ? AND rev <= ? ORDER BY rev LIMIT ?`),
    drop: db.prepare('DELETE FROM log WHERE rev = ?'),
    unpoint: db.prepare('DELETE FROM cur WHERE key = ? AND rev = ?'),
  };
}

/** After every key that starts with `prefix`. */
export function endOf(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}

export function numberIn(row: Row | undefined, column: number): number {
  return Number(row?.[column] ?? 0);
}

export function textIn(row: Row, column: number): string {
  return String(row[column]);
}

export function bytesIn(row: Row | undefined, column: number): Uint8Array {
  const value = row?.[column];
  return value instanceof Uint8Array ? value : new Uint8Array();
}
