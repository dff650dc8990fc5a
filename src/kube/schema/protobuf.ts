/**
 * Kubernetes objects in protobuf, as newer clients send them: decoded into what the same object in JSON would be.
 *
 * The message of every built-in kind follows from the table; nothing is generated. Answers are always JSON, so there is
 * no encoder. Start at {@link decodeProtobuf}.
 */
import { badRequest, StatusError } from '#base/status-error.ts';
import { type Gvk, parseApiVersion } from '#kube/meta/gvk.ts';
import { builtinGoType, jsonSchemaPropsType } from './builtin.ts';
import { goDecode } from './go-decode.ts';
import { formatGoTime } from './go-time.ts';
import type { GoField, GoType, Leaf, StructType } from './go-type.ts';
import { parseJson } from './parse-json.ts';
import { type ProtobufReader, protobufReader, type Wire } from './protobuf-reader.ts';

/** `k8s` and a zero byte precede every message. */
const MAGIC = [0x6b, 0x38, 0x73, 0x00] as const;

export interface DecodedObject {
  readonly apiVersion: string;
  readonly kind: string;
  [field: string]: unknown;
}

export function isProtobuf(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, index) => bytes[index] === byte);
}

/** Throws `BadRequest` for what is no object of a built-in kind. `expected` is the kind of an object that names none. */
export function decodeProtobuf(bytes: Uint8Array, expected?: Gvk): DecodedObject {
  if (!isProtobuf(bytes)) {
    throw badRequest('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  }
  const { apiVersion, kind, raw } = readEnvelope(protobufReader(bytes.subarray(MAGIC.length)));
  const gvk = kind === '' && expected ? expected : { ...parseApiVersion(apiVersion), kind };
  const type = builtinGoType(gvk);
  if (!type)
    throw badRequest(`no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`);
  const object: DecodedObject = { apiVersion, kind };
  readStruct(type, protobufReader(raw), object);
  goDecode(type, object);
  return object;
}

interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

/** `runtime.Unknown`: what it is, and the message itself. */
function readEnvelope(reader: ProtobufReader): Envelope {
  const envelope: { -readonly [K in keyof Envelope]: Envelope[K] } = {
    apiVersion: '',
    kind: '',
    raw: new Uint8Array(),
  };
  fields(reader, (number, wire) => {
    if (wire !== 2 || number > 2) return false;
    if (number === 2) envelope.raw = reader.bytes();
    else readTypeMeta(reader.message(), envelope);
    return true;
  });
  return envelope;
}

function readTypeMeta(reader: ProtobufReader, envelope: { apiVersion: string; kind: string }): void {
  fields(reader, (number, wire) => {
    if (wire !== 2 || number > 2) return false;
    if (number === 1) envelope.apiVersion = reader.text();
    else envelope.kind = reader.text();
    return true;
  });
}

/** Calls `read` at each field; what it does not read (and says so) is skipped. */
function fields(reader: ProtobufReader, read: (number: number, wire: Wire) => boolean): void {
  while (!reader.done) {
    const { number, wire } = reader.tag();
    if (!read(number, wire)) reader.skip(wire);
  }
}

function readStruct(type: StructType, reader: ProtobufReader, into: Record<string, unknown>): void {
  while (!reader.done) {
    const { number, wire } = reader.tag();
    const field = type.wire.get(number);
    if (!field || number === 0) reader.skip(wire);
    else readField(field, wire, reader, into);
  }
}

function readField(field: GoField, wire: Wire, reader: ProtobufReader, into: Record<string, unknown>): void {
  const { name, type } = field;
  if (type.form === 'struct') {
    expect(wire, 2, name);
    // An embedded struct has no name: its fields are those of the object around it.
    const target = name === '' ? into : (into[name] ??= {});
    readStruct(type, reader.message(), target as Record<string, unknown>);
  } else if (type.form === 'list' && !type.wrapped) {
    readItems(type.of, wire, reader, (into[name] ??= []) as unknown[]);
  } else if (type.form === 'map') {
    expect(wire, 2, name);
    readEntry(type.of, reader.message(), (into[name] ??= {}) as Record<string, unknown>);
  } else {
    into[name] = readValue(type, wire, reader);
  }
}

/** One item, or all of them when numbers come packed. */
function readItems(type: GoType, wire: Wire, reader: ProtobufReader, items: unknown[]): void {
  const native = wireOf(type);
  if (native === 2 || wire !== 2) {
    items.push(readValue(type, wire, reader));
    return;
  }
  const packed = reader.message();
  while (!packed.done) items.push(readValue(type, native, packed));
}

function readEntry(type: GoType, reader: ProtobufReader, into: Record<string, unknown>): void {
  let key = '';
  let value: unknown = null;
  fields(reader, (number, wire) => {
    if (number === 1 && wire === 2) key = reader.text();
    else if (number === 2) value = readValue(type, wire, reader);
    else return false;
    return true;
  });
  if (key === '__proto__') throw badRequest('the key "__proto__" is not supported');
  into[key] = value;
}

function readValue(type: GoType, wire: Wire, reader: ProtobufReader): unknown {
  expect(wire, wireOf(type), type.go);
  if (type.form === 'leaf') return LEAVES[type.leaf](reader);
  if (type.form === 'struct') {
    const object: Record<string, unknown> = {};
    readStruct(type, reader.message(), object);
    return object;
  }
  // A list as an element of something else is a message that holds it as its first field.
  if (type.form === 'map') throw badRequest(`proto: unexpected map ${type.go}`);
  const items: unknown[] = [];
  const inner = reader.message();
  fields(inner, (number, wire) => number === 1 && (readItems(type.of, wire, inner, items), true));
  return items;
}

function wireOf(type: GoType): Wire {
  if (type.form !== 'leaf') return 2;
  if (type.leaf === 'float64') return 1;
  return type.leaf === 'bool' || type.leaf === 'int32' || type.leaf === 'int64' ? 0 : 2;
}

function expect(wire: Wire, wanted: Wire, what: string): void {
  if (wire !== wanted) throw badRequest(`proto: wrong wireType = ${wire} for field ${what}`);
}

const LEAVES = {
  string: (reader) => reader.text(),
  bool: (reader) => reader.integer() !== 0,
  int32: (reader) => reader.integer(),
  int64: (reader) => reader.integer(),
  float64: (reader) => reader.double(),
  bytes: (reader) => base64(reader.bytes()),
  time: (reader) => readTime(reader.message(), false),
  microtime: (reader) => readTime(reader.message(), true),
  duration: (reader) => goDuration(numberAt(reader.message(), 1)),
  quantity: (reader) => textAt(reader.message(), 1) || '0',
  intorstring: (reader) => readIntOrString(reader.message()),
  raw: (reader) => readRaw(reader.message()),
  fields: (reader) => readRaw(reader.message()),
  json: (reader) => readRaw(reader.message()),
  schemaorarray: (reader) => readAlternative(reader.message(), 1, 2),
  schemaorbool: (reader) => readSchemaOrBool(reader.message()),
  schemaorstrings: (reader) => readAlternative(reader.message(), 1, 2, true),
} as const satisfies Record<Leaf, (reader: ProtobufReader) => unknown>;

/** The zero time is written as an empty message, and is no time at all in JSON. */
function readTime(reader: ProtobufReader, micro: boolean): string | null {
  let seconds = 0;
  let nanos = 0;
  fields(reader, (number, wire) => {
    if (wire !== 0 || number > 2) return false;
    if (number === 1) seconds = reader.integer();
    else nanos = reader.integer();
    return true;
  });
  if (seconds === 0 && nanos === 0) return null;
  // Years beyond 9999 have no RFC 3339 form.
  if (Math.abs(seconds) > 253_402_300_799) throw badRequest('Time.MarshalJSON: year outside of range [0,9999]');
  return formatGoTime({ seconds, nanos }, micro);
}

function readIntOrString(reader: ProtobufReader): number | string {
  let isString = false;
  let number = 0;
  let text = '';
  fields(reader, (field, wire) => {
    if (field === 1 && wire === 0) isString = reader.integer() === 1;
    else if (field === 2 && wire === 0) number = reader.integer();
    else if (field === 3 && wire === 2) text = reader.text();
    else return false;
    return true;
  });
  return isString ? text : number;
}

/** JSON, or another object in protobuf, inside of bytes. */
function readRaw(reader: ProtobufReader): unknown {
  let raw: Uint8Array = new Uint8Array();
  fields(reader, (number, wire) => number === 1 && wire === 2 && ((raw = reader.bytes()), true));
  if (raw.length === 0) return null;
  if (isProtobuf(raw)) return decodeProtobuf(raw);
  try {
    return parseJson(raw).value;
  } catch (error) {
    throw error instanceof StatusError ? badRequest(`embedded JSON: ${error.message}`) : error;
  }
}

/** A schema at one number, or a list of schemas (or texts) at another. */
function readAlternative(reader: ProtobufReader, one: number, many: number, texts = false): unknown {
  let single: unknown = null;
  const list: unknown[] = [];
  fields(reader, (number, wire) => {
    if (wire !== 2) return false;
    if (number === one) single = readValue(jsonSchemaPropsType(), wire, reader);
    else if (number === many) list.push(texts ? reader.text() : readValue(jsonSchemaPropsType(), wire, reader));
    else return false;
    return true;
  });
  return list.length > 0 ? list : single;
}

function readSchemaOrBool(reader: ProtobufReader): unknown {
  let allows = false;
  let schema: unknown;
  fields(reader, (number, wire) => {
    if (number === 1 && wire === 0) allows = reader.integer() !== 0;
    else if (number === 2 && wire === 2) schema = readValue(jsonSchemaPropsType(), wire, reader);
    else return false;
    return true;
  });
  return schema ?? allows;
}

function numberAt(reader: ProtobufReader, wanted: number): number {
  let found = 0;
  fields(reader, (number, wire) => number === wanted && wire === 0 && ((found = reader.integer()), true));
  return found;
}

function textAt(reader: ProtobufReader, wanted: number): string {
  let found = '';
  fields(reader, (number, wire) => number === wanted && wire === 2 && ((found = reader.text()), true));
  return found;
}

function base64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

/** Nanoseconds as Go writes a duration: `1h2m3.5s`. */
function goDuration(nanos: number): string {
  const sign = nanos < 0 ? '-' : '';
  const size = Math.abs(nanos);
  if (size === 0) return '0s';
  if (size < 1e3) return `${sign}${size}ns`;
  if (size < 1e6) return `${sign}${size / 1e3}µs`;
  if (size < 1e9) return `${sign}${size / 1e6}ms`;
  const hours = Math.floor(size / 3600e9);
  const minutes = Math.floor((size % 3600e9) / 60e9);
  const seconds = `${(size % 60e9) / 1e9}s`;
  if (hours > 0) return `${sign}${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${sign}${minutes}m${seconds}` : `${sign}${seconds}`;
}
