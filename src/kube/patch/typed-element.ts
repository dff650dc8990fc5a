import { isObject } from '#base/json.ts';
import { type FieldElement, keyElement, valueElement } from './field-element.ts';
import { DEDUCED, type ListForm, type MapForm, type MergeType } from './merge-type.ts';

export type Form = 'map' | 'scalar' | 'list';

/** Which form of its type a value has; what fits none is treated as the first the type allows. */
export function formOf(type: MergeType, value: unknown): Form {
  if (isObject(value)) return type.map ? 'map' : fallback(type);
  if (Array.isArray(value)) return type.list ? 'list' : fallback(type);
  if (value !== null && value !== undefined && type.scalar) return 'scalar';
  return fallback(type);
}

function fallback(type: MergeType): Form {
  return type.map ? 'map' : type.scalar ? 'scalar' : 'list';
}

/** The type of a member; a field the schema no longer has is deduced from its value. */
export function memberType(map: MapForm, name: string): MergeType {
  return map.field(name)?.type ?? map.element ?? DEDUCED;
}

/** What names an element in a set or keyed list. Throws a {@link ListItemError} for an element that cannot be in one. */
export function itemElement(list: ListForm, item: unknown): FieldElement {
  return list.relation === 'map' ? keyedItem(list, item) : setItem(item);
}

export class ListItemError extends Error {
  override readonly name = 'ListItemError';
}

function keyedItem(list: ListForm, item: unknown): FieldElement {
  if (item === null) throw new ListItemError('associative list with keys may not have a null element');
  if (!isObject(item)) throw new ListItemError('associative list with keys may not have non-map elements');
  const keys: [string, unknown][] = [];
  for (const { name, default: missing } of list.keys) {
    const value = Object.hasOwn(item, name) ? item[name] : missing;
    if (value !== undefined) keys.push([name, value]);
  }
  if (keys.length > 0) return keyElement(keys);
  const names = list.keys.map(({ name }) => JSON.stringify(name)).join(' ');
  throw new ListItemError(
    `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
  );
}

function setItem(item: unknown): FieldElement {
  if (isObject(item)) throw new ListItemError("associative list without keys has an element that's a map type");
  if (Array.isArray(item)) throw new ListItemError('not supported: associative list with lists as elements');
  if (item === null) throw new ListItemError("associative list without keys has an element that's an explicit null");
  return valueElement(item);
}
