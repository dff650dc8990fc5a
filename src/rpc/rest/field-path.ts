/**
 * Fields of a message by path, as templates and queries name them: `spec.name`, `labels[app]`.
 *
 * Each name may be the one of the proto file or the one of JSON. Values are put together as the JSON of the message, which
 * the runtime then reads: so a parameter means exactly what the same text means in a body.
 */
import { type DescField, type DescMessage, type JsonValue, ScalarType } from '@bufbuild/protobuf';
import { badRequest } from '#base/status-error.ts';

/** JSON that is being put together. Without a prototype, so that no name of a caller's can mean something else. */
export interface JsonDraft {
  [key: string]: JsonValue | JsonDraft;
}

export const emptyDraft = (): JsonDraft => Object.create(null) as JsonDraft;

/** The fields along a path, or undefined if it leads nowhere. Only messages have fields: a list or a map ends a path. */
export function resolvePath(message: DescMessage, path: string): DescField[] | undefined {
  const fields: DescField[] = [];
  let at: DescMessage | undefined = message;
  for (const name of path.split('.')) {
    const field: DescField | undefined = at?.fields.find((one) => one.jsonName === name || one.name === name);
    if (!field) return undefined;
    fields.push(field);
    at = field.fieldKind === 'message' ? field.message : undefined;
  }
  return fields;
}

/** Puts a value at a path, making the messages on the way. */
export function putAt(draft: JsonDraft, path: readonly DescField[], value: JsonValue | JsonDraft): void {
  const last = path.at(-1);
  if (!last) return;
  parentAt(draft, path)[last.jsonName] = value;
}

/** What stands at a path, if anything does. */
export function valueAt(draft: JsonDraft, path: readonly DescField[]): JsonValue | JsonDraft | undefined {
  const last = path.at(-1);
  return last && parentAt(draft, path)[last.jsonName];
}

function parentAt(draft: JsonDraft, path: readonly DescField[]): JsonDraft {
  let at = draft;
  for (const { jsonName } of path.slice(0, -1)) at = (at[jsonName] ??= emptyDraft()) as JsonDraft;
  return at;
}

/** Messages whose JSON is one text or number, so that a parameter can carry them. */
const TEXT_MESSAGES: Readonly<Record<string, ScalarType>> = {
  'google.protobuf.Timestamp': ScalarType.STRING,
  'google.protobuf.Duration': ScalarType.STRING,
  'google.protobuf.FieldMask': ScalarType.STRING,
  'google.protobuf.StringValue': ScalarType.STRING,
  'google.protobuf.BytesValue': ScalarType.BYTES,
  'google.protobuf.BoolValue': ScalarType.BOOL,
  'google.protobuf.Int32Value': ScalarType.INT32,
  'google.protobuf.UInt32Value': ScalarType.UINT32,
  'google.protobuf.Int64Value': ScalarType.INT64,
  'google.protobuf.UInt64Value': ScalarType.UINT64,
  'google.protobuf.FloatValue': ScalarType.FLOAT,
  'google.protobuf.DoubleValue': ScalarType.DOUBLE,
};

/** Whether the elements of a field (itself, its items, its entries' values) can be written as one text. */
export const isText = (field: DescField) => field.message === undefined || field.message.typeName in TEXT_MESSAGES;

/** One text as the JSON value of an element of `field`; `name` is what the caller called it. */
export function elementOf(field: DescField, text: string, name: string): JsonValue {
  if (field.enum) return /^-?\d+$/.test(text) ? Number(text) : text;
  const scalar = field.message ? TEXT_MESSAGES[field.message.typeName] : field.scalar;
  if (scalar === undefined) {
    throw badRequest(
      `parameter "${name}" is a ${field.message?.typeName}: name one of its fields, or send it in a body`,
    );
  }
  return scalar === ScalarType.BOOL ? booleanOf(text, name) : text;
}

function booleanOf(text: string, name: string): boolean {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw badRequest(`parameter "${name}" is true or false, not "${text}"`);
}
