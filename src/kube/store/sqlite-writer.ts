/**
 * A handle on the writer thread: starts it, asks it, and notices when it dies.
 *
 * Every question is a promise; a thread that stops on its own fails all open ones, for it is not known whether
 * their writes were made.
 */
import { Worker } from 'node:worker_threads';
import type { StatusError } from '#base/status-error.ts';
import type { Committed, Write } from './sqlite-engine.ts';
import type { FileOptions } from './sqlite-file.ts';
import {
  type Answer,
  errorOf,
  type Opened,
  type PackedListing,
  packWrites,
  type Request,
  unpackListing,
} from './sqlite-protocol.ts';
import type { Entry, Listing, Page, Revision } from './store.ts';
import { unavailable } from './store-error.ts';
import type { Replay } from './watchers.ts';

export interface SqliteWriter {
  readonly opened: Opened;
  commit(writes: readonly Write[]): Promise<Committed>;
  get(key: string, at: Revision | undefined): Promise<Entry | undefined>;
  list(prefix: string, page: Page): Promise<Listing>;
  replay(prefix: string, from: Revision, limit: number): Promise<Replay>;
  compact(before: Revision): Promise<Revision>;
  sweep(): Promise<boolean>;
  snapshot(file: string): Promise<void>;
  /** Closes the file and waits for the thread to end. */
  close(): Promise<void>;
}

/** Starts the thread and waits until it has the file open; `died` is called if it later ends by itself. */
export async function sqliteWriter(options: FileOptions, died: (why: StatusError) => void): Promise<SqliteWriter> {
  const { file, durability, maxBytes } = options;
  const workerData: FileOptions = { file, durability, ...(maxBytes ? { maxBytes } : {}) };
  const worker = new Worker(new URL('./sqlite-worker.ts', import.meta.url), { workerData, execArgv: [] });
  const open: PromiseWithResolvers<unknown>[] = [];
  const exited = Promise.withResolvers<void>();
  let over: StatusError | undefined;
  let opened: Opened | undefined;

  worker.on('message', (answer: Answer) => {
    const asked = open.shift();
    if ('result' in answer) asked?.resolve(answer.result);
    else asked?.reject(errorOf(answer.refusal));
  });
  worker.on('error', (error) => end(unavailable(`store file ${file}: its writer thread failed`, error)));
  worker.on('exit', () => {
    end(unavailable(`store file ${file}: its writer thread has ended`));
    exited.resolve();
  });

  function end(why: StatusError): void {
    if (over) return;
    over = why;
    for (const asked of open.splice(0)) asked.reject(why);
    if (opened) died(why);
  }

  function answer<T>(): Promise<T> {
    const asked = Promise.withResolvers<T>();
    open.push(asked as PromiseWithResolvers<unknown>);
    return asked.promise;
  }

  function ask<T>(request: Request, transfer: readonly ArrayBuffer[] = []): Promise<T> {
    if (over) return Promise.reject(over);
    worker.postMessage(request, transfer);
    return answer<T>();
  }

  opened = await answer<Opened>();
  return {
    opened,
    commit(writes) {
      const packed = packWrites(writes);
      return ask({ do: 'commit', writes: packed }, [packed.values.bytes.buffer]);
    },
    get: (key, at) => ask({ do: 'get', key, at }),
    list: async (prefix, page) => unpackListing(await ask<PackedListing>({ do: 'list', prefix, page })),
    replay: (prefix, from, limit) => ask({ do: 'replay', prefix, from, limit }),
    compact: (before) => ask({ do: 'compact', before }),
    sweep: () => ask({ do: 'sweep' }),
    snapshot: (file_) => ask({ do: 'snapshot', file: file_ }),
    async close() {
      if (!over) await ask({ do: 'close' });
      await exited.promise;
    },
  };
}
