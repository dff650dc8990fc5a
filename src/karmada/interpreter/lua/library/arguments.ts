/** How functions of the libraries read their arguments, and complain about them. */
import {
  type LuaError,
  type LuaFunction,
  LuaTable,
  type LuaValue,
  numberOf,
  type Run,
  stringOf,
  typeName,
} from '../language/index.ts';

export interface Arguments {
  readonly count: number;
  readonly all: readonly LuaValue[];
  /** Counted from 1, as in messages. */
  get(position: number): LuaValue;
  table(position: number): LuaTable;
  number(position: number): number;
  integer(position: number, otherwise?: number): number;
  string(position: number, otherwise?: string): string;
  func(position: number): LuaFunction;
  /** Anything, but it must be there. */
  present(position: number): LuaValue;
  wrong(position: number, problem: string): LuaError;
}

export function argumentsOf(run: Run, name: string, all: readonly LuaValue[]): Arguments {
  const get = (position: number) => all[position - 1];
  const wrong = (position: number, problem: string) => run.error(`bad argument #${position} to ${name} (${problem})`);
  const expected = (position: number, type: string) =>
    wrong(position, `${type} expected, got ${position > all.length ? 'no value' : typeName(get(position))}`);

  function number(position: number): number {
    const found = numberOf(get(position));
    if (found === undefined) throw expected(position, 'number');
    return found;
  }

  return {
    count: all.length,
    all,
    get,
    wrong,
    number,
    table(position) {
      const found = get(position);
      if (found instanceof LuaTable) return found;
      throw expected(position, 'table');
    },
    integer(position, otherwise) {
      if (otherwise !== undefined && get(position) === undefined) return otherwise;
      return Math.trunc(number(position));
    },
    string(position, otherwise) {
      if (otherwise !== undefined && get(position) === undefined) return otherwise;
      const found = stringOf(get(position));
      if (found === undefined) throw expected(position, 'string');
      return found;
    },
    func(position) {
      const found = get(position);
      if (typeof found === 'function') return found;
      throw expected(position, 'function');
    },
    present(position) {
      if (position > all.length) throw wrong(position, 'value expected');
      return get(position);
    },
  };
}

/** One function of a library; it may return one value or a list of them. */
export type Builtin = (args: Arguments, run: Run) => LuaValue | readonly LuaValue[];

export type Library = Readonly<Record<string, Builtin>>;

/** Functions under their names, ready to be fields of a table. */
export function functionsOf(library: Library): readonly (readonly [name: string, value: LuaFunction])[] {
  return Object.entries(library).map(([name, builtin]) => [name, functionOf(name, builtin)]);
}

export function functionOf(name: string, builtin: Builtin): LuaFunction {
  return (run, all) => {
    const result = builtin(argumentsOf(run, name, all), run);
    return Array.isArray(result) ? result : [result as LuaValue];
  };
}
