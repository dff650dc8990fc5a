/**
 * Who runs scripts: this thread if they are quick, another if they are not.
 *
 * A script about one object takes microseconds, less than it costs to send the object to another thread. But a script may
 * take a second, and meanwhile nothing else of this process would move. So each call begins here with a few
 * milliseconds; a script that needs more is stopped and begun again on another thread with its whole time. That it was
 * begun twice makes no difference: scripts change nothing. One that is slow again and again is no longer tried here.
 */
import { type Clock, systemClock } from '#base/clock.ts';
import type { CallScript } from './ask-script.ts';
import { DEFAULT_LIMITS, type Limits, LuaLimitError, REAL_WORLD, type World } from './language/index.ts';
import { runScript, type ScriptCall } from './run-script.ts';
import { type WorkerThread, workerThread } from './worker-thread.ts';

export interface ScriptRunner {
  readonly call: CallScript;
  /** Ends the other threads; calls they have not answered fail. */
  close(): void;
}

export interface ScriptRunnerOptions {
  readonly limits?: Limits;
  readonly world?: World;
  readonly clock?: Clock;
  /** For how long a script may hold up this thread. */
  readonly quickMs?: number;
  readonly threads?: number;
}

/** After so many times a script counts as slow. */
const STRIKES = 3;
const REMEMBERED = 500;

export function scriptRunner(options: ScriptRunnerOptions = {}): ScriptRunner {
  const { limits = DEFAULT_LIMITS, world = REAL_WORLD, clock = systemClock, quickMs = 20, threads = 2 } = options;
  const quick: Limits = { ...limits, timeMs: Math.min(quickMs, limits.timeMs) };
  const strikes = new Map<string, number>();
  const workers: WorkerThread[] = [];

  function elsewhere(call: ScriptCall, print: (line: string) => void) {
    let least = workers.toSorted((a, b) => a.pending - b.pending)[0];
    if (!least || (least.pending > 0 && workers.length < threads)) {
      least = workerThread({ limits, clock });
      workers.push(least);
    }
    return least.call(call, print);
  }

  function strike(source: string): void {
    if (strikes.size >= REMEMBERED) strikes.clear();
    strikes.set(source, (strikes.get(source) ?? 0) + 1);
  }

  return {
    call(call, print = world.print) {
      if ((strikes.get(call.source) ?? 0) >= STRIKES) return elsewhere(call, print);
      const lines: string[] = [];
      const hear = () => lines.forEach((line) => print(line));
      try {
        const values = runScript(call, quick, { ...world, print: (line) => lines.push(line) });
        hear();
        return values;
      } catch (error) {
        const ranOutOfTime = error instanceof LuaLimitError && error.limit === 'time';
        if (ranOutOfTime && quick.timeMs !== limits.timeMs) {
          // Begun anew, it will print everything again.
          strike(call.source);
          return elsewhere(call, print);
        }
        hear();
        throw error;
      }
    },
    close() {
      for (const worker of workers) worker.close();
    },
  };
}
