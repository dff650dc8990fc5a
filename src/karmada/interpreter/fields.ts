/**
 * Reading and setting fields of objects whose type nobody promises.
 *
 * What is missing or of another type reads as absent. Setting returns a new object that shares everything off the
 * path with the old one, so objects of caches can be worked on without copying them.
 */
import { isObject } from '#base/json.ts';
import type { KubeObject } from '#kube/meta/object.ts';

export type Fields = Readonly<Record<string, unknown>>;

export function fieldAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), value);
}

export function fieldsAt(value: unknown, ...path: readonly string[]): Fields | undefined {
  const found = fieldAt(value, ...path);
  return isObject(found) ? found : undefined;
}

export function stringAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = fieldAt(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = fieldAt(value, ...path);
  return typeof found === 'number' ? found : undefined;
}

/** The objects of a list; what else is in it is left out. */
export function listAt(value: unknown, ...path: readonly string[]): readonly Fields[] {
  const found = fieldAt(value, ...path);
  return Array.isArray(found) ? found.filter(isObject) : [];
}

/** The object with a field set, and objects made along the path where there are none. */
export function withField(object: KubeObject, path: readonly string[], value: unknown): KubeObject {
  return set(object, path, value) as KubeObject;
}

function set(target: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const fields = isObject(target) ? target : {};
  return { ...fields, [key]: set(fields[key], rest, value) };
}
