import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sqliteDatabase } from '../database/sqlite-database.ts';
import { auditContract } from './audit-contract.ts';
import { growingIds } from './growing-ids.ts';

auditContract('SQLite', async (t) => {
  const database = await sqliteDatabase();
  t.after(() => database.close());
  return database;
});

it('ids grow even when the clock is set back', () => {
  let now = 1000;
  const next = growingIds({ now: () => now, after: () => () => undefined });
  const ids = [next(), next()];
  now = 500;
  ids.push(next());
  now = 2000;
  ids.push(next());
  assert.deepEqual(ids.toSorted(), ids);
});
