/** Questions to a person at a terminal. Without one nothing is asked: the command says which flag answers instead. */
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { Writable } from 'node:stream';
import { usageFailure } from './failure.ts';

const isInteractive = () => process.stdin.isTTY && process.stderr.isTTY;

/** A line of text. `flag` is what would have answered it. */
export async function ask(question: string, flag: string): Promise<string> {
  requireTerminal(question, flag);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question(question)).trim();
  } finally {
    lines.close();
  }
}

/** A line of text that is not shown while it is typed. */
export async function askHidden(question: string, flag: string): Promise<string> {
  requireTerminal(question, flag);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  // Asked only now: what is typed before the terminal has been silenced would be shown.
  process.stderr.write(question);
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

/** Yes or no; `--yes` is yes. */
export async function confirm(question: string, yes: boolean | undefined): Promise<boolean> {
  if (yes === true) return true;
  return /^y(es)?$/i.test(await ask(`${question} [y/N] `, '--yes'));
}

export async function fromStdin(): Promise<string> {
  return (await text(process.stdin)).trim();
}

function requireTerminal(question: string, flag: string): void {
  if (isInteractive()) return;
  throw usageFailure(
    `cannot ask: ${question.trim().replace(/:$/, '')}`,
    'there is no terminal to ask at',
    `say it with ${flag}`,
  );
}
