/** Values that may be absent: `self.?field.orValue('none')`. */
import { CelError } from '../cel-error.ts';
import { global, member, type Overload, T } from '../function.ts';
import { type CelValue, isTagged, NONE, some } from '../value.ts';

/** Empty, zero, false or null. */
function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === 0 || value === 0n || value === '') return true;
  if (value instanceof Uint8Array) return value.length === 0;
  if (isTagged(value, 'list') || isTagged(value, 'map')) return value.size === 0;
  if (isTagged(value, 'uint')) return value.value === 0n;
  if (isTagged(value, 'duration')) return value.nanos === 0n;
  return isTagged(value, 'object') && value.fields().every((field) => value.get(field) === undefined);
}

export const OPTIONALS: readonly Overload[] = [
  global('optional.of', [T.A], T.optional(T.A), some),
  global('optional.ofNonZeroValue', [T.A], T.optional(T.A), (value) => (isZero(value) ? NONE : some(value))),
  global('optional.none', [], T.optional(T.A), () => NONE),
  member('hasValue', [T.optional(T.A)], T.bool, ({ value }) => value !== undefined),
  member('value', [T.optional(T.A)], T.A, ({ value }) => {
    if (value === undefined) throw new CelError('optional.none() dereference');
    return value;
  }),
  member('or', [T.optional(T.A), T.optional(T.A)], T.optional(T.A), (one, other) =>
    one.value === undefined ? other : one,
  ),
  member('orValue', [T.optional(T.A), T.A], T.A, ({ value }, other) => value ?? other),
];
