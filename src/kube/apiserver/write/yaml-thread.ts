/** A handle on the thread that reads YAML: one text after the other, each within its time, or the thread is ended. */
import { Worker } from 'node:worker_threads';
import { systemClock } from '#base/clock.ts';
import { badRequest, StatusError } from '#base/status-error.ts';
import type { YamlAnswer } from './yaml-worker.ts';

/** Memory in which any honest body can be read, in megabytes. */
const HEAP_MB = 256;
const MOST_WAITING = 32;

let thread: Worker | undefined;
let waiting = 0;
let turn: Promise<unknown> = Promise.resolve();

/** The first document of a text as JSON; undefined when there is none. */
export async function readYaml(text: string, timeoutMs: number): Promise<string | undefined> {
  if (waiting >= MOST_WAITING) {
    throw new StatusError('TooManyRequests', 'too many YAML bodies are waiting to be read', {
      details: { retryAfterSeconds: 1 },
    });
  }
  waiting += 1;
  const reading = turn.then(() => ask((thread ??= start()), text, timeoutMs));
  turn = reading.catch(() => undefined);
  try {
    const answer = await reading;
    if ('error' in answer) throw badRequest(`error converting YAML to JSON: yaml: ${answer.error}`);
    return answer.json;
  } finally {
    waiting -= 1;
  }
}

function start(): Worker {
  const worker = new Worker(new URL('./yaml-worker.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  // Waiting for YAML is no reason for a process to go on.
  worker.unref();
  // Whoever waits for an answer hears of a failure; nobody else has to.
  worker.on('error', () => undefined);
  return worker;
}

function ask(worker: Worker, text: string, timeoutMs: number): Promise<YamlAnswer> {
  return new Promise((resolve) => {
    const done = (answer: YamlAnswer) => {
      cancel();
      worker.off('message', done).off('error', failed);
      resolve(answer);
    };
    const giveUp = (error: string) => {
      thread = undefined;
      void worker.terminate();
      done({ error });
    };
    const cancel = systemClock.after(timeoutMs, () => giveUp('the document takes too long to read'));
    const failed = () => giveUp('the document takes too much memory to read');
    worker.on('message', done).on('error', failed);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage(text);
  });
}
