/**
 * The index in one SQLite file, through `node:sqlite` in threads: one that writes, a few that read.
 *
 * Readers never wait for the writer (write-ahead log), and other processes may read the same file with `readOnly`.
 * They learn of commits by looking at the index's revision a few times a second.
 */
import { Worker } from 'node:worker_threads';
import { type Clock, systemClock } from '#base/clock.ts';
import { StatusError } from '#base/status-error.ts';
import { sqliteDialect } from './dialect.ts';
import { READ_LIMIT_MS, type Row, type SqlDatabase } from './sql-database.ts';
import type { ThreadAnswer, ThreadOptions, ThreadRequest } from './sqlite-protocol.ts';
import { sql } from './sql.ts';

export interface SqliteDatabaseOptions {
  readonly file: string;
  /** For those who only read; the file must exist. */
  readonly readOnly?: boolean;
  readonly readers?: number;
  readonly clock?: Clock;
}

const LOOK_EVERY_MS = 100;

export function sqliteDatabase(options: SqliteDatabaseOptions): SqlDatabase {
  const { file, readOnly = false, readers: count = 2, clock = systemClock } = options;
  const writer = readOnly ? undefined : thread({ file, readOnly: false });
  const readers: Thread[] = [];
  const told = new Set<() => void>();
  let stopLooking: (() => void) | undefined;
  let closed = false;

  /** Opened late: the file may be made by the writer's first statement. */
  function reader(): Thread {
    for (const [place, each] of readers.entries()) if (each.lost()) readers.splice(place, 1);
    const idle = readers.find((each) => each.pending() === 0);
    if (idle) return idle;
    if (readers.length < count) {
      const fresh = thread({ file, readOnly: true });
      readers.push(fresh);
      return fresh;
    }
    return readers.reduce((a, b) => (b.pending() < a.pending() ? b : a));
  }

  const tell = () => {
    for (const each of told) each();
  };

  /** Another process commits: every commit moves the index's revision. */
  function look(known: number | undefined): void {
    stopLooking = clock.after(LOOK_EVERY_MS, () => {
      reader()
        .ask({ do: 'read', statements: [sql`SELECT revision FROM meta`], limitMs: READ_LIMIT_MS })
        .then(([rows]) => {
          const revision = Number(rows?.[0]?.['revision'] ?? 0);
          if (known !== undefined && revision !== known) tell();
          if (!closed && told.size > 0) look(revision);
        })
        .catch(() => {
          if (!closed && told.size > 0) look(known);
        });
    });
  }

  return {
    dialect: sqliteDialect,
    read: (statements, limitMs = READ_LIMIT_MS) => reader().ask({ do: 'read', statements, limitMs }),
    async write(statements, expects) {
      if (!writer) throw new StatusError('Forbidden', `the index ${file} is open for reading only`);
      const rows = await writer.ask({ do: 'write', statements, expects });
      tell();
      return rows;
    },
    async define(texts) {
      if (!writer) throw new StatusError('Forbidden', `the index ${file} is open for reading only`);
      await writer.ask({ do: 'define', texts });
    },
    onCommit(listener) {
      told.add(listener);
      if (readOnly && told.size === 1) look(undefined);
      return () => {
        told.delete(listener);
        if (told.size === 0) stopLooking?.();
      };
    },
    async close() {
      closed = true;
      stopLooking?.();
      await Promise.all(readers.map((each) => each.close()));
      await writer?.close();
    },
  };
}

interface Thread {
  lost(): boolean;
  pending(): number;
  ask(request: ThreadRequest): Promise<readonly (readonly Row[])[]>;
  close(): Promise<void>;
}

type Waiting = PromiseWithResolvers<readonly (readonly Row[])[]>;

function thread(options: ThreadOptions): Thread {
  const worker = new Worker(new URL('./sqlite-thread.ts', import.meta.url), { workerData: options });
  const waiting: Waiting[] = [];
  let lost: StatusError | undefined;
  const lose = (why: string, cause?: unknown) => {
    lost ??= new StatusError('ServiceUnavailable', `the index ${options.file}: ${why}`, { cause });
    for (const each of waiting.splice(0)) each.reject(lost);
  };
  worker.on('message', (answer: ThreadAnswer) => {
    const asked = waiting.shift();
    if ('rows' in answer) asked?.resolve(answer.rows);
    else asked?.reject(new StatusError(answer.refusal.reason, answer.refusal.message));
    if (waiting.length === 0) worker.unref();
  });
  worker.on('error', (error: Error) => lose(error.message, error));
  worker.on('exit', () => lose('is closed'));
  worker.unref();

  function ask(request: ThreadRequest): Promise<readonly (readonly Row[])[]> {
    if (lost) return Promise.reject(lost);
    const asked: Waiting = Promise.withResolvers();
    waiting.push(asked);
    worker.ref();
    worker.postMessage(request, []);
    return asked.promise;
  }

  return {
    lost: () => lost !== undefined,
    pending: () => waiting.length,
    ask,
    async close() {
      if (lost) return;
      const ended = new Promise<void>((resolve) => void worker.once('exit', () => resolve()));
      await ask({ do: 'close' }).catch(() => undefined);
      worker.ref();
      await ended;
    },
  };
}
