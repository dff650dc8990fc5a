import { isObject } from '#base/json.ts';
import type { Schema } from '#kube/schema/schema.ts';
import { goTypeOf } from '#kube/schema/builtin.ts';
import { type Members, setMember } from './member.ts';
import { DEDUCED, type MapField, type MapForm, type MergeType, mergeTypeOf } from './merge-type.ts';

/**
 * An object of a built-in kind with exactly the fields Go writes for it: structs that are not pointers are always there,
 * empty values that may be left out are. Custom resources are as they are.
 *
 * Ownership depends on it: who sets the first field of a deployment's strategy does not thereby create the strategy. An
 * object that is in this form already comes back as it is.
 */
export function writtenForm<T>(schema: Schema, object: T): T {
  return goTypeOf(schema) ? (written(mergeTypeOf(schema), object) as T) : object;
}

function written(type: MergeType, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || type === DEDUCED) return value;
  if (isObject(value)) return type.map ? writtenMap(type.map, value) : value;
  return Array.isArray(value) && type.list && mayDiffer(type.list.element)
    ? writtenList(type.list.element, value)
    : value;
}

/** Strings and what nobody described have one form only. */
function mayDiffer(type: MergeType | undefined): type is MergeType {
  return type !== undefined && type !== DEDUCED && (type.map !== undefined || type.list !== undefined);
}

function writtenList(element: MergeType, items: readonly unknown[]): readonly unknown[] {
  let result: unknown[] | undefined;
  for (const [index, item] of items.entries()) {
    const changed = written(element, item);
    if (changed !== item) (result ??= [...items])[index] = changed;
  }
  return result ?? items;
}

function writtenMap(map: MapForm, members: Members): Members {
  if (!map.declares && !mayDiffer(map.element)) return members;
  let result: Members | undefined;
  for (const name in members) {
    const field = map.field(name);
    const value = field ? writtenField(field, members[name]) : written(map.element ?? DEDUCED, members[name]);
    if (value === members[name]) continue;
    result ??= { ...members };
    if (value === undefined) delete result[name];
    else setMember(result, name, value);
  }
  for (const name of map.always) {
    if (members[name] !== undefined) continue;
    result ??= { ...members };
    result[name] = zeroOf(map.field(name));
  }
  return result ?? members;
}

function writtenField(field: MapField, value: unknown): unknown {
  if (value === null || value === undefined) return field.omits === 'nothing' ? zeroOf(field) : undefined;
  const form = written(field.type, value);
  return field.omits === 'empty' && isBlank(form) ? undefined : form;
}

function zeroOf(field: MapField | undefined): unknown {
  return field && field.zero !== undefined ? written(field.type, field.zero) : undefined;
}

function isBlank(value: unknown): boolean {
  if (typeof value !== 'object') return !value;
  if (Array.isArray(value)) return value.length === 0;
  for (const name in value) if (name !== undefined) return false;
  return true;
}
