/** What every {@link Database} promises, as tests. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Database } from './database.ts';
import { createTables } from './schema.ts';

export function databaseContract(name: string, open: (t: TestContext) => Promise<Database>): void {
  describe(`${name}: a database`, () => {
    it('gives back texts and numbers as they were', async (t) => {
      const database = await open(t);
      const now = Date.UTC(2026, 10, 15);
      const text = `it's "quoted", ünïcode and \n lines; $1 ?1`;
      const [row] = await database.query(
        'INSERT INTO ghippo_once (id, purpose, body, ends_at) VALUES ($1, $2, $3, $4) RETURNING purpose, body, ends_at',
        ['contract-a', 'test', text, now],
      );
      assert.deepEqual({ ...row }, { purpose: 'test', body: text, ends_at: now });
    });

    it('takes parameters in any order, and more than once', async (t) => {
      const database = await open(t);
      const rows = await database.query('SELECT CAST($2 AS TEXT) AS a, CAST($1 AS TEXT) AS b, CAST($2 AS TEXT) AS c', [
        'x',
        'y',
      ]);
      assert.deepEqual({ ...rows[0] }, { a: 'y', b: 'x', c: 'y' });
    });

    it('lets one of many have a row', async (t) => {
      const database = await open(t);
      await database.query('INSERT INTO ghippo_once (id, purpose, body, ends_at) VALUES ($1, $2, $3, $4)', [
        'contract-b',
        'test',
        '',
        1,
      ]);
      const takers = await Promise.all(
        Array.from({ length: 8 }, () =>
          database.query('DELETE FROM ghippo_once WHERE id = $1 RETURNING id', ['contract-b']),
        ),
      );
      assert.equal(takers.filter((rows) => rows.length === 1).length, 1);
    });

    it('counts without losing one', async (t) => {
      const database = await open(t);
      const next = () =>
        database.query(
          `INSERT INTO ghippo_sequences AS s (id, value) VALUES ($1, 1)
           ON CONFLICT (id) DO UPDATE SET value = s.value + 1 RETURNING value`,
          ['contract-c'],
        );
      const values = (await Promise.all(Array.from({ length: 20 }, next))).map(([row]) => Number(row?.['value']));
      assert.deepEqual(
        values.toSorted((a, b) => a - b),
        Array.from({ length: 20 }, (_, index) => index + 1),
      );
    });

    it('refuses what breaks a rule, and changes nothing', async (t) => {
      const database = await open(t);
      const insert = 'INSERT INTO ghippo_token_use (id, used_at, address) VALUES ($1, $2, $3)';
      await database.query(insert, ['contract-d', 1, '']);
      await assert.rejects(database.query(insert, ['contract-d', 2, '']), { name: 'StatusError' });
      const rows = await database.query('SELECT used_at FROM ghippo_token_use WHERE id = $1', ['contract-d']);
      assert.equal(rows[0]?.['used_at'], 1);
    });

    it('is made ready again and again', async (t) => {
      const database = await open(t);
      await Promise.all([createTables(database), createTables(database)]);
    });
  });
}
