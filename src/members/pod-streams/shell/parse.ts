/**
 * The part of the shell's language that simulated containers understand: words with quotes and variables, pipes, and
 * lists of them joined by `;`, `&&` and `||`. Everything else is a syntax error that names what was found.
 */
export type Part =
  | { readonly text: string }
  /** A variable; between double quotes its value stays one word. */
  | { readonly variable: string; readonly quoted: boolean };

export type Word = readonly Part[];
export type Command = readonly Word[];

export interface Step {
  /** When it runs: always, or by how the step before it ended. */
  readonly after: ';' | '&&' | '||';
  /** Commands joined by pipes. */
  readonly pipeline: readonly Command[];
}

export class ShellSyntaxError extends Error {
  override readonly name = 'ShellSyntaxError';
}

const unexpected = (found: string) => new ShellSyntaxError(`syntax error: unexpected "${found}"`);

type Token = Word | ';' | '&&' | '||' | '|';
const isWord = (token: Token): token is Word => typeof token !== 'string';

export function parseScript(script: string): Step[] {
  const steps: Step[] = [];
  let after: Step['after'] = ';';
  let pipeline: Word[][] = [[]];
  const finish = (separator: Step['after'] | 'end') => {
    const empty = pipeline.filter((command) => command.length === 0).length;
    if (pipeline.length === 1 && empty === 1 && after === ';' && (separator === 'end' || separator === ';')) return;
    if (empty > 0) throw unexpected(separator === 'end' ? 'end of file' : separator);
    steps.push({ after, pipeline });
    pipeline = [[]];
  };
  for (const token of tokens(script)) {
    if (isWord(token)) pipeline.at(-1)?.push(token);
    else if (token === '|') pipeline.push([]);
    else {
      finish(token);
      after = token;
    }
  }
  // A separator may end a script; `&&` and `||` may not.
  finish('end');
  return steps;
}

function tokens(script: string): Token[] {
  const found: Token[] = [];
  let word: Part[] | undefined;
  let at = 0;
  const add = (part: Part) => (word ??= []).push(part);
  const endWord = () => {
    if (word) found.push(word);
    word = undefined;
  };

  while (at < script.length) {
    const rest = script.slice(at);
    const [operator] = /^(?:&&|\|\||\||;|\n)/.exec(rest) ?? [];
    const [space] = /^[ \t\r]+/.exec(rest) ?? [];
    const [comment] = word ? [] : (/^#[^\n]*/.exec(rest) ?? []);
    if (operator !== undefined) {
      endWord();
      found.push(operator === '\n' ? ';' : (operator as Token));
      at += operator.length;
    } else if (space !== undefined || comment !== undefined) {
      endWord();
      at += (space ?? comment ?? '').length;
    } else {
      at += part(rest, add);
    }
  }
  endWord();
  return found;
}

const VARIABLE = /^\$(?:\{([A-Za-z_]\w*|\?)\}|([A-Za-z_]\w*|\?))/;

/** Reads one part of a word from the start of `rest`; answers how many characters it took. */
function part(rest: string, add: (part: Part) => void): number {
  const [plain] = /^[^\s'"\\$|;&<>()`]+/.exec(rest) ?? [];
  if (plain !== undefined) {
    add({ text: plain });
    return plain.length;
  }
  switch (rest[0]) {
    case "'": {
      const end = rest.indexOf("'", 1);
      if (end < 0) throw new ShellSyntaxError('syntax error: unterminated quoted string');
      add({ text: rest.slice(1, end) });
      return end + 1;
    }
    case '"':
      return doubleQuoted(rest, add);
    case '\\':
      add({ text: rest[1] ?? '' });
      return 2;
    case '$':
      return variable(rest, false, add);
    default:
      throw unexpected(rest[0] ?? '');
  }
}

function doubleQuoted(rest: string, add: (part: Part) => void): number {
  // An empty string is a word too.
  add({ text: '' });
  let at = 1;
  while (at < rest.length && rest[at] !== '"') {
    const [text] = /^[^"\\$]+/.exec(rest.slice(at)) ?? [];
    if (text !== undefined) {
      add({ text });
      at += text.length;
    } else if (rest[at] === '\\') {
      const next = rest[at + 1] ?? '';
      add({ text: '"\\$`'.includes(next) ? next : `\\${next}` });
      at += 2;
    } else {
      at += variable(rest.slice(at), true, add);
    }
  }
  if (at >= rest.length) throw new ShellSyntaxError('syntax error: unterminated quoted string');
  return at + 1;
}

function variable(rest: string, quoted: boolean, add: (part: Part) => void): number {
  const [found, braced, plain] = VARIABLE.exec(rest) ?? [];
  if (found !== undefined) {
    add({ variable: braced ?? plain ?? '', quoted });
    return found.length;
  }
  if (rest.startsWith('$(') || rest.startsWith('${')) throw unexpected(rest.slice(0, 2));
  add({ text: '$' });
  return 1;
}

/** The words of a command with the values of their variables; unquoted values are split at spaces. */
export function expandWords(command: Command, value: (variable: string) => string): string[] {
  return command.flatMap((word) => {
    const fields: string[] = [];
    let open = false;
    const append = (text: string) => {
      if (open) fields[fields.length - 1] += text;
      else fields.push(text);
      open = true;
    };
    for (const one of word) {
      if ('text' in one) append(one.text);
      else if (one.quoted) append(value(one.variable));
      else {
        const values = value(one.variable).split(/(\s+)/);
        values.forEach((text, index) => {
          if (index % 2 === 1) open = false;
          else if (text !== '') append(text);
        });
      }
    }
    return fields;
  });
}
