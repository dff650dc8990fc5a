/**
 * Fields to set, by their path, as a merge patch: `spec.type` → `NodePort`, `metadata.labels['a.io/b']` → `x`.
 *
 * A value is JSON where it reads as JSON and text otherwise; in maps that hold text alone (labels, annotations,
 * selectors) it is always text. An empty value removes the field. Lists are set as a whole: two people who set one entry
 * each by its number would mean different ones.
 */
import { badRequest } from '#base/status-error.ts';
import { parseFieldPath } from '#kube/meta/field-path.ts';

type Branch = { [key: string]: unknown };

export function fieldPatch(fields: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  const entries = Object.entries(fields);
  if (entries.length === 0) throw badRequest('data is empty: send the fields to set, by their path');
  const patch = branch();
  for (const [path, value] of entries) set(patch, path, value);
  return patch;
}

/** Entries of a map: an empty value removes its key. */
export function entriesPatch(entries: Readonly<Record<string, string>>): Readonly<Record<string, string | null>> {
  if (Object.keys(entries).length === 0) throw badRequest('data is empty: send the entries to set, by their key');
  return Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, value === '' ? null : value]));
}

function set(patch: Branch, path: string, value: string): void {
  const [keys = [], ...lists] = parseFieldPath(path);
  if (lists.length > 0) throw badRequest(`"${path}" is within a list: send the whole list as JSON instead`);
  let at = patch;
  for (const key of keys.slice(0, -1)) {
    const next = (at[key] ??= branch());
    if (!isBranch(next)) throw contradiction(path);
    at = next;
  }
  const last = keys.at(-1) ?? '';
  if (Object.hasOwn(at, last)) throw contradiction(path);
  at[last] = valueOf(keys, value);
}

/** Without a prototype: `__proto__` is a key like any other. */
function branch(): Branch {
  return Object.create(null) as Branch;
}

function isBranch(value: unknown): value is Branch {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null;
}

function contradiction(path: string) {
  return badRequest(`"${path}" is set twice: once itself, once by a field within it`);
}

const MAPS_OF_TEXT = [
  ['metadata', 'labels'],
  ['metadata', 'annotations'],
  ['spec', 'selector'],
];

function valueOf(keys: readonly string[], value: string): unknown {
  if (value === '') return null;
  const isText = MAPS_OF_TEXT.some((map) => keys.length > map.length && map.every((key, at) => keys[at] === key));
  if (isText) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}
