/** Arguments written out in the expression are checked when it is compiled: a pattern that is none is no surprise later. */
import { goRegExpProblem } from '../go-regexp.ts';
import { parseGoTime } from '../go-time.ts';
import type { Expression } from './ast.ts';
import { CelError, type Issue } from './cel-error.ts';
import { parseDuration } from './duration.ts';
import { clausesOf } from './library/format-text.ts';

/** `at` is where the call is. */
export function literalProblem(at: number, name: string, args: readonly Expression[]): Issue | undefined {
  if (name === 'format') return formatProblem(at, args);
  const argument = args[name === 'matches' ? 1 : 0];
  if (argument?.kind !== 'literal' || typeof argument.value !== 'string') return undefined;
  const check = Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined;
  return check && !check(argument.value) ? { at: argument.at, message: `invalid ${name} argument` } : undefined;
}

const CHECKS: Readonly<Record<string, (text: string) => boolean>> = {
  matches: (text) => goRegExpProblem(text) === undefined,
  duration: (text) => parseDuration(text) !== undefined,
  timestamp: (text) => typeof parseGoTime(text) !== 'string',
};

/** As many arguments as there are clauses, each of a type its clause can print. */
function formatProblem(at: number, [format, list]: readonly Expression[]): Issue | undefined {
  if (format?.kind !== 'literal' || typeof format.value !== 'string' || list?.kind !== 'list') return undefined;
  try {
    const clauses = clausesOf(format.value);
    if (clauses.length > list.items.length) return { at, message: `index ${list.items.length} out of range` };
    if (clauses.length < list.items.length) {
      const counts = `(expected ${clauses.length}, got ${list.items.length})`;
      return { at, message: `too many arguments supplied to string.format ${counts}` };
    }
    return clauses.map((print, index) => literalClause(print, list.items[index]?.value)).find((issue) => issue);
  } catch (error) {
    if (error instanceof CelError) return { at, message: error.message };
    throw error;
  }
}

function literalClause(print: (value: never) => string, argument: Expression | undefined): Issue | undefined {
  if (argument?.kind !== 'literal') return undefined;
  try {
    print(argument.value as never);
    return undefined;
  } catch (error) {
    if (error instanceof CelError) return { at: argument.at, message: error.message };
    throw error;
  }
}
