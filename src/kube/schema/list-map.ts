/** Lists whose items have an identity: `x-kubernetes-list-type` set and map. */
import { isObject } from '#base/json.ts';
import { duplicate, type FieldError, invalid } from '#kube/meta/field-error.ts';
import type { Schema } from './schema.ts';
import { factsOf } from './schema-facts.ts';

/** Items of sets, and keys of maps, that appear more than once; the second of each is told. */
export function listErrors(schema: Schema, value: unknown, at = ''): FieldError[] {
  if (typeof value !== 'object' || value === null || !factsOf(schema).identities) return [];
  if (Array.isArray(value)) {
    const { items } = schema;
    const below = items ? value.flatMap((item, index) => listErrors(items, item, `${at}[${index}]`)) : [];
    return [...ownErrors(schema, value, at), ...below];
  }
  if (!isObject(value)) return [];
  const { properties, additionalProperties } = schema;
  return Object.entries(value).flatMap(([key, member]) => {
    const known = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (known) return listErrors(known, member, at === '' ? key : `${at}.${key}`);
    return typeof additionalProperties === 'object' ? listErrors(additionalProperties, member, `${at}[${key}]`) : [];
  });
}

function ownErrors(schema: Schema, items: readonly unknown[], at: string): FieldError[] {
  if (schema.listType === 'set') return repeated(items).map((index) => duplicate(`${at}[${index}]`, items[index]));
  if (schema.listType !== 'map') return [];
  const stray = items.findIndex((item) => item !== null && !isObject(item));
  if (stray >= 0) return [invalid(`${at}[${stray}]`, items[stray], 'must be an object for an array of list-type map')];
  const keys = items.map((item) => keyOf(schema, item));
  return repeated(keys).map((index) => duplicate(`${at}[${index}]`, keys[index]));
}

/** Positions of the second appearance of a value. */
function repeated(values: readonly unknown[]): number[] {
  const times = new Map<string, number>();
  return values.flatMap((value, index) => {
    const text = canonical(value);
    const seen = times.get(text) ?? 0;
    times.set(text, seen + 1);
    return seen === 1 ? [index] : [];
  });
}

/** The part of an item that names it. */
function keyOf({ listMapKeys = [] }: Schema, item: unknown): Record<string, unknown> {
  if (!isObject(item)) return {};
  return Object.fromEntries(listMapKeys.filter((key) => Object.hasOwn(item, key)).map((key) => [key, item[key]]));
}

/** Finds the item of an old list that a new item stands for; lists that are no maps have none. */
export function correlatedItems(schema: Schema, old: unknown): (item: unknown) => unknown {
  if (schema.listType !== 'map' || !Array.isArray(old)) return () => undefined;
  let byKey: Map<string, unknown> | undefined;
  return (item) => {
    byKey ??= new Map(old.map((other) => [canonical(keyOf(schema, other)), other]));
    return byKey.get(canonical(keyOf(schema, item)));
  };
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    isObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
}
