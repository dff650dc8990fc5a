/**
 * Members of untrusted JSON objects.
 *
 * A request body may own a key called `__proto__`. Reading and writing it with brackets would reach the prototype
 * instead, so whoever handles keys that a client chose goes through these functions.
 */
export type Members = Record<string, unknown>;

/** The object's own member, never one it inherits. */
export function member(object: Members, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets an own member, whatever it is called. */
export function setMember(object: Members, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
