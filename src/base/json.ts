/** What JSON.parse can return. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** The writable form of a readonly type: what a function owns and may still change. */
export type Draft<T> = T extends (infer Item)[] | readonly (infer Item)[]
  ? Draft<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Draft<T[Key]> }
    : T;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deep equality of JSON values; an absent key equals an undefined one. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => jsonEqual(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  for (const key in a) if (a[key] !== undefined && !jsonEqual(a[key], own(b, key))) return false;
  for (const key in b) if (b[key] !== undefined && own(a, key) === undefined) return false;
  return true;
}

/** A client may name a member `__proto__` or `constructor`: what an object merely inherits must not be taken for it. */
function own(object: Record<string, unknown>, key: string): unknown {
  const value = object[key];
  if (typeof value === 'function') return undefined;
  return key === '__proto__' && !Object.hasOwn(object, key) ? undefined : value;
}

/** A deep copy that its caller owns. */
export function draftOf<T>(value: T): Draft<T> {
  return copy(value) as Draft<T>;
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (!isObject(value)) return value;
  const result: Record<string, unknown> = {};
  for (const key in value) {
    if (value[key] === undefined) continue;
    const member = copy(value[key]);
    if (key !== '__proto__') result[key] = member;
    else Object.defineProperty(result, key, { value: member, enumerable: true, configurable: true, writable: true });
  }
  return result;
}
