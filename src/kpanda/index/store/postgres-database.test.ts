import { after, describe, it } from 'node:test';
import { indexStoreContract } from './index-store-contract.ts';
import { postgresDatabase } from './postgres-database.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from './postgres-server.ts';
import { TABLES } from './schema-sql.ts';
import type { SqlDatabase } from './sql-database.ts';

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

  indexStoreContract('postgres', async () => {
    if (!opened) {
      const server = await startPostgres();
      const admin = postgresDatabase({ url: server.url });
      await admin.define(['CREATE SCHEMA kpanda']);
      await admin.close();
      opened = { server, database: postgresDatabase({ url: server.url, schema: 'kpanda', readers: 2 }) };
    }
    await opened.database.define(TABLES.map((table) => `DROP TABLE IF EXISTS ${table}`));
    return opened.database;
  });
}
