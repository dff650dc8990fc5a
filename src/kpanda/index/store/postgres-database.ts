/**
 * The index in PostgreSQL, for several processes on several machines.
 *
 * One connection writes, a small pool reads; a read is ended by the server itself when its time is over. Whoever waits
 * for commits is told through `NOTIFY`, and looks again when the connection that listens was lost. Deadlocks and
 * failed serialisations are tried again: nothing was written.
 */
import { Client, DatabaseError, Pool, types as standardTypes } from 'pg';
import { type Clock, sleep, systemClock } from '#base/clock.ts';
import { StatusError } from '#base/status-error.ts';
import { postgresDialect } from './dialect.ts';
import { READ_LIMIT_MS, type Row, type SqlDatabase } from './sql-database.ts';
import { numbered, type Sql } from './sql.ts';

export interface PostgresDatabaseOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** Where the tables are; `public` when absent. */
  readonly schema?: string;
  readonly readers?: number;
  readonly clock?: Clock;
}

const CHANNEL = 'kpanda_index';
const ATTEMPTS = 5;
const LISTEN_AGAIN_MS = 1_000;
/** Deadlock, failed serialisation. */
const REPEATABLE = new Set(['40P01', '40001']);
const CANCELLED = '57014';
const INT8 = 20;

export function postgresDatabase(options: PostgresDatabaseOptions): SqlDatabase {
  const { url, schema = 'public', readers = 4, clock = systemClock } = options;
  if (!/^[a-z_][a-z0-9_]*$/.test(schema)) throw new StatusError('BadRequest', `${schema} is no name of a schema`);
  const types = {
    // Counts and revisions stay below 2^53.
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === INT8 ? Number : standardTypes.getTypeParser(oid, format),
  };
  const common = { connectionString: url, types, options: `-c search_path=${schema}`, connectionTimeoutMillis: 10_000 };
  const reading = new Pool({ ...common, max: readers });
  const writing = new Pool({ ...common, max: 1 });
  for (const pool of [reading, writing]) pool.on('error', () => undefined); // an idle connection that broke is replaced
  const told = new Set<() => void>();
  const closing = new AbortController();
  let listening: Promise<void> | undefined;

  const tell = () => {
    for (const each of told) each();
  };

  async function group(
    pool: Pool,
    begin: string,
    body: (run: (statement: Sql) => Promise<readonly Row[]>) => Promise<readonly (readonly Row[])[]>,
    end: string,
  ): Promise<readonly (readonly Row[])[]> {
    const client = await pool.connect().catch((error: unknown) => {
      throw failureOf(error);
    });
    let broken: unknown;
    try {
      await client.query(begin);
      const rows = await body(async (statement) => {
        const result = await client.query<Record<string, Row[string]>>(numbered(statement), [...statement.params]);
        return result.rows;
      });
      await client.query(end);
      return rows;
    } catch (error) {
      broken = await client.query('ROLLBACK').then(
        () => undefined,
        (failure: unknown) => failure,
      );
      throw error instanceof StatusError ? error : failureOf(error);
    } finally {
      client.release(broken !== undefined);
    }
  }

  /** Listens on a connection of its own for as long as anybody wants to be told. */
  async function listen(): Promise<void> {
    while (!closing.signal.aborted) {
      const client = new Client(common);
      const lost = new Promise<void>((resolve) => {
        client.once('end', resolve);
        client.on('error', () => resolve());
        closing.signal.addEventListener('abort', () => resolve(), { once: true });
      });
      try {
        await client.connect();
        client.on('notification', tell);
        await client.query(`LISTEN ${CHANNEL}`);
        tell(); // whatever was committed while nobody listened
        await lost;
      } catch {
        // It is tried again below, for as long as anybody wants to be told.
      }
      await client.end().catch(() => undefined);
      await sleep(clock, LISTEN_AGAIN_MS, closing.signal).catch(() => undefined);
    }
  }

  return {
    dialect: postgresDialect,
    read: (statements, limitMs = READ_LIMIT_MS) =>
      group(
        reading,
        `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = ${Math.max(1, Math.round(limitMs))}`,
        (run) => inTurn(statements, run),
        'COMMIT',
      ),
    async write(statements, expects) {
      for (let attempt = 1; ; attempt++) {
        try {
          const rows = await group(
            writing,
            'BEGIN',
            (run) =>
              inTurn(statements, async (statement, place) => {
                const found = await run(statement);
                if (expects?.statement === place && found.length === 0)
                  throw new StatusError('Conflict', expects.otherwise);
                return found;
              }),
            `NOTIFY ${CHANNEL}; COMMIT`,
          );
          tell();
          return rows;
        } catch (error) {
          if (attempt === ATTEMPTS || !isRepeatable(error)) throw error;
          await sleep(clock, 20 * attempt);
        }
      }
    },
    async define(texts) {
      await group(
        writing,
        'BEGIN',
        (run) =>
          inTurn(
            texts.map((text) => ({ text, params: [] })),
            run,
          ),
        'COMMIT',
      );
    },
    onCommit(each) {
      told.add(each);
      listening ??= listen();
      return () => void told.delete(each);
    },
    async close() {
      closing.abort();
      await listening;
      await Promise.all([reading.end(), writing.end()]);
    },
  };
}

async function inTurn<T, R>(items: readonly T[], run: (item: T, place: number) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (const [place, item] of items.entries()) results.push(await run(item, place));
  return results;
}

function isRepeatable(error: unknown): boolean {
  return error instanceof StatusError && error.cause instanceof DatabaseError && REPEATABLE.has(error.cause.code ?? '');
}

function failureOf(error: unknown): StatusError {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof DatabaseError ? (error.code ?? '') : '';
  if (code === CANCELLED) {
    const words = 'the time for this query is over: narrow it by cluster, namespace, name or label';
    return new StatusError('Timeout', words, { cause: error });
  }
  // Answers about the statement or the data (classes 22, 23, 42) come back each time; all others may pass.
  const lasting = /^(22|23|42)/.test(code);
  return new StatusError(lasting ? 'InternalError' : 'ServiceUnavailable', `the index: ${message}`, { cause: error });
}
