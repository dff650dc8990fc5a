/**
 * A database in PostgreSQL, for several processes on several machines: what one of them ends, all others see with their
 * next question. Every operation is one statement, so a pool of connections is all there is to it.
 */
import { DatabaseError, Pool, types as standardTypes } from 'pg';
import { badRequest, StatusError } from '#base/status-error.ts';
import type { Database, Row } from './database.ts';
import { TABLES } from './schema.ts';

export interface PostgresDatabaseOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** Where the tables are; `public` when absent. */
  readonly schema?: string;
  readonly connections?: number;
}

/** Nothing that is asked here takes long; what does waits for something that will not come. */
const STATEMENT_MS = 10_000;
const CONNECT_MS = 10_000;
const NUMBERS = new Set([20, 1700]);
/** Held by whoever makes tables: PostgreSQL lets two who make one at once fail. The number means nothing. */
const MAKING_TABLES = 7_301_946;
const NO_TEXT = '22021';

export async function postgresDatabase(options: PostgresDatabaseOptions): Promise<Database> {
  const { url, schema = 'public', connections = 4 } = options;
  if (!/^[a-z_][a-z0-9_]*$/.test(schema)) throw badRequest(`${schema} is no name of a schema`);
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
    options: `-c search_path=${schema} -c statement_timeout=${STATEMENT_MS}`,
    types: {
      // Counts and times stay below 2^53.
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        NUMBERS.has(oid) ? Number : standardTypes.getTypeParser(oid, format),
    },
  });
  // An idle connection that broke is replaced.
  pool.on('error', () => undefined);

  const database: Database = {
    async query(text, parameters = []) {
      try {
        return (await pool.query<Record<string, Row[string]>>(text, [...parameters])).rows;
      } catch (error) {
        throw failureOf(error);
      }
    },
    close: () => pool.end(),
  };
  try {
    // Sent together they are one transaction, at whose end the lock is given back.
    await pool.query([`SELECT pg_advisory_xact_lock(${MAKING_TABLES})`, ...TABLES].join(';\n'));
  } catch (error) {
    await pool.end();
    throw failureOf(error);
  }
  return database;
}

function failureOf(cause: unknown): StatusError {
  const why = cause instanceof Error ? cause.message : String(cause);
  const code = cause instanceof DatabaseError ? (cause.code ?? '') : '';
  if (code === NO_TEXT) return new StatusError('BadRequest', `a text that cannot be kept: ${why}`, { cause });
  // Answers about the statement or the data (classes 22, 23, 42) come back each time; all others may pass.
  const lasting = /^(22|23|42)/.test(code);
  return new StatusError(lasting ? 'InternalError' : 'ServiceUnavailable', `the database refused: ${why}`, { cause });
}
