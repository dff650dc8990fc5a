/** Lists: those of Kubernetes (`sum`, `isSorted`, …), those of cel-go (`sort`, `distinct`, …), and sets. */
import { CelError } from '../cel-error.ts';
import { global, member, type Overload, T, type Typed } from '../function.ts';
import { type CelList, type CelValue, equal, isTagged, items, list, NONE, some } from '../value.ts';
import { compareValues } from './compare.ts';

function indexOf(all: CelList, item: CelValue): bigint {
  for (let index = 0; index < all.size; index++) if (equal(all.at(index), item)) return BigInt(index);
  return -1n;
}

function lastIndexOf(all: CelList, item: CelValue): bigint {
  for (let index = all.size - 1; index >= 0; index--) if (equal(all.at(index), item)) return BigInt(index);
  return -1n;
}

function isSorted(all: CelList): boolean {
  for (let index = 1; index < all.size; index++) if (compareValues(all.at(index - 1), all.at(index)) > 0) return false;
  return true;
}

function extreme(all: CelList, sign: 1 | -1, name: string): CelValue {
  if (all.size === 0) throw new CelError(`${name} called on empty list`);
  return items(all).reduce((best, item) => (compareValues(item, best) * sign > 0 ? item : best));
}

const COMPARABLE: readonly Typed<CelValue>[] = [
  T.int,
  T.uint,
  T.double,
  T.bool,
  T.duration,
  T.timestamp,
  T.string,
  T.bytes,
] as readonly Typed<CelValue>[];

const ORDERED: readonly Overload[] = COMPARABLE.flatMap((type) => [
  member('isSorted', [T.list(type)], T.bool, isSorted),
  member('min', [T.list(type)], type, (all) => extreme(all, -1, 'min')),
  member('max', [T.list(type)], type, (all) => extreme(all, 1, 'max')),
  member('sort', [T.list(type)], T.list(type), (all) => list(items(all).sort(compareValues))),
]);

function sum<V extends CelValue>(type: Typed<V>, zero: V, add: (a: V, b: V) => V): Overload {
  return member('sum', [T.list(type)], type, (all) => (items(all) as V[]).reduce(add, zero));
}

const SUMS: readonly Overload[] = [
  sum(T.int, 0n, (a, b) => a + b),
  sum(T.uint, { cel: 'uint', value: 0n }, (a, b) => ({ cel: 'uint', value: a.value + b.value })),
  sum(T.double, 0, (a, b) => a + b),
  sum(T.duration, { cel: 'duration', nanos: 0n }, (a, b) => ({ cel: 'duration', nanos: a.nanos + b.nanos })),
];

function distinct(all: CelList): CelList {
  const found: CelValue[] = [];
  for (const item of items(all)) if (!found.some((other) => equal(other, item))) found.push(item);
  return list(found);
}

function flatten(all: CelList, depth: bigint): CelList {
  if (depth < 0n) throw new CelError('level must be non-negative');
  const inner = items(all).flatMap((item) =>
    isTagged(item, 'list') && depth > 0n ? items(flatten(item, depth - 1n)) : [item],
  );
  return list(inner);
}

function slice(all: CelList, start: bigint, end: bigint): CelList {
  if (start < 0n || end < 0n) throw new CelError(`cannot slice(${start}, ${end}), negative indexes not supported`);
  if (start > end)
    throw new CelError(`cannot slice(${start}, ${end}), start index must be less than or equal to end index`);
  if (end > BigInt(all.size)) throw new CelError(`cannot slice(${start}, ${end}), list is length ${all.size}`);
  return list(items(all).slice(Number(start), Number(end)));
}

/** More would only fill memory. */
const LONGEST_RANGE = 1_000_000n;

function range(size: bigint): CelList {
  if (size > LONGEST_RANGE) throw new CelError(`range too large: ${size}`);
  return list(Array.from({ length: Number(size) }, (_, index) => BigInt(index)));
}

function contains(all: CelList, part: CelList): boolean {
  return items(part).every((item) => indexOf(all, item) >= 0n);
}

export const LISTS: readonly Overload[] = [
  ...ORDERED,
  ...SUMS,
  member('indexOf', [T.list(T.A), T.A], T.int, indexOf),
  member('lastIndexOf', [T.list(T.A), T.A], T.int, lastIndexOf),
  member('distinct', [T.list(T.A)], T.list(T.A), distinct),
  member('reverse', [T.list(T.A)], T.list(T.A), (all) => list(items(all).reverse())),
  member('flatten', [T.list(T.list(T.A))], T.list(T.A), (all) => flatten(all, 1n)),
  member('flatten', [T.list(T.dyn), T.int], T.list(T.dyn), flatten),
  member('slice', [T.list(T.A), T.int, T.int], T.list(T.A), slice),
  member('first', [T.list(T.A)], T.optional(T.A), (all) => (all.size === 0 ? NONE : some(all.at(0)))),
  member('last', [T.list(T.A)], T.optional(T.A), (all) => (all.size === 0 ? NONE : some(all.at(all.size - 1)))),
  global('lists.range', [T.int], T.list(T.int), range),
  global('sets.contains', [T.list(T.A), T.list(T.A)], T.bool, contains),
  global('sets.equivalent', [T.list(T.A), T.list(T.A)], T.bool, (a, b) => contains(a, b) && contains(b, a)),
  global('sets.intersects', [T.list(T.A), T.list(T.A)], T.bool, (a, b) =>
    items(a).some((item) => indexOf(b, item) >= 0n),
  ),
];
