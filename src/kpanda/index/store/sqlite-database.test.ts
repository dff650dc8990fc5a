import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { indexStoreContract } from './index-store-contract.ts';
import { sqliteDatabase } from './sqlite-database.ts';

indexStoreContract('sqlite', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'kairship-index-'));
  const database = sqliteDatabase({ file: join(directory, 'index.db') });
  t.after(async () => {
    await database.close();
    await rm(directory, { recursive: true, force: true });
  });
  return database;
});
