/** `table`: lists, joined, extended, shortened and sorted. */
import {
  isLess,
  isTruthy,
  type LuaTable,
  type LuaValue,
  NOTHING,
  type Run,
  stringOf,
  typeName,
} from '../language/index.ts';
import type { Arguments, Library } from './arguments.ts';

export const TABLE: Library = {
  concat: (args, run) => concat(args, run),
  getn: (args) => args.table(1).length(),
  insert(args, run) {
    const table = args.table(1);
    if (args.count === 1) throw run.error('wrong number of arguments');
    if (args.count === 2) append(table, args.get(2), run);
    else insertAt(table, args.integer(2), args.get(3), run);
    return NOTHING;
  },
  maxn: (args) => args.table(1).length(),
  remove(args, run) {
    const table = args.table(1);
    return removeAt(table, args.count === 1 ? -1 : args.integer(2), run);
  },
  sort(args, run) {
    sort(args.table(1), args.get(2) === undefined ? undefined : args.func(2), run);
    return NOTHING;
  },
};

function append(table: LuaTable, value: LuaValue, run: Run): void {
  // As gopher-lua: nil is not appended.
  if (value !== undefined) table.set(table.length() + 1, value, run);
}

function insertAt(table: LuaTable, position: number, value: LuaValue, run: Run): void {
  const { list } = table;
  if (position < 1 || position > list.length) return table.set(position, value, run);
  run.step(undefined, 1 + list.length / 64);
  run.charge(8);
  list.splice(position - 1, 0, value);
}

/** A position before the first takes the last; one behind the end takes nothing. */
function removeAt(table: LuaTable, position: number, run: Run): LuaValue {
  const { list } = table;
  if (position > list.length) return undefined;
  if (position < 1 || position === list.length) return list.pop();
  run.step(undefined, 1 + list.length / 64);
  return list.splice(position - 1, 1)[0];
}

function concat(args: Arguments, run: Run): string {
  const table = args.table(1);
  const length = table.length();
  const separator = args.string(2, '');
  const from = args.integer(3, 1);
  if (args.count === 3 && (from > length || from < 1)) return '';
  const to = Math.min(args.integer(4, length), length);
  const parts: string[] = [];
  for (let index = Math.max(from, 1); index <= to; index++) parts.push(part(table, index, run));
  run.charge(parts.reduce((sum, { length: bytes }) => sum + bytes + separator.length, 0));
  return run.made(parts.join(separator));
}

function part(table: LuaTable, index: number, run: Run): string {
  run.step();
  const value = table.get(index);
  const text = stringOf(value);
  if (text !== undefined) return text;
  throw run.error(`invalid value (${typeName(value)}) at index ${index} in table for concat`);
}

/** In place, and whatever the comparison answers: one that contradicts itself gives some order, never a loop. */
function sort(
  table: LuaTable,
  isBefore: ((run: Run, args: readonly LuaValue[]) => readonly LuaValue[]) | undefined,
  run: Run,
) {
  const before = (a: LuaValue, b: LuaValue) => {
    run.step();
    return isBefore ? isTruthy(isBefore(run, [a, b])[0]) : isLess(a, b, run);
  };
  const length = table.length();
  const sorted = Array.from({ length }, (_, index) => ({ value: table.list[index] }));
  run.charge(length * 16);
  // Wrapped, since JavaScript would move nils to the end without asking.
  sorted.sort((a, b) => (before(a.value, b.value) ? -1 : before(b.value, a.value) ? 1 : 0));
  for (const [index, { value }] of sorted.entries()) table.list[index] = value;
}
