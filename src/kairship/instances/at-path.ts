/** Reading, writing and taking away one place of a JSON value; parents come and go with what they hold. */
import { isObject } from '#base/json.ts';

export type Json = Readonly<Record<string, unknown>>;
export type Path = readonly [string, ...string[]];
type Mutable = Record<string, unknown>;

export function getAt(root: Json, path: Path): unknown {
  let at: unknown = root;
  for (const step of path) at = isObject(at) ? at[step] : undefined;
  return at;
}

export function setAt(root: Mutable, path: Path, value: unknown): void {
  let at = root;
  for (const step of path.slice(0, -1)) {
    const next = at[step];
    at = isObject(next) ? next : (at[step] = {});
  }
  at[path.at(-1) ?? ''] = value;
}

/** Removes the place, and every parent that nothing is left in. */
export function removeAt(root: Mutable, path: Path): void {
  const [step, ...rest] = path;
  const [next, ...further] = rest;
  if (next === undefined) {
    delete root[step];
    return;
  }
  const child = root[step];
  if (!isObject(child)) return;
  removeAt(child, [next, ...further]);
  if (Object.keys(child).length === 0) delete root[step];
}
