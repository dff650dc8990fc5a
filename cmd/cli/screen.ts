/**
 * What people see besides data: on stderr, so that stdout stays clean, and lively only on a terminal.
 *
 * A {@link Progress} is a few lines that change: on a terminal they are rewritten in place, elsewhere each change is
 * appended once. Colours follow `NO_COLOR` and `FORCE_COLOR`, by picocolors, which looks at stdout.
 */
import pc from 'picocolors';
import { displayWidth } from './table.ts';

export interface Screen {
  readonly isTerminal: boolean;
  readonly columns?: number;
  write(text: string): void;
}

export const errorScreen: Screen = {
  get isTerminal() {
    return process.stderr.isTTY;
  },
  get columns() {
    // A terminal that does not know its size says 0.
    return process.stderr.columns || 80;
  },
  write: (text) => void process.stderr.write(text),
};

/** One line for people. */
export function note(text: string, screen: Screen = errorScreen): void {
  screen.write(`${text}\n`);
}

export function warn(text: string): void {
  note(`${pc.yellow('Warning:')} ${text}`);
}

export interface Progress {
  /** The line of `key`, which appears when it is first set. */
  set(key: string, text: string): void;
  /** Leaves the lines as they are; `undefined` takes them away on a terminal. */
  end(keep?: boolean): void;
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;

export function progress(screen: Screen = errorScreen): Progress {
  const lines = new Map<string, string>();
  let drawn = 0;

  function erase(): void {
    if (drawn > 0) screen.write(`\u001b[${drawn}A\u001b[0J`);
    drawn = 0;
  }

  function draw(): void {
    erase();
    for (const text of lines.values()) screen.write(`${fit(text, screen.columns)}\n`);
    drawn = lines.size;
  }

  return {
    set(key, text) {
      if (lines.get(key) === text) return;
      lines.set(key, text);
      if (screen.isTerminal) draw();
      else screen.write(`${text}\n`);
    },
    end(keep = true) {
      if (screen.isTerminal && !keep) erase();
      lines.clear();
      drawn = 0;
    },
  };
}

/** Cut, or a line that wraps would count as two when it is rewritten. */
function fit(text: string, columns = 80): string {
  if (displayWidth(text) < columns) return text;
  let cut = '';
  let width = 0;
  // oxlint-disable-next-line no-control-regex -- colour codes are control characters
  for (const part of text.split(/(\u001b\[[\d;]*m)/)) {
    if (part.startsWith('\u001b')) cut += part;
    else
      for (const char of part) {
        width += displayWidth(char);
        if (width >= columns - 1) return `${cut}…\u001b[0m`;
        cut += char;
      }
  }
  return cut;
}

/** A word on what is waited for, shown only once it takes longer than a moment, and taken away at the end. */
export async function waiting<T>(text: string, work: Promise<T>, screen: Screen = errorScreen): Promise<T> {
  if (!screen.isTerminal) return work;
  const lines = progress(screen);
  let frame = 0;
  const timer = setInterval(
    () => lines.set('it', `${pc.cyan(FRAMES[frame++ % FRAMES.length] ?? '')} ${text}`),
    FRAME_MS,
  );
  try {
    return await work;
  } finally {
    clearInterval(timer);
    lines.end(false);
  }
}
