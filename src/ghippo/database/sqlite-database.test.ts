import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { databaseContract } from './database-contract.ts';
import { sqliteDatabase } from './sqlite-database.ts';

async function temporaryFile(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'ghippo-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return join(directory, 'ghippo.db');
}

databaseContract('SQLite', async (t) => {
  const database = await sqliteDatabase(await temporaryFile(t));
  t.after(() => database.close());
  return database;
});

it('SQLite: two processes may share a file, and it is there after a restart', async (t) => {
  const file = await temporaryFile(t);
  const [one, other] = [await sqliteDatabase(file), await sqliteDatabase(file)];
  await one.query('INSERT INTO ghippo_sequences (id, value) VALUES ($1, $2)', ['a', 7]);
  assert.equal((await other.query('SELECT value FROM ghippo_sequences'))[0]?.['value'], 7);
  await Promise.all([one.close(), other.close()]);
  const again = await sqliteDatabase(file);
  t.after(() => again.close());
  assert.equal((await again.query('SELECT value FROM ghippo_sequences'))[0]?.['value'], 7);
});
