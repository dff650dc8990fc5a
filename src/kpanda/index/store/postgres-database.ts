/**
 * The index in PostgreSQL, for several processes on several machines.
 *
 * One connection writes, a small pool reads; a read is ended by the server itself when its time is over. The statements
 * of a group are sent together and answered together: a page takes one journey to the server and back. Whoever waits
 * for commits is told through `NOTIFY`, and looks again when the connection that listens was lost. Deadlocks and
 * failed serialisations are tried again: nothing was written.
 */
import { Client, DatabaseError, Pool, types as standardTypes } from 'pg';
import { type Clock, sleep, systemClock } from '#base/clock.ts';
import { StatusError } from '#base/status-error.ts';
import { postgresDialect } from './dialect.ts';
import { type Expectation, READ_LIMIT_MS, type Row, type SqlDatabase } from './sql-database.ts';
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
/**
 * Queries here are short and their way is known: compiling one takes longer than answering it, and so does waking
 * workers for it. What is asked for often is in memory, where looking up costs little more than reading on.
 */
const SETTINGS = { jit: 'off', max_parallel_workers_per_gather: '0', random_page_cost: '1.1' };
/** What plans are made of. Whole objects are only ever looked up. */
const PLANNED = ['objects', 'labels', 'owners', 'images', 'streams', 'bodies (object)'];

export function postgresDatabase(options: PostgresDatabaseOptions): SqlDatabase {
  const { url, schema = 'public', readers = 4, clock = systemClock } = options;
  if (!/^[a-z_][a-z0-9_]*$/.test(schema)) throw new StatusError('BadRequest', `${schema} is no name of a schema`);
  const types = {
    // Counts and revisions stay below 2^53.
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === INT8 ? Number : standardTypes.getTypeParser(oid, format),
  };
  const settings = Object.entries({ search_path: schema, ...SETTINGS }).map(([name, value]) => `-c ${name}=${value}`);
  const common = { connectionString: url, types, options: settings.join(' '), connectionTimeoutMillis: 10_000 };
  const reading = new Pool({ ...common, pipeline: true, max: readers });
  const writing = new Pool({ ...common, pipeline: true, max: 1 });
  for (const pool of [reading, writing]) pool.on('error', () => undefined); // an idle connection that broke is replaced
  const told = new Set<() => void>();
  const closing = new AbortController();
  let listening: Promise<void> | undefined;

  const tell = () => {
    for (const each of told) each();
  };

  /** Statements in one transaction; the one that must give a row is waited for, and all others are sent together. */
  async function group(
    pool: Pool,
    begin: string,
    statements: readonly Sql[],
    end: string,
    expects?: Expectation,
  ): Promise<readonly (readonly Row[])[]> {
    const client = await pool.connect().catch((error: unknown) => {
      throw failureOf(error);
    });
    const run = async (statement: Sql): Promise<readonly Row[]> => {
      const { rows } = await client.query<Record<string, Row[string]>>(numbered(statement), [...statement.params]);
      return rows;
    };
    const plain = async (text: string): Promise<readonly Row[]> => {
      await client.query(text);
      return [];
    };
    const asked = expects === undefined ? -1 : expects.statement;
    let broken: unknown;
    try {
      if (expects === undefined) {
        return (await together([plain(begin), ...statements.map(run), plain(end)])).slice(1, -1);
      }
      const first = (await together([plain(begin), ...statements.slice(0, asked + 1).map(run)])).slice(1);
      if (first[asked]?.length === 0) throw new StatusError('Conflict', expects.otherwise);
      const rest = (await together([...statements.slice(asked + 1).map(run), plain(end)])).slice(0, -1);
      return [...first, ...rest];
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
        statements,
        'COMMIT',
      ),
    async write(statements, expects) {
      for (let attempt = 1; ; attempt++) {
        try {
          const rows = await group(writing, 'BEGIN', statements, `NOTIFY ${CHANNEL}; COMMIT`, expects);
          tell();
          return rows;
        } catch (error) {
          if (attempt === ATTEMPTS || !isRepeatable(error)) throw error;
          await sleep(clock, 20 * attempt);
        }
      }
    },
    async define(texts) {
      const statements = texts.map((text) => ({ text, params: [] }));
      await group(writing, 'BEGIN', statements, 'COMMIT');
    },
    async lookAgain() {
      const client = new Client(common);
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.query(`VACUUM (ANALYZE) ${PLANNED.join()}`);
      } catch (error) {
        throw failureOf(error);
      } finally {
        await client.end().catch(() => undefined);
      }
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

/** The answers to what was sent together, or the first failure: those after it only follow from it. */
async function together<T>(sent: readonly Promise<T>[]): Promise<readonly T[]> {
  const settled = await Promise.allSettled(sent);
  return settled.map((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  });
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
