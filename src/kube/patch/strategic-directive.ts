import { isObject } from '#base/json.ts';
import { type Members, member, setMember } from './member.ts';

/** The names a strategic merge patch reserves in its objects. */
export const DIRECTIVE = '$patch';
export const RETAIN_KEYS = '$retainKeys';
export const DELETE_LIST = '$deleteFromPrimitiveList';
export const ELEMENT_ORDER = '$setElementOrder';

/** A value the patch brings, without directives and nulls; undefined when it is nothing but a directive. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain).filter((item) => item !== undefined);
  if (!isObject(value)) return value;
  return Object.hasOwn(value, DIRECTIVE) ? undefined : plainMembers(value);
}

/** The same for an object that is known to be kept. */
export function plainMembers(object: Members): Members {
  const result: Members = {};
  for (const key of Object.keys(object)) {
    if (key === RETAIN_KEYS || key.startsWith(DELETE_LIST) || key.startsWith(ELEMENT_ORDER)) continue;
    const value = plain(member(object, key));
    if (value !== undefined && value !== null) setMember(result, key, value);
  }
  return result;
}
