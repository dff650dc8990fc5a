/**
 * A thread with one connection to the index's SQLite file. All waiting for the disk and all searching happens here.
 *
 * A read that takes too long is ended from within: `in_time` is asked every few rows, and refuses when the time is
 * over. Statements are prepared once; nothing thrown leaves the thread, it is the answer.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { StatusError } from '#base/status-error.ts';
import type { Row } from './sql-database.ts';
import type { ThreadAnswer, ThreadOptions, ThreadRequest } from './sqlite-protocol.ts';
import type { Sql } from './sql.ts';

const OVERDUE = 'the time for this query is over';
const MAX_PREPARED = 300;
/** The clock is looked at once in so many calls. */
const ROWS_PER_LOOK = 4;

const { file, readOnly }: ThreadOptions = workerData;
const database = new DatabaseSync(file, { readOnly, timeout: 5_000 });
if (!readOnly) database.exec('PRAGMA journal_mode = WAL');
// The index is filled again from its sources: a commit need not have reached the disk, only never be torn.
database.exec('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY');
// Moving the log into the file waits for the disk: seldom, and in one go.
database.exec('PRAGMA wal_autocheckpoint = 8000; PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -24000');

let deadline = Number.POSITIVE_INFINITY;
let looked = 0;
database.function('in_time', (_row) => {
  if (++looked % ROWS_PER_LOOK === 0 && performance.now() > deadline) throw new Error(OVERDUE);
  return 1;
});

const prepared = new Map<string, StatementSync>();

function statementOf(text: string): StatementSync {
  let known = prepared.get(text);
  if (!known) {
    if (prepared.size >= MAX_PREPARED) prepared.clear();
    prepared.set(text, (known = database.prepare(text)));
  }
  return known;
}

function rowsOf({ text, params }: Sql): readonly Row[] {
  return statementOf(text).all(...params) as unknown as readonly Row[];
}

function inTransaction<T>(begin: 'BEGIN' | 'BEGIN IMMEDIATE', body: () => T): T {
  database.exec(begin);
  try {
    const result = body();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function perform(request: ThreadRequest): readonly (readonly Row[])[] {
  switch (request.do) {
    case 'read':
      looked = 0;
      deadline = performance.now() + request.limitMs;
      return inTransaction('BEGIN', () => request.statements.map(rowsOf));
    case 'write':
      deadline = Number.POSITIVE_INFINITY;
      return inTransaction('BEGIN IMMEDIATE', () =>
        request.statements.map((statement, index) => {
          const rows = rowsOf(statement);
          if (request.expects?.statement === index && rows.length === 0)
            throw new StatusError('Conflict', request.expects.otherwise);
          return rows;
        }),
      );
    case 'define':
      for (const text of request.texts) database.exec(text);
      return [];
    case 'close':
      database.close();
      return [];
  }
}

function refusalOf(error: unknown): ThreadAnswer {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof StatusError) return { refusal: { reason: error.reason, message } };
  if (message.includes(OVERDUE)) {
    return { refusal: { reason: 'Timeout', message: `${OVERDUE}: narrow it by cluster, namespace, name or label` } };
  }
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  // Busy, locked, no memory, read-only, I/O error, full: all of these may pass.
  const passing = [5, 6, 7, 8, 10, 13].includes(code);
  return { refusal: { reason: passing ? 'ServiceUnavailable' : 'InternalError', message: `the index: ${message}` } };
}

parentPort?.on('message', (request: ThreadRequest) => {
  let answer: ThreadAnswer;
  try {
    answer = { rows: perform(request) };
  } catch (error) {
    answer = refusalOf(error);
  }
  parentPort?.postMessage(answer, []);
  if (request.do === 'close') parentPort?.close();
});
