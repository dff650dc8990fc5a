/**
 * A terminal as the kernel of a container would keep one: what is typed is echoed and edited until the line is done,
 * Ctrl-C interrupts, Ctrl-D ends the input; what is printed gets its carriage returns.
 */
import { type Readable, Transform, type Writable } from 'node:stream';
import type { Input } from './io.ts';

export interface Terminal extends Input {
  readonly output: Writable;
  /** Called at Ctrl-C; the line being typed is gone then. */
  onInterrupt(action: () => void): void;
}

const CTRL_C = 0x03;
const CTRL_D = 0x04;
const BACKSPACE = new Set([0x08, 0x7f]);
const ESCAPE = 0x1b;
/** What is typed ahead of a program that does not read; more is lost, as on any terminal. */
const LONGEST_LINE = 4_096;
const MOST_LINES = 256;

export function terminal(keyboard: Readable | undefined, screen: Writable): Terminal {
  const output = new Transform({
    transform: (chunk: Buffer, _encoding, done) =>
      done(null, Buffer.from(chunk.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1')),
  });
  output.pipe(screen);
  /** Whole lines, and undefined for each end of input. */
  const ready: (Buffer | undefined)[] = [];
  let line: number[] = [];
  let over = false;
  let wake = () => {};
  let interrupt = () => {};
  let escaping = false;

  const echo = (text: string) => screen.writable && screen.write(text);
  const deliver = (item: Buffer | undefined) => {
    if (ready.length < MOST_LINES) ready.push(item);
    wake();
  };

  function press(key: number): void {
    if (escaping) {
      // Arrows and the like mean nothing here: they end with a letter.
      escaping = !/[A-Za-z~]/.test(String.fromCharCode(key));
    } else if (key === ESCAPE) {
      escaping = true;
    } else if (key === 0x0d || key === 0x0a) {
      echo('\r\n');
      deliver(Buffer.from([...line, 0x0a]));
      line = [];
    } else if (key === CTRL_C) {
      echo('^C\r\n');
      line = [];
      interrupt();
    } else if (key === CTRL_D) {
      if (line.length === 0) deliver(undefined);
    } else if (BACKSPACE.has(key)) {
      if (line.pop() !== undefined) echo('\b \b');
    } else if ((key >= 0x20 || key === 0x09) && line.length < LONGEST_LINE) {
      line.push(key);
      screen.write(Buffer.from([key]));
    }
  }

  keyboard?.on('data', (chunk: Buffer) => chunk.forEach(press));
  const hangUp = () => {
    over = true;
    wake();
  };
  keyboard?.on('end', hangUp);
  keyboard?.on('close', hangUp);

  return {
    output,
    onInterrupt: (action) => void (interrupt = action),
    async next() {
      while (ready.length === 0) {
        if (over || !keyboard) return undefined;
        await new Promise<void>((resolve) => (wake = resolve));
      }
      return ready.shift();
    },
  };
}
