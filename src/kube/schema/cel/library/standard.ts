/** The functions every CEL has: arithmetic, equality, membership, sizes and conversions. */
import { goRegExp, goRegExpProblem } from '../../go-regexp.ts';
import { CelError } from '../cel-error.ts';
import { formatSeconds } from '../duration.ts';
import { global, member, type Overload, T, type Typed } from '../function.ts';
import {
  type CelList,
  type CelValue,
  equal,
  isTagged,
  items,
  keyText,
  list,
  NONE,
  some,
  typeNameOf,
  type UnsignedInt,
} from '../value.ts';
import { formatDouble } from './number-text.ts';
import { formatTime, parseDurationValue, parseTimeValue } from './time.ts';

const MIN_INT = -(2n ** 63n);
const MAX_INT = 2n ** 63n - 1n;
const MAX_UINT = 2n ** 64n - 1n;

function int(value: bigint): bigint {
  if (value < MIN_INT || value > MAX_INT) throw new CelError('integer overflow');
  return value;
}

function uint(value: bigint): UnsignedInt {
  if (value < 0n || value > MAX_UINT) throw new CelError('unsigned integer overflow');
  return { cel: 'uint', value };
}

function nonZero(value: bigint, what: string): bigint {
  if (value === 0n) throw new CelError(`${what} by zero`);
  return value;
}

function joinBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  return new Uint8Array(Buffer.concat([a, b]));
}

/** Lists that are sets or maps in Kubernetes stay it: what both have is there once, as the right one has it. */
function concatenated(a: CelList, b: CelList): CelList {
  const { identity } = a;
  if (!identity) return list([...items(a), ...items(b)]);
  const members = new Map([...items(a), ...items(b)].map((item) => [identity(item), item]));
  return { ...list([...members.values()]), identity };
}

const ARITHMETIC: readonly Overload[] = [
  global('_+_', [T.int, T.int], T.int, (a, b) => int(a + b)),
  global('_+_', [T.uint, T.uint], T.uint, (a, b) => uint(a.value + b.value)),
  global('_+_', [T.double, T.double], T.double, (a, b) => a + b),
  global('_+_', [T.string, T.string], T.string, (a, b) => a + b),
  global('_+_', [T.bytes, T.bytes], T.bytes, joinBytes),
  global('_+_', [T.list(T.A), T.list(T.A)], T.list(T.A), concatenated),
  global('_+_', [T.duration, T.duration], T.duration, (a, b) => ({ cel: 'duration', nanos: a.nanos + b.nanos })),
  global('_+_', [T.timestamp, T.duration], T.timestamp, (a, b) => ({ cel: 'timestamp', nanos: a.nanos + b.nanos })),
  global('_+_', [T.duration, T.timestamp], T.timestamp, (a, b) => ({ cel: 'timestamp', nanos: a.nanos + b.nanos })),
  global('_-_', [T.int, T.int], T.int, (a, b) => int(a - b)),
  global('_-_', [T.uint, T.uint], T.uint, (a, b) => uint(a.value - b.value)),
  global('_-_', [T.double, T.double], T.double, (a, b) => a - b),
  global('_-_', [T.duration, T.duration], T.duration, (a, b) => ({ cel: 'duration', nanos: a.nanos - b.nanos })),
  global('_-_', [T.timestamp, T.duration], T.timestamp, (a, b) => ({ cel: 'timestamp', nanos: a.nanos - b.nanos })),
  global('_-_', [T.timestamp, T.timestamp], T.duration, (a, b) => ({ cel: 'duration', nanos: a.nanos - b.nanos })),
  global('_*_', [T.int, T.int], T.int, (a, b) => int(a * b)),
  global('_*_', [T.uint, T.uint], T.uint, (a, b) => uint(a.value * b.value)),
  global('_*_', [T.double, T.double], T.double, (a, b) => a * b),
  global('_/_', [T.int, T.int], T.int, (a, b) => int(a / nonZero(b, 'division'))),
  global('_/_', [T.uint, T.uint], T.uint, (a, b) => uint(a.value / nonZero(b.value, 'division'))),
  global('_/_', [T.double, T.double], T.double, (a, b) => a / b),
  global('_%_', [T.int, T.int], T.int, (a, b) => a % nonZero(b, 'modulus')),
  global('_%_', [T.uint, T.uint], T.uint, (a, b) => uint(a.value % nonZero(b.value, 'modulus'))),
  global('-_', [T.int], T.int, (a) => int(-a)),
  global('-_', [T.double], T.double, (a) => -a),
  global('!_', [T.bool], T.bool, (a) => !a),
];

const EQUALITY: readonly Overload[] = [
  global('_==_', [T.A, T.A], T.bool, equal),
  global('_!=_', [T.A, T.A], T.bool, (a, b) => !equal(a, b)),
  global('@in', [T.A, T.list(T.A)], T.bool, (item, all) => {
    for (let index = 0; index < all.size; index++) if (equal(all.at(index), item)) return true;
    return false;
  }),
  global('@in', [T.A, T.map(T.A, T.B)], T.bool, (key, all) => all.get(key) !== undefined),
];

function position(index: CelValue): number {
  if (typeof index === 'bigint') return Number(index);
  if (isTagged(index, 'uint')) return Number(index.value);
  if (typeof index === 'number' && Number.isInteger(index)) return index;
  throw new CelError('unsupported index value in list');
}

function keyShown(key: CelValue): string {
  return typeof key === 'string' ? key : keyText(key).slice(1);
}

const INDEXING: readonly Overload[] = [
  global('_[_]', [T.list(T.A), T.int], T.A, (all, index) => {
    const at = position(index);
    if (at < 0 || at >= all.size) throw new CelError(`index out of bounds: ${at}`);
    return all.at(at);
  }),
  global('_[_]', [T.map(T.A, T.B), T.A], T.B, (all, key) => {
    const found = all.get(key);
    if (found === undefined) throw new CelError(`no such key: ${keyShown(key)}`);
    return found;
  }),
  global('_[?_]', [T.list(T.A), T.int], T.optional(T.A), (all, index) => {
    const at = position(index);
    return at < 0 || at >= all.size ? NONE : some(all.at(at));
  }),
  global('_[?_]', [T.map(T.A, T.B), T.A], T.optional(T.B), (all, key) => {
    const found = all.get(key);
    return found === undefined ? NONE : some(found);
  }),
];

function runes(text: string): bigint {
  let count = 0n;
  for (const _ of text) count++;
  return count;
}

const SIZES: readonly Overload[] = [global, member].flatMap((form) => [
  form('size', [T.string], T.int, runes),
  form('size', [T.bytes], T.int, (bytes) => BigInt(bytes.length)),
  form('size', [T.list(T.A)], T.int, (all) => BigInt(all.size)),
  form('size', [T.map(T.A, T.B)], T.int, (all) => BigInt(all.size)),
]);

/** Throws with Go's words when the pattern is none. */
export function regExp(pattern: string): RegExp {
  const problem = goRegExpProblem(pattern);
  if (problem !== undefined) throw new CelError(problem);
  return goRegExp(pattern);
}

const TEXT: readonly Overload[] = [
  member('contains', [T.string, T.string], T.bool, (text, part) => text.includes(part)),
  member('startsWith', [T.string, T.string], T.bool, (text, part) => text.startsWith(part)),
  member('endsWith', [T.string, T.string], T.bool, (text, part) => text.endsWith(part)),
  ...[global, member].map((form) =>
    form('matches', [T.string, T.string], T.bool, (text, pattern) => regExp(pattern).test(text)),
  ),
];

function intOfDouble(value: number): bigint {
  if (!Number.isFinite(value) || Math.abs(value) >= 2 ** 63) throw new CelError('integer overflow');
  return BigInt(Math.trunc(value));
}

/** Go's own words for why a text is no number are not told. */
function conversionError(to: string): CelError {
  return new CelError(`type conversion error from 'string' to '${to}'`);
}

function parseInteger(text: string, to: 'int' | 'uint'): bigint {
  if (!/^[+-]?\d+$/.test(text)) throw conversionError(to);
  const value = BigInt(text);
  const [min, max] = to === 'int' ? [MIN_INT, MAX_INT] : [0n, MAX_UINT];
  if (value < min || value > max) throw conversionError(to);
  return value;
}

function parseDouble(text: string): number {
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (special) return special[2]?.toLowerCase() === 'nan' ? Number.NaN : special[1] === '-' ? -Infinity : Infinity;
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) throw conversionError('double');
  return Number(text);
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CelError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

const TRUE = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const FALSE = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

function parseBool(text: string): boolean {
  if (TRUE.has(text)) return true;
  if (FALSE.has(text)) return false;
  throw conversionError('bool');
}

/** A conversion of a type into itself. */
function itself<V extends CelValue>(name: string, type: Typed<V>): Overload {
  return global(name, [type as Typed<CelValue>], type as Typed<CelValue>, (value) => value);
}

const CONVERSIONS: readonly Overload[] = [
  itself('bool', T.bool),
  global('bool', [T.string], T.bool, parseBool),
  itself('int', T.int),
  global('int', [T.uint], T.int, (value) => int(value.value)),
  global('int', [T.double], T.int, intOfDouble),
  global('int', [T.string], T.int, (text) => parseInteger(text, 'int')),
  global('int', [T.timestamp], T.int, ({ nanos }) => nanos / 1_000_000_000n),
  global('int', [T.duration], T.int, ({ nanos }) => nanos),
  itself('uint', T.uint),
  global('uint', [T.int], T.uint, uint),
  global('uint', [T.double], T.uint, (value) => uint(intOfDouble(value))),
  global('uint', [T.string], T.uint, (text) => uint(parseInteger(text, 'uint'))),
  itself('double', T.double),
  global('double', [T.int], T.double, Number),
  global('double', [T.uint], T.double, ({ value }) => Number(value)),
  global('double', [T.string], T.double, parseDouble),
  itself('string', T.string),
  global('string', [T.bool], T.string, String),
  global('string', [T.int], T.string, String),
  global('string', [T.uint], T.string, ({ value }) => String(value)),
  global('string', [T.double], T.string, formatDouble),
  global('string', [T.bytes], T.string, decodeUtf8),
  global('string', [T.timestamp], T.string, formatTime),
  global('string', [T.duration], T.string, ({ nanos }) => formatSeconds(nanos)),
  itself('bytes', T.bytes),
  global('bytes', [T.string], T.bytes, (text) => new Uint8Array(Buffer.from(text))),
  itself('duration', T.duration),
  global('duration', [T.int], T.duration, (nanos) => ({ cel: 'duration', nanos })),
  global('duration', [T.string], T.duration, parseDurationValue),
  itself('timestamp', T.timestamp),
  global('timestamp', [T.int], T.timestamp, (seconds) => ({ cel: 'timestamp', nanos: seconds * 1_000_000_000n })),
  global('timestamp', [T.string], T.timestamp, parseTimeValue),
  global('dyn', [T.A], T.dyn, (value) => value),
  global('type', [T.A], T.type, (value) => ({ cel: 'type', name: typeNameOf(value) })),
];

export const STANDARD: readonly Overload[] = [
  ...ARITHMETIC,
  ...EQUALITY,
  ...INDEXING,
  ...SIZES,
  ...TEXT,
  ...CONVERSIONS,
];
