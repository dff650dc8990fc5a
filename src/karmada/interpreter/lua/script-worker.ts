/** The other thread: runs the calls it is sent, one after the other, and sends back what came of each. */
import { parentPort } from 'node:worker_threads';
import { isScriptError, type Limits, REAL_WORLD, type ScriptError } from './language/index.ts';
import { type CallResults, runScript, type ScriptCall } from './run-script.ts';

export interface WorkerRequest {
  readonly id: number;
  readonly call: ScriptCall;
  readonly limits: Limits;
}

export type WorkerAnswer = { readonly id: number; readonly printed: readonly string[] } & (
  | { readonly values: CallResults }
  /** Errors lose their class on the way between threads; what they say does not. */
  | { readonly error: Pick<ScriptError, 'name' | 'message' | 'line'> & { readonly limit?: string } }
);

parentPort?.on('message', ({ id, call, limits }: WorkerRequest) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(answer(id, call, limits));
});

function answer(id: number, call: ScriptCall, limits: Limits): WorkerAnswer {
  const printed: string[] = [];
  try {
    return { id, printed, values: runScript(call, limits, { ...REAL_WORLD, print: (line) => printed.push(line) }) };
  } catch (error) {
    if (!isScriptError(error)) throw error;
    const { name, message, line } = error;
    return { id, printed, error: { name, message, line, ...('limit' in error ? { limit: error.limit } : {}) } };
  }
}
