import { sqliteDatabase } from '../database/sqlite-database.ts';
import { sessionsContract } from './sessions-contract.ts';

sessionsContract('SQLite', async (t) => {
  const database = await sqliteDatabase();
  t.after(() => database.close());
  return database;
});
