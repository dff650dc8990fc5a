/**
 * Partial statements about an object: whether it already says what is stated, and making it do so.
 *
 * What a statement leaves out (or has undefined) is free; `null` states that a field is absent. Lists are stated as a
 * whole, but the items of a list may be partial, because servers fill in defaults.
 */
import { isObject } from '#base/json.ts';

export function covers(current: unknown, stated: unknown): boolean {
  if (stated === undefined) return true;
  if (stated === null) return current === undefined || current === null;
  if (Array.isArray(stated)) {
    if (!Array.isArray(current)) return stated.length === 0 && current === undefined;
    return current.length === stated.length && stated.every((item, index) => covers(current[index], item));
  }
  if (!isObject(stated)) return current === stated;
  // Servers drop empty maps, so an absent one says the same.
  if (!isObject(current)) return current === undefined && Object.values(stated).every((value) => value == null);
  return Object.entries(stated).every(([field, value]) => covers(current[field], value));
}

/** `current` as it reads once `stated` holds; shares unchanged parts with it. */
export function overlay<T>(current: unknown, stated: T): T {
  if (!isObject(stated)) return stated;
  const result: Record<string, unknown> = isObject(current) ? { ...current } : {};
  for (const [field, value] of Object.entries(stated)) {
    if (value === null) delete result[field];
    else if (value !== undefined) result[field] = overlay(result[field], value);
  }
  return result as T;
}
