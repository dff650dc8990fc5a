/** Order: what `<` and its kin, sorting, minima and maxima mean. */
import { CelError } from '../cel-error.ts';
import { global, type Overload, T } from '../function.ts';
import { type CelValue, isTagged } from '../value.ts';

/** Negative, zero or positive. Numbers of different types are compared by what they are worth. */
export function compareValues(a: CelValue, b: CelValue): number {
  const left = sortable(a);
  const right = sortable(b);
  if (typeof left === 'string' || typeof right === 'string') {
    if (typeof left !== 'string' || typeof right !== 'string') throw new CelError('no such overload');
    return compareText(left, right);
  }
  return left < right ? -1 : left > right ? 1 : 0;
}

function sortable(value: CelValue): bigint | number | string {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  if (isTagged(value, 'uint')) return value.value;
  if (isTagged(value, 'timestamp') || isTagged(value, 'duration')) return value.nanos;
  throw new CelError('no such overload');
}

/** Go compares bytes, which for UTF-8 is by code point; JavaScript compares UTF-16 units. */
function compareText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

const NUMBERS = [T.int, T.uint, T.double] as const;
const ORDERED = [T.bool, T.string, T.bytes, T.timestamp, T.duration] as const;

export const COMPARISONS: readonly Overload[] = [
  ['_<_', (order: number) => order < 0],
  ['_<=_', (order: number) => order <= 0],
  ['_>_', (order: number) => order > 0],
  ['_>=_', (order: number) => order >= 0],
].flatMap(([name, holds]) => {
  const compare = (a: CelValue, b: CelValue) => {
    // Nothing is less, greater or equal to what is not a number.
    if (Number.isNaN(a) || Number.isNaN(b)) return false;
    return (holds as (order: number) => boolean)(compareValues(a, b));
  };
  return [
    ...NUMBERS.flatMap((left) => NUMBERS.map((right) => global(name as string, [left, right], T.bool, compare))),
    ...ORDERED.map((type) => global(name as string, [type, type], T.bool, compare)),
  ];
});
