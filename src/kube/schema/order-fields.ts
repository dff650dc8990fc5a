/**
 * The key order of answers. Clients do not depend on it, but people compare what they see, and Kubernetes is steady:
 * built-in kinds in the order of their Go structs, maps and custom resources sorted.
 */
import { isObject } from '#base/json.ts';
import { goTypeOf, jsonSchemaPropsType } from './builtin.ts';
import { alwaysWritten, zeroOf } from './go-decode.ts';
import type { GoType, LeafType, StructType } from './go-type.ts';
import type { Schema } from './schema.ts';

/**
 * `object` with its keys in order; of a built-in kind, with the empty values that Go always writes. The object itself
 * is not changed, but the parts of it that are in order already are shared with the result.
 */
export function orderFields<T extends object>(schema: Schema, object: T): T {
  const type = goTypeOf(schema);
  return (type ? encode(type, object) : sorted(object, undefined)) as T;
}

type Members = Record<string, unknown>;

function encode(type: GoType | undefined, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (type === undefined) return sorted(value, undefined);
  if (type.form === 'leaf') return encodeLeaf(type, value);
  if (type.form === 'list') return Array.isArray(value) ? encodeItems(type.of, value) : value;
  if (type.form === 'map') return sorted(value, type.of);
  if (!isObject(value)) return value;
  return isOrdered(type, value) ? encodeMembers(value, (key) => type.byName.get(key)?.type) : encodeStruct(type, value);
}

/** Most leaves are one piece; a schema in a CRD may stand where Go allows something else as well. */
function encodeLeaf({ leaf }: LeafType, value: object): unknown {
  if (leaf !== 'schemaorarray' && leaf !== 'schemaorbool' && leaf !== 'schemaorstrings') return value;
  return Array.isArray(value) ? encodeItems(jsonSchemaPropsType(), value) : encode(jsonSchemaPropsType(), value);
}

function encodeStruct(type: StructType, object: Members): Members {
  const result: Members = {};
  for (const field of type.fields) {
    const value = object[field.name];
    if (value !== undefined && value !== null) result[field.name] = encode(field.type, value);
    else if (!field.omitEmpty && !field.omitZero) result[field.name] = zeroOf(field);
  }
  return result;
}

/** Nothing is missing, superfluous or in the wrong place at this level. */
function isOrdered(type: StructType, object: Members): boolean {
  const { byName } = type;
  let last = -1;
  for (const key in object) {
    const field = byName.get(key);
    if (!field || field.index < last || object[key] === undefined) return false;
    if (object[key] === null && field.omitEmpty) return false;
    last = field.index;
  }
  for (const field of alwaysWritten(type)) if (object[field.name] === undefined) return false;
  return true;
}

/** Keys sorted at every level; the values of a map by their own type, if they have one. */
function sorted(value: unknown, of: GoType | undefined): unknown {
  if (Array.isArray(value)) return encodeItems(undefined, value);
  if (!isObject(value)) return value;
  const keys = Object.keys(value);
  if (keys.every((key, at) => value[key] !== undefined && (at === 0 || (keys[at - 1] ?? '') < key))) {
    return encodeMembers(value, () => of);
  }
  const result: Members = {};
  for (const key of keys.sort()) if (value[key] !== undefined) set(result, key, encode(of, value[key]));
  return result;
}

/** The object itself unless a member had to be replaced. */
function encodeMembers(object: Members, typeOf: (key: string) => GoType | undefined): Members {
  let result = object;
  for (const key in object) {
    const value = object[key];
    if (typeof value !== 'object' || value === null) continue;
    const encoded = encode(typeOf(key), value);
    if (encoded === value) continue;
    if (result === object) result = { ...object };
    set(result, key, encoded);
  }
  return result;
}

function encodeItems(type: GoType | undefined, items: readonly unknown[]): readonly unknown[] {
  const encoded = items.map((item) => encode(type, item));
  return encoded.some((item, index) => item !== items[index]) ? encoded : items;
}

/** Assigning to `__proto__` would change the object's prototype. */
function set(object: Members, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value;
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
