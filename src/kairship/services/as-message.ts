/**
 * Kubernetes objects as messages of the published API, by the message's descriptor alone.
 *
 * A message names the fields people read, and mostly names them as Kubernetes does: those are taken over. Where the API
 * has its own form the value is brought into it: times and quantities where it has numbers, text where Kubernetes has a
 * number or text, its own spelling of a constant, its own capitals in a name. What the message does not know is left
 * out; a value that does not fit its field is left out too, because an object somebody wrote by hand must not make a
 * whole list unreadable.
 */
import {
  type DescEnum,
  type DescField,
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  type MessageShape,
  ScalarType,
} from '@bufbuild/protobuf';
import { isObject } from '#base/json.ts';
import { quantityValue, tryParseQuantity } from '#kube/meta/quantity.ts';

export function asMessage<Desc extends DescMessage>(desc: Desc, object: unknown): MessageShape<Desc> {
  const json = isObject(object) ? messageJson(desc, object) : {};
  return fromJson(desc, json, { ignoreUnknownFields: true });
}

function messageJson(desc: DescMessage, object: Readonly<Record<string, unknown>>): JsonObject {
  const json: Record<string, JsonValue> = {};
  const taken = new Set<string>();
  for (const field of desc.fields) {
    const name = nameIn(object, field);
    const value = name === undefined ? undefined : fieldJson(field, object[name]);
    if (value === undefined || !fits(desc, field, value)) continue;
    // Of a oneof only one may be set; the first that the object has is.
    const group = field.oneof?.name;
    if (group !== undefined && taken.has(group)) continue;
    if (group !== undefined) taken.add(group);
    json[field.jsonName] = value;
  }
  return json;
}

/** The published API capitalises some names (`DefaultMode`, `IPFamilies`) that Kubernetes does not. */
function nameIn(object: Readonly<Record<string, unknown>>, { jsonName, name }: DescField): string | undefined {
  for (const exact of [jsonName, name]) if (Object.hasOwn(object, exact)) return exact;
  const wanted = jsonName.toLowerCase();
  return Object.keys(object).find((key) => key.toLowerCase() === wanted);
}

function fieldJson(field: DescField, value: unknown): JsonValue | undefined {
  if (value === undefined || value === null) return undefined;
  switch (field.fieldKind) {
    case 'list':
      if (!Array.isArray(value)) return undefined;
      return value.map((item) => elementJson(field, item)).filter((item) => item !== undefined);
    case 'map':
      if (!isObject(value)) return undefined;
      return Object.fromEntries(
        Object.entries(value)
          .map(([key, item]) => [key, elementJson(field, item)] as const)
          .filter((entry): entry is readonly [string, JsonValue] => entry[1] !== undefined),
      );
    default:
      return elementJson(field, value);
  }
}

function elementJson(field: DescField, value: unknown): JsonValue | undefined {
  if (field.message) {
    // Well-known types have a JSON form of their own, which is Kubernetes' form.
    if (isWellKnown(field.message)) return value as JsonValue;
    return isObject(value) ? messageJson(field.message, value) : undefined;
  }
  if (field.enum) return enumJson(field.enum, value);
  return scalarJson(field.scalar ?? ScalarType.STRING, value);
}

function isWellKnown({ typeName }: DescMessage): boolean {
  return typeName.startsWith('google.protobuf.');
}

/** `Running` for RUNNING, INSTANCE_STATE_RUNNING or Running, whichever the API has. */
function enumJson({ values }: DescEnum, value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const wanted = value.toLowerCase();
  const plain = ({ name }: { readonly name: string }) => name.toLowerCase();
  const found =
    values.find(({ name }) => name === value) ??
    values.find((each) => plain(each) === wanted) ??
    values.find((each) => plain(each).endsWith(`_${wanted}`));
  return found?.name;
}

function scalarJson(type: ScalarType, value: unknown): JsonValue | undefined {
  switch (type) {
    case ScalarType.STRING:
      return typeof value === 'string' ? value : JSON.stringify(value);
    case ScalarType.BOOL:
      return typeof value === 'boolean' ? value : undefined;
    case ScalarType.BYTES:
      return typeof value === 'string' ? value : undefined;
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      return numberIn(value);
    default: {
      const number = numberIn(value);
      return number === undefined ? undefined : Math.trunc(number);
    }
  }
}

/** A number, a time in milliseconds, or how many a quantity is. */
function numberIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  if (/^\d{4}-\d\d-\d\dT/.test(value)) {
    const millis = Date.parse(value);
    return Number.isNaN(millis) ? undefined : millis;
  }
  const quantity = tryParseQuantity(value);
  return quantity && quantityValue(quantity);
}

function fits(desc: DescMessage, field: DescField, value: JsonValue): boolean {
  // A message of the API's own was put together of fields that fit.
  if (field.message && !isWellKnown(field.message)) return true;
  try {
    fromJson(desc, { [field.jsonName]: value }, { ignoreUnknownFields: true });
    return true;
  } catch {
    return false;
  }
}
