/**
 * Custom resources as CEL sees them: the type of a schema, and JSON values of it.
 *
 * As k8s.io/apiserver/pkg/cel/common: of the metadata, rules see names only; what a schema merely preserves is not
 * visible; a null field is an absent one.
 */
import { isObject } from '#base/json.ts';
import { goTypeOf } from '../builtin.ts';
import type { Schema } from '../schema.ts';
import { CelError } from './cel-error.ts';
import { parseDuration } from './duration.ts';
import { escapeField } from './identifier.ts';
import { parseTimeValue } from './library/time.ts';
import { BOOL, BYTES, DOUBLE, DURATION, DYN, INT, listOf, mapOf, STRING, TIMESTAMP, type Type } from './type.ts';
import { type CelList, type CelMap, type CelObject, type CelValue, isTagged, items, list, map } from './value.ts';

/** Undefined for what rules cannot see. */
export function schemaType(schema: Schema, name = 'selfType'): Type | undefined {
  if (schema.intOrString) return DYN;
  switch (schema.type) {
    case 'array': {
      const of = schema.items && schemaType(schema.items, `${name}.@idx`);
      return of && listOf(of);
    }
    case 'object':
      return objectType(schema, name);
    case 'string':
      return STRING_TYPES[schema.format ?? ''] ?? STRING;
    case 'boolean':
      return BOOL;
    case 'number':
      return DOUBLE;
    case 'integer':
      return INT;
    default:
      return undefined;
  }
}

const STRING_TYPES: Readonly<Record<string, Type>> = {
  byte: BYTES,
  duration: DURATION,
  date: TIMESTAMP,
  'date-time': TIMESTAMP,
};

function objectType(schema: Schema, path: string): Type | undefined {
  if (typeof schema.additionalProperties === 'object') {
    const of = schemaType(schema.additionalProperties, `${path}.@elem`);
    return of && mapOf(STRING, of);
  }
  const fields = fieldsOf(schema);
  const known = new Map<string, Type | undefined>();
  return {
    kind: 'object',
    name: path,
    field(name) {
      const property = fields(name);
      if (!known.has(name)) known.set(name, property && schemaType(property, `${path}.${name}`));
      return known.get(name);
    },
  };
}

/** The properties of an object by the names that rules call them. */
export function fieldsOf(schema: Schema): (name: string) => Schema | undefined {
  const names = namesOf(schema);
  return (name) => propertyOf(schema, names.get(name));
}

/** What there is below the metadata of an object, for rules. */
const VISIBLE_METADATA: Schema = {
  type: 'object',
  properties: { name: { type: 'string' }, generateName: { type: 'string' } },
};

function propertyOf({ properties }: Schema, name: string | undefined): Schema | undefined {
  const property = name !== undefined && properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
  const isMetadata = property?.component !== undefined && goTypeOf(property) !== undefined;
  return isMetadata ? VISIBLE_METADATA : property;
}

const fieldNames = new WeakMap<Schema, ReadonlyMap<string, string>>();

/** Escaped name → the name in JSON. */
function namesOf(schema: Schema): ReadonlyMap<string, string> {
  let names = fieldNames.get(schema);
  if (!names) {
    const pairs = Object.keys(schema.properties ?? {}).map((name) => [escapeField(name), name] as const);
    // After a dot, a reserved word is no trouble and may be written as it is.
    const plain = pairs.filter(([escaped, name]) => escaped === `__${name}__`).map(([, name]) => [name, name] as const);
    names = new Map([
      ...pairs.flatMap(([escaped, name]) => (escaped === undefined ? [] : [[escaped, name] as const])),
      ...plain,
    ]);
    fieldNames.set(schema, names);
  }
  return names;
}

/** A value of a schema; converted as far as rules look at it. */
export function schemaValue(schema: Schema, value: unknown): CelValue {
  if (value === null || value === undefined) return null;
  if (schema.intOrString || schema.type === undefined) return anyValue(value);
  switch (schema.type) {
    case 'array':
      return Array.isArray(value) ? listValue(schema, value) : anyValue(value);
    case 'object':
      return isObject(value) ? objectValue(schema, value) : anyValue(value);
    case 'string':
      return typeof value === 'string' ? stringValue(schema.format, value) : anyValue(value);
    case 'number':
      return typeof value === 'number' ? value : anyValue(value);
    default:
      return anyValue(value);
  }
}

/** A value nobody has described. */
export function anyValue(value: unknown): CelValue {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return list(value.map(anyValue));
  if (isObject(value)) return map(Object.entries(value).map(([key, member]) => [key, anyValue(member)]));
  return null;
}

function stringValue(format: string | undefined, text: string): CelValue {
  switch (format) {
    case 'byte':
      return new Uint8Array(Buffer.from(text, 'base64'));
    case 'duration': {
      const nanos = parseDuration(text);
      if (nanos === undefined) throw new CelError(`Invalid duration ${text}`);
      return { cel: 'duration', nanos };
    }
    case 'date':
      return parseTimeValue(`${text}T00:00:00Z`);
    case 'date-time':
      return parseTimeValue(text.toUpperCase());
    default:
      return text;
  }
}

function listValue(schema: Schema, value: readonly unknown[]): CelList {
  const { items: inner = {}, listType, listMapKeys = [] } = schema;
  const made: CelValue[] = [];
  const at = (index: number) => (made[index] ??= schemaValue(inner, value[index]));
  const base = { cel: 'list', size: value.length, at } as const;
  if (listType === 'set') return { ...base, identity: textOf };
  if (listType !== 'map') return base;
  const keys = listMapKeys.map((key) => escapeField(key) ?? key);
  return {
    ...base,
    identity: (item) => keys.map((key) => (isTagged(item, 'object') ? textOf(item.get(key) ?? null) : '')).join('\0'),
  };
}

function objectValue(schema: Schema, value: Readonly<Record<string, unknown>>): CelObject | CelMap {
  const { additionalProperties } = schema;
  const made = new Map<string, CelValue>();
  const member = (inner: Schema | undefined, name: string): CelValue | undefined => {
    const found = Object.hasOwn(value, name) ? value[name] : undefined;
    if (found === undefined) return undefined;
    if (!made.has(name)) made.set(name, inner ? schemaValue(inner, found) : anyValue(found));
    return made.get(name);
  };
  if (typeof additionalProperties === 'object') {
    return {
      cel: 'map',
      size: Object.keys(value).length,
      get: (key) => (typeof key === 'string' ? member(additionalProperties, key) : undefined),
      keys: () => Object.keys(value),
    };
  }
  const names = namesOf(schema);
  return {
    cel: 'object',
    get(field) {
      const name = names.get(field) ?? field;
      return value[name] === null ? undefined : member(propertyOf(schema, name), name);
    },
    fields: () => Object.keys(value).map((name) => escapeField(name) ?? name),
  };
}

/** A text that equal values share, to find items of sets and maps by. */
function textOf(value: CelValue): string {
  if (isTagged(value, 'list')) return `[${items(value).map(textOf).join()}]`;
  if (isTagged(value, 'map')) {
    return `{${value
      .keys()
      .map((key) => `${textOf(key)}:${textOf(value.get(key) ?? null)}`)
      .sort()
      .join()}}`;
  }
  if (isTagged(value, 'object')) {
    return `{${value
      .fields()
      .map((name) => `${name}:${textOf(value.get(name) ?? null)}`)
      .sort()
      .join()}}`;
  }
  if (isTagged(value, 'timestamp') || isTagged(value, 'duration')) return `${value.cel}${value.nanos}`;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return typeof value === 'object' ? 'null' : `${typeof value}${String(value)}`;
}
