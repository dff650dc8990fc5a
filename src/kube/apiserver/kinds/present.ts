import { isObject } from '#base/json.ts';

/**
 * The value without members that are null: Go writes some empty fields so, and rules need not know the difference.
 * Parts without nulls are shared with the original.
 */
export function presentOnly<T>(value: T): T {
  return strip(value) as T;
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.some((item) => strip(item) !== item) ? value.map(strip) : value;
  if (!isObject(value)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const key in value) {
    // The server's own, without nulls, and of many objects the larger part.
    if (key === 'managedFields') continue;
    const member = value[key];
    const present = strip(member);
    if (present === member && member !== null) continue;
    copy ??= { ...value };
    if (present === null) delete copy[key];
    else copy[key] = present;
  }
  return copy ?? value;
}
