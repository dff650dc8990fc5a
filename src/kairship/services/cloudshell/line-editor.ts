/**
 * Lines as somebody types them at a terminal: edited, remembered and completed until they are done.
 *
 * Editing is Node's; what is decided here is what the keys of a job mean where there are no jobs. Ctrl-C gives up what is
 * typed or runs, Ctrl-D ends the input, Ctrl-Z does nothing (it would hold this process still). What is typed ahead
 * waits, up to a limit.
 */
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

export type Completer = (line: string) => [readonly string[], string];

export interface LineEditor {
  /** The next line, or undefined at Ctrl-D and when nobody is there any more. */
  line(prompt: string): Promise<string | undefined>;
  /** Lines up to Ctrl-D, none of them remembered; undefined when it was given up with Ctrl-C. */
  lines(prompt: string): Promise<string | undefined>;
  /** For as long as something runs: what Ctrl-C does to it. */
  onInterrupt(action: (() => void) | undefined): void;
  close(): void;
}

export const TYPING_LIMITS = {
  history: 200,
  linesAhead: 500,
  lineCharacters: 8_192,
  inputCharacters: 1 << 20,
} as const;

type Typed = { readonly text: string } | 'interrupted' | 'ended';

export function lineEditor(keys: Readable, screen: Writable, completer: Completer): LineEditor {
  const ready: Typed[] = [];
  let past: string[] = [];
  let asking: 'line' | 'lines' | undefined;
  let isOver = false;
  let wake = () => {};
  let interrupt: (() => void) | undefined;
  let typing = open();

  function open(): Interface {
    const made = createInterface({
      input: keys,
      output: screen,
      terminal: true,
      completer: (line: string) => completer(line) as [string[], string],
      historySize: TYPING_LIMITS.history,
      history: [...past],
      removeHistoryDuplicates: true,
    });
    made.on('line', (text) => deliver({ text }));
    made.on('history', (all: string[]) => {
      if (asking === 'lines') all.shift();
      past = [...all];
    });
    made.on('SIGINT', () => {
      screen.write('^C\r\n');
      again();
      if (interrupt) interrupt();
      else deliver('interrupted');
    });
    // A connection that breaks is the end of the input, and no failure of ours.
    made.on('error', close);
    // Without a listener Node would stop the process it runs in.
    made.on('SIGTSTP', () => undefined);
    made.on('close', () => {
      if (made !== typing || isOver) return;
      again();
      deliver('ended');
    });
    return made;
  }

  /** Another interface in the place of this: what is typed so far is forgotten, what comes is not. */
  function again(): void {
    const before = typing;
    typing = open();
    before.close();
    // Whoever closes an interface stops its input.
    keys.resume();
  }

  function deliver(typed: Typed): void {
    if (ready.length < TYPING_LIMITS.linesAhead) ready.push(typed);
    wake();
  }

  async function next(): Promise<Typed> {
    while (ready.length === 0) {
      if (isOver) return 'ended';
      await new Promise<void>((resolve) => (wake = resolve));
    }
    return ready.shift() ?? 'ended';
  }

  function close(): void {
    if (isOver) return;
    isOver = true;
    typing.close();
    wake();
  }

  keys.on('keypress', () => {
    if (typing.line.length <= TYPING_LIMITS.lineCharacters) return;
    screen.write('\r\nthe line is too long\r\n');
    again();
    deliver('interrupted');
  });
  keys.on('close', close);

  const prompt = (text: string) => {
    typing.setPrompt(text);
    typing.prompt();
  };

  async function asked<T>(what: 'line' | 'lines', answer: () => Promise<T>): Promise<T> {
    asking = what;
    try {
      return await answer();
    } finally {
      asking = undefined;
    }
  }

  return {
    line: (text) =>
      asked('line', async () => {
        for (;;) {
          prompt(text);
          const typed = await next();
          if (typed === 'ended') return undefined;
          if (typed !== 'interrupted') return typed.text;
        }
      }),
    lines: (text) =>
      asked('lines', async () => {
        let all = '';
        for (;;) {
          prompt(text);
          const typed = await next();
          if (typed === 'ended') return all;
          if (typed === 'interrupted' || all.length > TYPING_LIMITS.inputCharacters) return undefined;
          all += `${typed.text}\n`;
        }
      }),
    onInterrupt: (action) => void (interrupt = action),
    close,
  };
}
