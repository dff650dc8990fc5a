/** The basic functions, less those that load code or reach behind tables: these say so when they are called. */
import {
  isTruthy,
  LuaError,
  LuaTable,
  type LuaFunction,
  type LuaValue,
  NOTHING,
  type Run,
  stringOf,
  typeName,
} from '../language/index.ts';
import { type Arguments, functionOf, type Library } from './arguments.ts';

/** As karmada v1.18 pkg/resourceinterpreter/customized/declarative/luavm. */
const REFUSED = [
  'collectgarbage',
  'dofile',
  'getfenv',
  'getmetatable',
  'load',
  'loadfile',
  'loadstring',
  'rawequal',
  'rawget',
  'rawset',
  'setfenv',
  'setmetatable',
  'module',
  'newproxy',
] as const;

const refused: Library = Object.fromEntries(
  REFUSED.map((name) => [
    name,
    (_args, run) => {
      throw run.error(`call function ${name} is not supported in karmada customized resourceinterpreter.`);
    },
  ]),
);

export const BASE: Library = {
  ...refused,
  assert(args, run) {
    if (isTruthy(args.present(1))) return args.all;
    throw run.error(args.string(2, 'assertion failed!'));
  },
  error(args, run) {
    const level = args.integer(2, 1);
    throw run.thrown(args.present(1), level === 0 ? undefined : run.lineAt(level));
  },
  ipairs: (args) => [nextItem, args.table(1), 0],
  next(args, run) {
    run.step();
    return args.table(1).next(args.get(2), run) ?? [undefined];
  },
  pairs: (args) => [eachOf(args.table(1)), args.get(1), undefined],
  pcall: (args, run) => protectedCall(run, args.present(1), args.all.slice(1), (error) => [errorValue(error)]),
  print(args, run) {
    run.world.print(run.made(args.all.map((value) => tostring(value, run)).join('\t')));
    return NOTHING;
  },
  select: (args) => select(args),
  tonumber: (args) => tonumber(args),
  tostring: (args, run) => tostring(args.present(1), run),
  type: (args) => typeName(args.present(1)),
  unpack: (args, run) => unpack(args, run),
  xpcall(args, run) {
    const handler = args.func(2);
    return protectedCall(run, args.func(1), [], (error) => handler(run, [errorValue(error)]));
  },
};

const nextItem: LuaFunction = functionOf('ipairs', (args) => {
  const index = args.integer(2) + 1;
  const item = args.table(1).list[index - 1];
  return item === undefined ? NOTHING : [index, item];
});

/** Keeps its own place, so that going through a table takes as long as the table. */
function eachOf(table: LuaTable): LuaFunction {
  const entries = table.entries();
  return () => {
    const { value, done } = entries.next();
    return done ? NOTHING : value;
  };
}

function protectedCall(
  run: Run,
  callee: LuaValue,
  args: readonly LuaValue[],
  recover: (error: LuaError) => readonly LuaValue[],
): readonly LuaValue[] {
  const { depth, line } = run;
  try {
    if (typeof callee !== 'function') throw run.error(`attempt to call a ${typeName(callee)} value`);
    return [true, ...callee(run, args)];
  } catch (error) {
    const caught = error instanceof RangeError ? run.error('stack overflow') : error;
    if (!(caught instanceof LuaError)) throw error;
    run.unwind(depth);
    run.line = line;
    return [false, ...recover(caught)];
  }
}

function errorValue({ value }: LuaError): LuaValue {
  return value;
}

function select(args: Arguments): readonly LuaValue[] {
  if (args.get(1) === '#') return [args.count - 1];
  const from = args.integer(1);
  if (from === 0 || from < 1 - args.count) throw args.wrong(1, 'index out of range');
  return args.all.slice(from > 0 ? from : args.count + from);
}

/** Without a base, a number is a run of digits, or has a point: `1e3` is none here, as in gopher-lua. */
function tonumber(args: Arguments): LuaValue {
  const value = args.present(1);
  if (typeof value !== 'string') return typeof value === 'number' ? value : undefined;
  const text = value.replaceAll(/^[ \n\t]+|[ \n\t]+$/g, '');
  if (text.includes('.')) return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) : undefined;
  const hexadecimal = args.get(2) === undefined && /^0x/i.test(text);
  return wholeNumber(hexadecimal ? text.slice(2) : text, hexadecimal ? 16 : args.integer(2, 10));
}

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';

function wholeNumber(text: string, base: number): number | undefined {
  const [, sign = '', digits = ''] = /^([+-]?)([0-9a-z]+)$/i.exec(text) ?? [];
  if (digits === '') return undefined;
  let number = 0;
  for (const digit of digits.toLowerCase()) {
    const value = DIGITS.indexOf(digit);
    if (value >= base) return undefined;
    number = number * base + value;
  }
  // As gopher-lua: what no 64-bit integer holds is no number.
  if (number >= 2 ** 63) return undefined;
  return sign === '-' ? -number : number;
}

export function tostring(value: LuaValue, run: Run): string {
  const string = stringOf(value);
  if (string !== undefined) return string;
  if (value === undefined) return 'nil';
  if (typeof value === 'boolean') return String(value);
  return `${typeName(value)}: ${run.addressOf(value)}`;
}

function unpack(args: Arguments, run: Run): readonly LuaValue[] {
  const table = args.table(1);
  const from = args.integer(2, 1);
  const to = args.integer(3, table.length());
  run.charge(Math.max(0, to - from + 1) * 8);
  const values: LuaValue[] = [];
  for (let index = from; index <= to; index++) values.push(table.get(index));
  return values;
}
