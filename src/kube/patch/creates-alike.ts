import { draftOf, isObject, jsonEqual } from '#base/json.ts';
import type { ManagedFieldsEntry } from '#kube/meta/object.ts';
import type { Schema } from '#kube/schema/schema.ts';
import type { Writer } from './field-manager.ts';
import { encodeManagers, type Manager } from './managed-fields.ts';

/**
 * Objects that one manager makes one after the other often differ in nothing but values, and who owns what does not
 * depend on those: for an object shaped as the last two of its kind the answer is known after one look at it.
 *
 * Two objects have the same shape when they have the same members down to values that are of the same type, and both
 * empty or both not; lists, whose elements are owned by what is in them, have to be equal.
 */
export interface CreatesAlike {
  /** The entries of an object like the last ones; undefined when it is not like them. */
  known(writer: Writer, object: unknown, time: string): readonly ManagedFieldsEntry[] | undefined;
  learn(writer: Writer, object: unknown, creator: Manager): void;
}

type Who = Pick<Writer, 'manager' | 'apiVersion' | 'subresource' | 'resetFields'>;

interface Learnt {
  readonly who: Who;
  readonly creator: Manager;
  /** Absent as long as there was only one object like this: to remember all of them would cost more than it saves. */
  readonly shape: unknown;
  readonly entries: readonly ManagedFieldsEntry[];
}

export function createsAlike(): CreatesAlike {
  const last = new WeakMap<Schema, Learnt>();
  return {
    known(writer, object, time) {
      const learnt = last.get(writer.schema);
      if (learnt?.shape === undefined || !isSame(learnt.who, writer)) return undefined;
      if (!hasShape(object, learnt.shape)) return undefined;
      if (learnt.creator.time === time) return learnt.entries;
      const creator = { ...learnt.creator, time, entry: undefined };
      const entries = encodeManagers(new Map([[creator.id, creator]]));
      last.set(writer.schema, { ...learnt, creator, entries });
      return entries;
    },
    learn(writer, object, creator) {
      const entries = encodeManagers(new Map([[creator.id, creator]]));
      const before = last.get(writer.schema);
      const again = before?.entries[0]?.fieldsV1 === entries[0]?.fieldsV1;
      const { schema, manager, apiVersion, subresource, resetFields } = writer;
      const who = { manager, apiVersion, subresource, resetFields };
      last.set(schema, { who, creator, entries, shape: again ? shapeOf(object) : undefined });
    },
  };
}

function isSame(a: Who, b: Who): boolean {
  return (
    a.manager === b.manager &&
    a.apiVersion === b.apiVersion &&
    a.subresource === b.subresource &&
    a.resetFields === b.resetFields
  );
}

/** As little of an object as its shape can be told from. */
function shapeOf(value: unknown): unknown {
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]));
  if (typeof value === 'string') return value === '' ? '' : 'text';
  return draftOf(value);
}

function hasShape(value: unknown, shape: unknown): boolean {
  if (typeof value !== 'object' || typeof shape !== 'object') return typeof value === typeof shape && !value === !shape;
  return isObject(value) && isObject(shape) ? haveSameMembers(value, shape) : jsonEqual(value, shape);
}

function haveSameMembers(value: Readonly<Record<string, unknown>>, shape: Readonly<Record<string, unknown>>): boolean {
  let more = 0;
  for (const name in shape) if (shape[name] !== undefined) more--;
  for (const name in value) {
    if (value[name] === undefined) continue;
    if (!hasShape(value[name], shape[name])) return false;
    more++;
  }
  return more === 0;
}
