import { after, describe, it } from 'node:test';
import { randomIds } from '#base/ids.ts';
import { indexStoreContract } from './index-store-contract.ts';
import { postgresDatabase } from './postgres-database.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from './postgres-server.ts';

if (postgresPrograms() === undefined && process.env['CI'] !== 'true') {
  describe('postgres', () => {
    it('passes the contract of the index', { skip: 'PostgreSQL is not installed; npm run test:tools gets it' });
  });
} else {
  let server: Promise<PostgresServer> | undefined;
  after(async () => (await server)?.stop());

  indexStoreContract('postgres', async (t) => {
    server ??= startPostgres();
    const { url } = await server;
    const schema = `index_${randomIds.suffix(8)}`;
    const admin = postgresDatabase({ url });
    await admin.define([`CREATE SCHEMA ${schema}`]);
    await admin.close();
    const database = postgresDatabase({ url, schema, readers: 2 });
    t.after(() => database.close());
    return database;
  });
}
