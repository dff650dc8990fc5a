/**
 * What every long-running program here does around its work: logs on stderr, stops cleanly on SIGTERM or Ctrl-C, tells a supervising parent when it serves, and ends when that parent is gone.
 */
import { jsonLog, LEVELS, type Level, type Log, textLog } from '#base/log.ts';

export interface Program {
  readonly log: Log;
  /** Aborts when the program is to stop. */
  readonly signal: AbortSignal;
  /** Tells a supervising parent, if there is one, that the program serves now. */
  ready(said: object): void;
  /** Does what a supervising parent asks for under this name. */
  answers(what: string, act: (details: Readonly<Record<string, string>>) => Promise<void>): void;
  /** Whether a person started it, rather than a supervisor. */
  readonly alone: boolean;
}

/** How a program says what it does; the environment's `KAIRSHIP_LOG` says it for all of them. */
export interface LogOptions {
  readonly logFormat?: 'json' | 'text';
  readonly logLevel?: Level;
}

/** A supervisor waits as long before it kills. */
const STOP_MS = 10_000;

/** Runs `main` until it is told to stop, then until it has cleaned up; a failure ends the process with code 1. */
export async function runProgram(
  name: string,
  main: (program: Program) => Promise<() => Promise<void>>,
  { logFormat = 'json', logLevel }: LogOptions = {},
): Promise<void> {
  const stop = new AbortController();
  const alone = process.send === undefined;
  const makeLog = logFormat === 'text' ? textLog : jsonLog;
  const level = logLevel ?? levelFromEnvironment(alone);
  const log = makeLog((line) => process.stderr.write(line), level, { program: name });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort(new Error(signal)));
  process.on('disconnect', () => stop.abort(new Error('the supervisor is gone')));
  // Whatever it is waiting for, a program that was told to stop does not outlive its patience.
  stop.signal.addEventListener('abort', () => setTimeout(() => process.exit(1), STOP_MS).unref(), { once: true });

  const cleanUp = await main({
    log,
    signal: stop.signal,
    alone,
    ready: (said) => void process.send?.({ ready: said }),
    answers,
  });
  if (!stop.signal.aborted)
    await new Promise((resolve) => stop.signal.addEventListener('abort', resolve, { once: true }));
  await cleanUp();
  process.exit(0);
}

function answers(what: string, act: (details: Readonly<Record<string, string>>) => Promise<void>): void {
  process.on('message', (message: Readonly<Record<string, string>> & { readonly id?: string }) => {
    if (message['ask'] !== what) return;
    const answered = (trouble?: string) =>
      void process.send?.({ answered: message.id, ...(trouble ? { trouble } : {}) });
    act(message).then(
      () => answered(),
      (error: unknown) => answered(error instanceof Error ? error.message : String(error)),
    );
  });
}

function levelFromEnvironment(alone: boolean): Level {
  const asked = process.env['KAIRSHIP_LOG'];
  return LEVELS.find((level) => level === asked) ?? (alone ? 'warn' : 'info');
}
