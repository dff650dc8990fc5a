/** Opens an index in a database: makes its tables, or throws away those of another version to fill them anew. */
import { type Clock, systemClock } from '#base/clock.ts';
import { StatusError } from '#base/status-error.ts';
import { SCHEMA_VERSION, schemaSql, TABLES } from './schema-sql.ts';
import { sql } from './sql.ts';
import type { SqlDatabase } from './sql-database.ts';

export async function prepareIndex(database: SqlDatabase, clock: Clock = systemClock): Promise<void> {
  const version = await versionOf(database);
  if (version === SCHEMA_VERSION) return;
  if (version !== undefined && version > SCHEMA_VERSION) {
    throw new StatusError(
      'Conflict',
      `the index has tables of version ${version}, this release knows ${SCHEMA_VERSION}: run the newer release, or give it another database`,
    );
  }
  // Microseconds: above every revision of an index that was here before, and of every source.
  const revision = clock.now() * 1000;
  const tables = [...TABLES.map((table) => `DROP TABLE IF EXISTS ${table}`), ...schemaSql(database.dialect)];
  // All or nothing: whoever is killed meanwhile leaves no half of it behind.
  await database.write([
    ...tables.map((text) => ({ text, params: [] })),
    sql`INSERT INTO meta (id, revision, horizon, epoch, version) VALUES (1, ${revision}, ${revision}, 0, ${SCHEMA_VERSION})`,
  ]);
}

async function versionOf(database: SqlDatabase): Promise<number | undefined> {
  const there =
    database.dialect.name === 'sqlite'
      ? sql`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'meta'`
      : sql`SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'meta'`;
  const [found = []] = await database.write([there]);
  if (found.length === 0) return undefined;
  const [rows = []] = await database.write([sql`SELECT version FROM meta`]);
  return Number(rows[0]?.['version'] ?? 0);
}
