/**
 * A line that somebody typed, as the words of one command. Pure.
 *
 * Quotes and backslashes keep words together as in any shell; nothing else of a shell is there. What would be a second
 * command, a file or a variable is refused, so that nobody believes it was done.
 */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { badRequest } from '#base/status-error.ts';

const OF_SHELLS = '|&;<>`$(){}\n';

export function wordsOf(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] as string;
    if (quote !== '') {
      if (char === quote) quote = '';
      else word += char === '\\' && quote === '"' ? (line[(at += 1)] ?? '') : char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (char === ' ' || char === '\t') {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (OF_SHELLS.includes(char)) {
      throw badRequest(`"${char}" means nothing here: this is no shell, one command is run and nothing else`);
    } else {
      word = (word ?? '') + (char === '\\' ? (line[(at += 1)] ?? '') : char);
    }
  }
  if (quote !== '') throw badRequest(`a ${quote} is not closed`);
  return word === undefined ? words : [...words, word];
}

export interface Options {
  readonly words: readonly string[];
  text(name: string): string | undefined;
  flag(name: string): boolean;
}

const KNOWN = {
  namespace: { type: 'string', short: 'n' },
  'all-namespaces': { type: 'boolean', short: 'A' },
  selector: { type: 'string', short: 'l' },
  output: { type: 'string', short: 'o' },
  cluster: { type: 'string', short: 'C' },
  filename: { type: 'string', short: 'f' },
  container: { type: 'string', short: 'c' },
  tail: { type: 'string' },
  replicas: { type: 'string' },
} as const satisfies NonNullable<ParseArgsConfig['options']>;

/** What was said beside the words of a command. */
export function optionsOf(args: readonly string[]): Options {
  try {
    // `-f -` is how input is meant, and no option.
    const { values, positionals } = parseArgs({
      args: [...args],
      options: KNOWN,
      allowPositionals: true,
      strict: true,
    });
    const found: Readonly<Record<string, string | boolean | undefined>> = values;
    return {
      words: positionals,
      text: (name) => (typeof found[name] === 'string' ? found[name] : undefined),
      flag: (name) => found[name] === true,
    };
  } catch (error) {
    throw badRequest(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
  }
}
