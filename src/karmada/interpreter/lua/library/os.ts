/** `os`, of which scripts get the time and nothing else. Local time is UTC wherever the program runs. */
import { LuaTable, type LuaValue, type Run } from '../language/index.ts';
import type { Arguments, Library } from './arguments.ts';

export const OS: Library = {
  time: (args, run) => (args.count === 0 ? Math.floor(run.world.date() / 1_000) : timeOf(args.table(1))),
  date: (args, run) => date(args, run),
};

function timeOf(table: LuaTable): number {
  const field = (name: string, otherwise: number) => {
    const value = table.field(name);
    return typeof value === 'number' ? Math.trunc(value) : otherwise;
  };
  const day = [field('year', -1), field('month', -1) - 1, field('day', -1)] as const;
  return Date.UTC(...day, field('hour', 12), field('min', 0), field('sec', 0)) / 1_000;
}

function date(args: Arguments, run: Run): LuaValue {
  const form = args.string(1, '%c').replace(/^!+/, '');
  const at = new Date(args.count >= 2 ? args.integer(2) * 1_000 : run.world.date());
  if (form.startsWith('*t')) return fieldsOf(at, run);
  return run.made(form.replaceAll(/%(.)/g, (whole, letter: string) => PARTS[letter]?.(at) ?? whole));
}

function fieldsOf(at: Date, run: Run): LuaTable {
  const fields = {
    year: at.getUTCFullYear(),
    month: at.getUTCMonth() + 1,
    day: at.getUTCDate(),
    hour: at.getUTCHours(),
    min: at.getUTCMinutes(),
    sec: at.getUTCSeconds(),
    wday: at.getUTCDay() + 1,
    yday: 0,
    isdst: false,
  };
  const table = new LuaTable();
  for (const [name, value] of Object.entries(fields)) table.set(name, value, run);
  return table;
}

const two = (value: number) => String(value).padStart(2, '0');
const named = (at: Date, options: Intl.DateTimeFormatOptions) =>
  at.toLocaleDateString('en-US', { ...options, timeZone: 'UTC' });
const iso = (from: number, to: number) => (at: Date) => at.toISOString().slice(from, to);
const hour12 = (at: Date) => two(at.getUTCHours() % 12 || 12);

const PARTS: Readonly<Record<string, (at: Date) => string>> = {
  '%': () => '%',
  a: (at) => named(at, { weekday: 'short' }),
  A: (at) => named(at, { weekday: 'long' }),
  b: (at) => named(at, { month: 'short' }),
  B: (at) => named(at, { month: 'long' }),
  c: (at) => `${two(at.getUTCDate())} ${named(at, { month: 'short' })} ${iso(2, 4)(at)} ${iso(11, 16)(at)} UTC`,
  d: iso(8, 10),
  F: iso(0, 10),
  H: iso(11, 13),
  I: hour12,
  m: iso(5, 7),
  M: iso(14, 16),
  p: (at) => (at.getUTCHours() < 12 ? 'AM' : 'PM'),
  P: (at) => (at.getUTCHours() < 12 ? 'am' : 'pm'),
  S: iso(17, 19),
  w: (at) => String(at.getUTCDay()),
  x: (at) => `${iso(5, 7)(at)}/${iso(8, 10)(at)}/${iso(2, 4)(at)}`,
  X: iso(11, 19),
  y: iso(2, 4),
  Y: iso(0, 4),
  z: () => '+0000',
  Z: () => 'UTC',
};
