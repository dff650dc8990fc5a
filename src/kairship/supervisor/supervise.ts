/**
 * Keeps one program running as a child process: starts it, learns when it is ready, starts it again when it dies.
 *
 * The two sides share an IPC channel. The child says `{ ready: … }` once it serves; when the channel closes, because
 * the parent stopped or was killed, the child ends by itself (see `cmd/program.ts`), so no orphan ever holds a port or a
 * store. The parent may ask it to do something (`{ ask, … }`) and gets one answer. A program that keeps dying is restarted more and more slowly, never given up.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { type Clock, sleep } from '#base/clock.ts';
import type { Log } from '#base/log.ts';

const FIRST_RESTART_MS = 100;
const SLOWEST_RESTART_MS = 10_000;
/** A child that ran this long before it died is restarted at once again. */
const HEALTHY_MS = 30_000;
/** How long a child may take to stop before it is killed. */
const STOP_MS = 10_000;

export interface Program {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Where its output goes. */
  readonly logFile: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Supervised {
  readonly name: string;
  /** What the child said the first time it was ready; rejects when it was stopped before that. */
  readonly ready: Promise<unknown>;
  /** The running child's process id. */
  pid(): number | undefined;
  /** Asks the running child to do something, and waits until it has. */
  ask(what: string, details: Readonly<Record<string, string>>): Promise<void>;
  /** Resolves when the child has ended and will not be started again. */
  readonly stopped: Promise<void>;
}

export interface SuperviseOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Called each time the child (re)starts serving, with what it said. */
  readonly onReady?: (said: unknown) => void;
  /** Called each time the child ended by itself, before it is started again. */
  readonly onEnd?: (how: string) => void;
}

export function supervise(program: Program, { clock, log, signal, onReady, onEnd }: SuperviseOptions): Supervised {
  const { promise: ready, resolve: isReady, reject: neverReady } = Promise.withResolvers<unknown>();
  // Who does not wait for readiness must not be punished for a stop before it.
  ready.catch(() => undefined);
  let child: ChildProcess | undefined;
  let asked = 0;

  async function run(): Promise<void> {
    let pause = FIRST_RESTART_MS;
    while (!signal.aborted) {
      const started = clock.now();
      const how = await once();
      if (signal.aborted) break;
      pause = clock.now() - started > HEALTHY_MS ? FIRST_RESTART_MS : Math.min(pause * 2, SLOWEST_RESTART_MS);
      log.warn(`${program.name} ended, starting it again`, { how, inMs: pause });
      onEnd?.(how);
      await sleep(clock, pause, signal).catch(() => undefined);
    }
    neverReady(new Error(`${program.name} was stopped before it was ready`));
  }

  /** One life of the child, from start to end; answers how it ended. */
  function once(): Promise<string> {
    const output = openSync(program.logFile, 'a', 0o600);
    const process_ = spawn(program.command, program.args, {
      stdio: ['ignore', output, output, 'ipc'],
      env: { ...process.env, ...program.env },
    });
    closeSync(output);
    child = process_;
    process_.on('message', (message: unknown) => {
      if (typeof message !== 'object' || message === null || !('ready' in message)) return;
      isReady(message.ready);
      onReady?.(message.ready);
    });
    let cancelKill: (() => void) | undefined;
    const stop = () => {
      process_.kill('SIGTERM');
      cancelKill = clock.after(STOP_MS, () => process_.kill('SIGKILL'));
    };
    signal.addEventListener('abort', stop, { once: true });
    return new Promise((resolve) => {
      const over = (how: string) => {
        signal.removeEventListener('abort', stop);
        // A timer left behind would keep the whole program alive for its time.
        cancelKill?.();
        child = undefined;
        resolve(how);
      };
      process_.on('error', (error) => over(error.message));
      process_.on('exit', (code, killedBy) => over(killedBy === null ? `exit code ${code}` : `signal ${killedBy}`));
    });
  }

  function ask(what: string, details: Readonly<Record<string, string>>): Promise<void> {
    const answering = child;
    const id = (asked += 1);
    return new Promise((resolve, reject) => {
      const gone = () => reject(new Error(`${program.name} does not run, or ended before it answered`));
      if (!answering?.connected) return gone();
      const hear = (message: unknown) => {
        if (!isAnswer(message) || message.answered !== id) return;
        answering.off('message', hear);
        answering.off('exit', gone);
        if (message.trouble === undefined) resolve();
        else reject(new Error(message.trouble));
      };
      answering.on('message', hear);
      answering.once('exit', gone);
      answering.send({ ask: what, id, ...details });
    });
  }

  return { name: program.name, ready, pid: () => child?.pid, ask, stopped: run() };
}

/** What a child says when it has done what it was asked to, or could not. */
function isAnswer(message: unknown): message is { readonly answered: number; readonly trouble?: string } {
  return typeof message === 'object' && message !== null && 'answered' in message;
}
