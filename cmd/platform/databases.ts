/** Where programs find the index and what the identity module keeps: a PostgreSQL that all replicas share, or a file. */
import { type SqlDatabase, postgresDatabase, sqliteDatabase as sqliteIndex } from '#kpanda/index/index.ts';
import type { Database } from '#ghippo/database/database.ts';
import { postgresDatabase as peoplePostgres } from '#ghippo/database/postgres-database.ts';
import { sqliteDatabase } from '#ghippo/database/sqlite-database.ts';
import { CommandFailure, EXIT } from '../cli/failure.ts';

const isUrl = (address: string) => address.includes('://');
const isPostgres = (address: string) => /^postgres(ql)?:\/\//.test(address);

/** A URL of a PostgreSQL, or a file. */
export function openIndex(address: string): SqlDatabase {
  if (isPostgres(address)) return postgresDatabase({ url: address });
  if (isUrl(address)) throw unusable('--index', address);
  return sqliteIndex({ file: address });
}

export async function openPeople(address: string): Promise<Database> {
  if (isPostgres(address)) return peoplePostgres({ url: address });
  if (isUrl(address)) throw unusable('--database', address);
  return sqliteDatabase(address);
}

function unusable(flag: string, address: string): CommandFailure {
  return new CommandFailure(`${flag} ${address.replace(/\/\/[^@/]*@/, '//…@')} cannot be used`, {
    why: 'it is a URL as postgres://user@host:port/database, or a file',
    next: 'see docs/operations.md',
    code: EXIT.usage,
  });
}
