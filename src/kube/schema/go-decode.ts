/**
 * A value as Go would hold it after decoding JSON: the same value sent twice in different spellings becomes one.
 *
 * Works in place on a draft its caller owns. What does not fit the type is left alone; `decodeError` tells it.
 */
import { isObject } from '#base/json.ts';
import { canonicalQuantity, isQuantity } from '#kube/meta/quantity.ts';
import { jsonSchemaPropsType } from './builtin.ts';
import { formatGoTime, parseGoTime } from './go-time.ts';
import type { GoField, GoType, LeafType, StructType } from './go-type.ts';

/** Returns the value to keep in place of `value`; objects and lists are changed and returned themselves. */
export function goDecode(type: GoType, value: unknown): unknown {
  switch (type.form) {
    case 'struct':
      return isObject(value) ? decodeStruct(type, value) : value;
    case 'map':
      if (isObject(value)) for (const key in value) decodeMember(type.of, value, key);
      return value;
    case 'list':
      if (Array.isArray(value)) for (let at = 0; at < value.length; at++) value[at] = decodeItem(type.of, value[at]);
      return value;
    case 'leaf':
      return decodeLeaf(type, value);
  }
}

/** What Go has in a struct field that JSON does not mention, when Go always writes it; undefined when it is left out. */
export function zeroOf({ type, pointer }: GoField): unknown {
  if (pointer || type.form === 'list' || type.form === 'map') return null;
  return zeroValue(type);
}

/** Fields that are written even when they hold nothing. */
export function alwaysWritten(type: StructType): readonly GoField[] {
  let fields = always.get(type);
  if (!fields) always.set(type, (fields = type.fields.filter((field) => !field.omitEmpty && !field.omitZero)));
  return fields;
}

const always = new WeakMap<StructType, readonly GoField[]>();

function decodeStruct(type: StructType, object: Record<string, unknown>): Record<string, unknown> {
  const { byName } = type;
  for (const key in object) {
    const field = byName.get(key);
    const value = object[key];
    if (!field || value === null || value === undefined) {
      delete object[key];
      continue;
    }
    const decoded = goDecode(field.type, value);
    if (field.omitEmpty && !field.pointer && isEmpty(decoded)) delete object[key];
    else if (decoded !== value) object[key] = decoded;
  }
  for (const field of alwaysWritten(type)) if (object[field.name] === undefined) object[field.name] = zeroOf(field);
  return object;
}

function decodeMember(type: GoType, object: Record<string, unknown>, key: string): void {
  const value = object[key];
  const decoded = decodeItem(type, value);
  if (decoded !== value) object[key] = decoded;
}

/** In a list or a map, null is the zero value of the elements. */
function decodeItem(type: GoType, value: unknown): unknown {
  return value === null ? zeroValue(type) : goDecode(type, value);
}

function zeroValue(type: GoType): unknown {
  if (type.form === 'struct') return decodeStruct(type, {});
  return type.form === 'leaf' ? (ZEROES[type.leaf as keyof typeof ZEROES] ?? null) : null;
}

const ZEROES = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  float64: 0,
  quantity: '0',
  intorstring: 0,
  duration: '0s',
};

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return !value;
  if (Array.isArray(value)) return value.length === 0;
  for (const _ in value) return false;
  return true;
}

function decodeLeaf({ leaf }: LeafType, value: unknown): unknown {
  switch (leaf) {
    case 'quantity':
      return canonical(value);
    case 'time':
    case 'microtime':
      return typeof value === 'string' ? inUtc(value, leaf === 'microtime') : value;
    case 'bytes':
      return typeof value === 'string' && /[\r\n]/.test(value) ? value.replaceAll(/[\r\n]/g, '') : value;
    case 'schemaorarray':
      return Array.isArray(value) ? value.map((item) => goDecode(jsonSchemaPropsType(), item)) : inSchema(value);
    case 'schemaorbool':
    case 'schemaorstrings':
      return inSchema(value);
    default:
      return value;
  }
}

function inSchema(value: unknown): unknown {
  return isObject(value) ? decodeStruct(jsonSchemaPropsType(), value) : value;
}

/** Most quantities are written canonically: three digits can neither be divided by 1000 nor by 1024. */
const CANONICAL = /^[1-9]\d{0,2}(?:[numkMGTPE]|[KMGTPE]i)?$/;

function canonical(value: unknown): unknown {
  if (typeof value === 'string' && CANONICAL.test(value)) return value;
  const text = typeof value === 'string' ? value.trim() : value;
  return (typeof text === 'string' || typeof text === 'number') && isQuantity(text) ? canonicalQuantity(text) : value;
}

const UTC_SECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

function inUtc(text: string, micro: boolean): string {
  if (!micro && UTC_SECONDS.test(text)) return text;
  const time = parseGoTime(text, micro);
  return typeof time === 'string' ? text : formatGoTime(time, micro);
}
