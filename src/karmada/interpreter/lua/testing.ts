/** Scripts run as tests run them: with the clock standing still and the output kept. */
import {
  compile,
  DEFAULT_LIMITS,
  type Limits,
  LuaTable,
  type LuaValue,
  Run,
  stringOf,
  typeName,
  type World,
} from './language/index.ts';
import { globals } from './library/globals.ts';

export const STILL: World = {
  now: () => 0,
  date: () => Date.UTC(2026, 0, 2, 15, 4, 5),
  random: () => 0.5,
  print: () => undefined,
};

/** What the top level of a script returns, tables as `{…}`. */
export function evaluate(script: string, limits: Partial<Limits> = {}, world: Partial<World> = {}): readonly unknown[] {
  const run = new Run(globals(), { ...DEFAULT_LIMITS, ...limits }, { ...STILL, ...world });
  return compile(script)(run)(run, []).map(shown);
}

/** Lists as lists, other tables as objects. */
function shown(value: LuaValue): unknown {
  if (!(value instanceof LuaTable)) return value;
  const entries = [...value.entries()];
  if (entries.every(([key], index) => key === index + 1)) return entries.map(([, item]) => shown(item));
  return Object.fromEntries(entries.map(([key, item]) => [stringOf(key) ?? typeName(key), shown(item)]));
}
