/** Who wrote a field of an object, and when, as its managed fields tell. Pure. */
import { isObject } from '#base/json.ts';
import type { KubeObject, ManagedFieldsEntry } from '#kube/meta/object.ts';
import { pointerKeys } from './field-drift.ts';

export interface Writer {
  readonly manager: string;
  /** As the server wrote it: RFC 3339. */
  readonly time?: string;
}

/** The one that owns the field itself, or all of what it is part of; of several the last. */
export function writtenBy(object: KubeObject, pointer: string): Writer | undefined {
  const keys = pointerKeys(pointer);
  const found = (object.metadata.managedFields ?? [])
    .map((entry) => ({ entry, depth: ownedDepth(entry, object, keys) }))
    .filter(({ depth }) => depth > 0)
    .toSorted((a, b) => b.depth - a.depth || ((a.entry.time ?? '') < (b.entry.time ?? '') ? 1 : -1))[0]?.entry;
  if (!found) return undefined;
  return { manager: found.manager ?? '', ...(found.time === undefined ? {} : { time: found.time }) };
}

/** How far down a path somebody's fields lead; 0 when they end with others' beside it. */
function ownedDepth({ fieldsV1 }: ManagedFieldsEntry, object: KubeObject, keys: readonly string[]): number {
  let fields: unknown = fieldsV1;
  let value: unknown = object;
  for (const [depth, key] of keys.entries()) {
    if (!isObject(fields)) return 0;
    const next = fieldNamed(fields, value, key);
    // A leaf of theirs is theirs with all that it holds.
    if (next === undefined) return Object.keys(fields).every((name) => name === '.') ? depth : 0;
    fields = next;
    value = Array.isArray(value)
      ? (value as readonly unknown[])[Number(key)]
      : isObject(value)
        ? value[key]
        : undefined;
  }
  return keys.length;
}

function fieldNamed(fields: Readonly<Record<string, unknown>>, value: unknown, key: string): unknown {
  if (!Array.isArray(value)) return fields[`f:${key}`];
  const element: unknown = (value as readonly unknown[])[Number(key)];
  const name = Object.keys(fields).find((one) => isElement(one, element, key));
  return name === undefined ? undefined : fields[name];
}

/** Elements are named by their keys (`k:{"name":"web"}`), their value (`v:"a"`) or their place (`i:0`). */
function isElement(name: string, element: unknown, index: string): boolean {
  const [kind, text] = [name.slice(0, 2), name.slice(2)];
  if (kind === 'i:') return text === index;
  if (kind === 'v:') return text === JSON.stringify(element);
  if (kind !== 'k:' || !isObject(element)) return false;
  const keys: unknown = JSON.parse(text);
  return isObject(keys) && Object.entries(keys).every(([key, value]) => element[key] === value);
}
