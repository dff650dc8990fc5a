/** Ghippo's tables. New versions only ever add: an older replica beside a newer one must go on working. */
import type { Database } from './database.ts';

/** Statements that can be made again. */
export const TABLES: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS ghippo_sessions (
    id TEXT PRIMARY KEY, user_name TEXT NOT NULL, method TEXT NOT NULL, address TEXT NOT NULL, agent TEXT NOT NULL,
    created_at BIGINT NOT NULL, seen_at BIGINT NOT NULL, idle_until BIGINT NOT NULL, ends_at BIGINT NOT NULL
  )`,
  'CREATE INDEX IF NOT EXISTS ghippo_sessions_user ON ghippo_sessions (user_name)',
  `CREATE TABLE IF NOT EXISTS ghippo_once (
    id TEXT PRIMARY KEY, purpose TEXT NOT NULL, body TEXT NOT NULL, ends_at BIGINT NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS ghippo_attempts (
    id TEXT PRIMARY KEY, failures BIGINT NOT NULL, last_at BIGINT NOT NULL, locked_until BIGINT NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS ghippo_token_use (
    id TEXT PRIMARY KEY, used_at BIGINT NOT NULL, address TEXT NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS ghippo_deliveries (
    endpoint TEXT NOT NULL, object TEXT NOT NULL, version TEXT NOT NULL, delivered_at BIGINT NOT NULL,
    PRIMARY KEY (endpoint, object)
  )`,
  `CREATE TABLE IF NOT EXISTS ghippo_sequences (id TEXT PRIMARY KEY, value BIGINT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS ghippo_audit (
    id TEXT PRIMARY KEY, at BIGINT NOT NULL, user_name TEXT NOT NULL, method TEXT NOT NULL, address TEXT NOT NULL,
    agent TEXT NOT NULL, action TEXT NOT NULL, product TEXT NOT NULL, resource_type TEXT NOT NULL,
    resource_name TEXT NOT NULL, scope TEXT NOT NULL, verdict TEXT NOT NULL, reason TEXT NOT NULL, detail TEXT NOT NULL,
    bytes BIGINT NOT NULL
  )`,
  'CREATE INDEX IF NOT EXISTS ghippo_audit_user ON ghippo_audit (user_name, id)',
  'CREATE INDEX IF NOT EXISTS ghippo_audit_resource ON ghippo_audit (resource_type, resource_name, id)',
];

/** Can be done again, and by several at once. */
export async function createTables(database: Database): Promise<void> {
  for (const table of TABLES) await database.query(table);
}
