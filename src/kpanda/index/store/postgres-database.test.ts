import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { indexedObject } from '../indexed-object.ts';
import { indexStoreContract, PODS, podOf } from './index-store-contract.ts';
import { prepareIndex } from './open-index.ts';
import { postgresDatabase } from './postgres-database.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from './postgres-server.ts';
import { TABLES } from './schema-sql.ts';
import { sql } from './sql.ts';
import type { SqlDatabase } from './sql-database.ts';
import { sqlIndexWriter } from './sql-index-writer.ts';

if (postgresPrograms() === undefined && process.env['CI'] !== 'true') {
  describe('postgres', () => {
    it('passes the contract of the index', { skip: 'PostgreSQL is not installed; npm run test:tools gets it' });
  });
} else {
  /** One for all tests, which run one after another. */
  let opened: { readonly server: PostgresServer; readonly database: SqlDatabase } | undefined;
  after(async () => {
    await opened?.database.close();
    await opened?.server.stop();
  });

  async function fresh(): Promise<SqlDatabase> {
    if (!opened) {
      const server = await startPostgres();
      const admin = postgresDatabase({ url: server.url });
      await admin.define(['CREATE SCHEMA kpanda']);
      await admin.close();
      opened = { server, database: postgresDatabase({ url: server.url, schema: 'kpanda', readers: 2 }) };
    }
    await opened.database.define(TABLES.map((table) => `DROP TABLE IF EXISTS ${table}`));
    return opened.database;
  }
  indexStoreContract('postgres', fresh);

  it('looks at its tables again once many objects have come, so that plans are not guesses', async () => {
    const database = await fresh();
    await prepareIndex(database);
    const looked = Promise.withResolvers<void>();
    const writer = await sqlIndexWriter({
      ...database,
      lookAgain: () =>
        (database.lookAgain?.() ?? Promise.reject(new Error('it cannot'))).then(looked.resolve, looked.reject),
    });
    const kind = await writer.kind(PODS);
    const objects = Array.from({ length: 1_000 }, (_, n) => indexedObject('a', podOf(`p-${n}`, n + 1)));
    await writer.commit([{ cluster: 'a', kind, objects, deleted: [], at: 1 }]);
    await looked.promise;
    const [rows = []] = await database.read([sql`SELECT reltuples AS n FROM pg_class WHERE oid = 'objects'::regclass`]);
    assert.equal(Number(rows[0]?.['n']), 1_000);
  });
}
