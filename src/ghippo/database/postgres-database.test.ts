/** Everything that Ghippo keeps in a database, on a real PostgreSQL server. */
import assert from 'node:assert/strict';
import { after, describe, it, type TestContext } from 'node:test';
import { fakeClock } from '#base/clock.ts';
import { randomIds } from '#base/ids.ts';
import { auditContract } from '#ghippo/audit/audit-contract.ts';
import { attempts } from '#ghippo/identity/attempts.ts';
import { sessionsContract } from '#ghippo/session/sessions-contract.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from '#kpanda/index/store/postgres-server.ts';
import { deliveryStore } from '#ghippo/webhook/delivery-store.ts';
import type { Database } from './database.ts';
import { databaseContract } from './database-contract.ts';
import { postgresDatabase } from './postgres-database.ts';

if (postgresPrograms() === undefined && process.env['CI'] !== 'true') {
  describe('PostgreSQL', () => {
    it('passes the contract of a database', { skip: 'PostgreSQL is not installed; npm run test:tools gets it' });
  });
} else {
  let server: Promise<PostgresServer> | undefined;
  after(async () => (await server)?.stop());

  /** Empty, and of its own. */
  const open = async (t: TestContext): Promise<Database & { readonly schema: string; readonly url: string }> => {
    server ??= startPostgres();
    const { url } = await server;
    const schema = `ghippo_${randomIds.suffix(8)}`;
    const admin = await postgresDatabase({ url, connections: 1 });
    await admin.query(`CREATE SCHEMA ${schema}`);
    await admin.close();
    const database = await postgresDatabase({ url, schema, connections: 3 });
    t.after(() => database.close());
    return { ...database, schema, url };
  };

  databaseContract('PostgreSQL', open);
  auditContract('PostgreSQL', open);
  sessionsContract('PostgreSQL', open);

  describe('PostgreSQL: several processes', () => {
    it('may make the tables at once', async (t) => {
      const one = await open(t);
      const { url, schema } = one;
      await one.query('DROP TABLE ghippo_once');
      await one.query('DROP TABLE ghippo_audit');
      const all = await Promise.all(Array.from({ length: 4 }, () => postgresDatabase({ url, schema, connections: 1 })));
      await Promise.all(all.map((each) => each.close()));
    });

    it('count attempts and deliveries together, and forget none', async (t) => {
      const one = await open(t);
      const { url, schema } = one;
      const other = await postgresDatabase({ url, schema, connections: 2 });
      t.after(() => other.close());
      const clock = fakeClock();
      const [here, there] = [attempts({ database: one, clock }), attempts({ database: other, clock })];
      await Promise.allSettled(Array.from({ length: 6 }, (_, n) => (n % 2 ? here : there).begin('eve', '10.0.0.9')));
      const [row] = await one.query('SELECT failures FROM ghippo_attempts WHERE id = $1', ['user:eve']);
      assert.ok(Number(row?.['failures']) >= 5);
      const [first, second] = [deliveryStore({ database: one, clock }), deliveryStore({ database: other, clock })];
      const numbers = await Promise.all(
        Array.from({ length: 10 }, (_, n) => (n % 2 ? first : second).nextSequence('e')),
      );
      assert.deepEqual(
        numbers.toSorted((a, b) => a - b),
        Array.from({ length: 10 }, (_, n) => n + 1),
      );
    });

    it('are refused what no text of theirs can be, clearly', async (t) => {
      const database = await open(t);
      const asked = database.query('SELECT id FROM ghippo_once WHERE id = $1', ['a\0b']);
      await assert.rejects(asked, { reason: 'BadRequest' });
      await assert.rejects(database.query('SELECT nothing'), { reason: 'InternalError' });
    });

    it('say that nobody answers', async () => {
      await assert.rejects(postgresDatabase({ url: 'postgres://nobody@127.0.0.1:1/none' }), {
        reason: 'ServiceUnavailable',
      });
    });
  });
}
