/**
 * Somebody at a terminal: a greeting, a prompt, what each line says, until `exit`, Ctrl-D, or too long a silence.
 *
 * What commands print comes from clusters, and may be anybody's: of its control characters only the ends of lines and
 * tabs are passed on, so that no object can play tricks with the terminal of who looks at it.
 */
import { once } from 'node:events';
import { PassThrough, Transform } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '#base/clock.ts';
import type { CommandSession } from '#kube/streams/index.ts';
import { optionsOf, wordsOf } from './command-line.ts';
import { COMMANDS } from './commands.ts';
import { lineEditor } from './line-editor.ts';
import type { Said } from './run-line.ts';

export interface TerminalOptions {
  readonly instance: string;
  readonly idleMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Runs one line: what it says, and its exit code at the end. Throws when no more lines may be run. */
  readonly run: (line: string, input: string, signal: AbortSignal) => AsyncIterable<Said>;
  /** Somebody is there. */
  readonly onActivity: () => void;
}

/** Keys that are looked at in one turn: whoever pastes a book keeps nobody waiting. */
const KEYS_A_TURN = 4_096;
const LEAVING = new Set(['exit', 'logout', 'quit']);
/** As shells have it. */
const INTERRUPTED = 130;
const CLEAR = '\u001b[2J\u001b[H';
const RED = (text: string) => `\u001b[31m${text}\u001b[39m`;

export function terminalSession(options: TerminalOptions): CommandSession {
  const { instance, clock, signal } = options;
  const screen = Object.assign(new PassThrough(), { columns: 80, rows: 24 });
  const keyboard = inPieces();
  const editor = lineEditor(keyboard, screen, completion);
  const idle = idleTimer(clock, options.idleMs, () => {
    void say(`\n${RED(`the shell has ended after ${options.idleMs / 1000} s of silence`)}\n`);
    editor.close();
  });
  keyboard.on('data', () => {
    idle.touch();
    options.onActivity();
  });
  signal.addEventListener('abort', () => editor.close(), { once: true });

  async function say(text: string): Promise<void> {
    if (screen.destroyed || screen.write(text.replaceAll(/\r?\n/g, '\r\n')) || signal.aborted) return;
    await once(screen, 'drain', { signal }).catch(() => undefined);
  }

  async function run(line: string): Promise<number> {
    const input = readsInput(line) ? await manifests() : '';
    if (input === undefined) return 1;
    const given = new AbortController();
    editor.onInterrupt(() => given.abort());
    try {
      return await told(options.run(line, input, AbortSignal.any([signal, given.signal])), given.signal);
    } finally {
      editor.onInterrupt(undefined);
    }
  }

  /** Prints what a command says until it ends or is given up; its exit code. */
  async function told(said: AsyncIterable<Said>, given: AbortSignal): Promise<number> {
    for await (const { output = '', isError = false, ended, exitCode = 0 } of said) {
      if (given.aborted) return INTERRUPTED;
      if (output !== '') await say(isError ? RED(printable(output)) : printable(output));
      if (ended) return exitCode;
      idle.touch();
    }
    return 0;
  }

  async function manifests(): Promise<string | undefined> {
    await say('type or paste manifests, and end with Ctrl-D on a line of its own\n');
    const typed = await editor.lines('> ');
    await say('\n');
    return typed;
  }

  async function serve(): Promise<number> {
    let code = 0;
    await say(`Connected to instance ${instance}, with your own rights. Try: help, kubectl get clusters, exit\n`);
    for (;;) {
      const line = (await editor.line(`${instance}> `))?.trim();
      if (line === undefined || LEAVING.has(line)) return code;
      if (line === 'clear') await say(CLEAR);
      else if (line !== '') code = await run(line);
    }
  }

  const exit = serve().finally(() => {
    idle.stop();
    editor.close();
    screen.end();
  });
  return {
    stdin: keyboard,
    stdout: screen,
    resize({ width, height }) {
      Object.assign(screen, { columns: Math.max(width, 1), rows: Math.max(height, 1) });
      screen.emit('resize');
    },
    exit,
  };
}

/** `-f -`: what follows is for the command. */
function readsInput(line: string): boolean {
  try {
    return optionsOf(wordsOf(line).slice(2)).text('filename') === '-';
  } catch {
    return false;
  }
}

/** The programs, and what each can do. */
export function completion(line: string): [readonly string[], string] {
  const [program = '', verb, more] = line.trimStart().split(/\s+/);
  if (more !== undefined) return [[], ''];
  const matching = (words: readonly string[], start: string) =>
    words.filter((word) => word.startsWith(start)).map((word) => `${word} `);
  if (verb === undefined) return [matching([...Object.keys(COMMANDS), 'help', 'exit', 'clear'], program), program];
  return [matching(Object.keys(Object.hasOwn(COMMANDS, program) ? (COMMANDS[program] ?? {}) : {}), verb), verb];
}

/** Without what a terminal would obey. */
export function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, '').replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '');
}

function inPieces(): Transform {
  return new Transform({
    async transform(chunk: Buffer, _encoding, done) {
      for (let at = 0; at < chunk.length; at += KEYS_A_TURN) {
        this.push(chunk.subarray(at, at + KEYS_A_TURN));
        await turn();
      }
      done();
    },
  });
}

/** One timer, however often it is touched. */
function idleTimer(clock: Clock, idleMs: number, onIdle: () => void) {
  let touched = clock.now();
  let stop = clock.after(idleMs, ring);
  function ring(): void {
    const left = touched + idleMs - clock.now();
    if (left <= 0) onIdle();
    else stop = clock.after(left, ring);
  }
  return { touch: () => void (touched = clock.now()), stop: () => stop() };
}
