/** One other thread that runs scripts; started when first needed, and again when it has broken down. */
import { Worker } from 'node:worker_threads';
import type { Clock } from '#base/clock.ts';
import { type Limits, LuaError, LuaLimitError } from './language/index.ts';
import type { CallResults, ScriptCall } from './run-script.ts';
import type { WorkerAnswer, WorkerRequest } from './script-worker.ts';

export interface WorkerThread {
  call(call: ScriptCall, print: (line: string) => void): Promise<CallResults>;
  /** How many calls it has not answered yet. */
  readonly pending: number;
  close(): void;
}

/** A script ends itself at its limit; a thread that is silent for this much longer is not coming back. */
const GRACE_MS = 5_000;
/** The second line of defence, behind the limit that every script counts for itself. */
const HEAP_MB = 256;

interface Waiting {
  readonly print: (line: string) => void;
  readonly resolve: (values: CallResults) => void;
  readonly reject: (error: Error) => void;
}

export function workerThread({ limits, clock }: { readonly limits: Limits; readonly clock: Clock }): WorkerThread {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let calls = 0;
  let cancelWatchdog = () => {};

  function start(): Worker {
    const started = new Worker(new URL('script-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    started.on('message', (answer: WorkerAnswer) => settle(answer));
    // Out of memory, or a mistake of ours: what it was asked is lost, what it will be asked is not.
    started.on('error', (error) => {
      const why = error instanceof Error ? error.message : String(error);
      breakDown(started, 'memory', `the script broke the thread it ran on: ${why}`);
    });
    // Nobody waits for a script when the program wants to end.
    started.unref();
    worker = started;
    return started;
  }

  function settle(answer: WorkerAnswer): void {
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    watch();
    for (const line of answer.printed) asked?.print(line);
    if ('values' in answer) asked?.resolve(answer.values);
    else asked?.reject(revived(answer.error));
  }

  function breakDown(broken: Worker, limit: LuaLimitError['limit'], why: string): void {
    if (worker !== broken) return;
    worker = undefined;
    cancelWatchdog();
    void broken.terminate();
    const lost = [...waiting.values()];
    waiting.clear();
    for (const { reject } of lost) reject(new LuaLimitError(limit, why, undefined));
  }

  /** From each answer on, the next must come in time. */
  function watch(): void {
    cancelWatchdog();
    const watched = worker;
    if (!watched || waiting.size === 0) return;
    cancelWatchdog = clock.after(limits.timeMs + GRACE_MS, () => breakDown(watched, 'time', 'the script does not end'));
  }

  return {
    get pending() {
      return waiting.size;
    },
    call(call, print) {
      const target = worker ?? start();
      const id = ++calls;
      const { promise, resolve, reject } = Promise.withResolvers<CallResults>();
      waiting.set(id, { print, resolve, reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      target.postMessage({ id, call, limits } satisfies WorkerRequest);
      if (waiting.size === 1) watch();
      return promise;
    },
    close() {
      if (worker) breakDown(worker, 'time', 'the interpreter was closed');
    },
  };
}

function revived({ message, line, limit }: Extract<WorkerAnswer, { error: unknown }>['error']): Error {
  if (limit === 'time' || limit === 'memory' || limit === 'output') return new LuaLimitError(limit, message, line);
  return new LuaError(message, message, line);
}
