/**
 * The JSON of messages as JSON Schema, which is what OpenAPI 3.1 speaks.
 */
import { type DescEnum, type DescField, type DescMessage, type JsonObject, ScalarType } from '@bufbuild/protobuf';

/** What comments of the proto files say, by full name. */
export type Comments = Readonly<Record<string, string>>;

/** Messages whose JSON is not that of their fields. */
const WELL_KNOWN: Readonly<Record<string, JsonObject>> = {
  'google.protobuf.Timestamp': { type: 'string', format: 'date-time' },
  'google.protobuf.Duration': { type: 'string', description: 'Seconds, as in "1.5s".' },
  'google.protobuf.FieldMask': { type: 'string', description: 'Paths of fields, with commas between them.' },
  'google.protobuf.Empty': { type: 'object' },
  'google.protobuf.Struct': { type: 'object', additionalProperties: true },
  'google.protobuf.ListValue': { type: 'array', items: {} },
  'google.protobuf.Value': {},
  'google.protobuf.Any': {
    type: 'object',
    properties: { '@type': { type: 'string' } },
    required: ['@type'],
    additionalProperties: true,
  },
  'google.protobuf.StringValue': { type: ['string', 'null'] },
  'google.protobuf.BytesValue': { type: ['string', 'null'], contentEncoding: 'base64' },
  'google.protobuf.BoolValue': { type: ['boolean', 'null'] },
  'google.protobuf.Int32Value': { type: ['integer', 'null'], format: 'int32' },
  'google.protobuf.UInt32Value': { type: ['integer', 'null'], format: 'uint32' },
  'google.protobuf.Int64Value': { type: ['string', 'null'], format: 'int64' },
  'google.protobuf.UInt64Value': { type: ['string', 'null'], format: 'uint64' },
  'google.protobuf.FloatValue': { type: ['number', 'null'], format: 'float' },
  'google.protobuf.DoubleValue': { type: ['number', 'null'], format: 'double' },
};

const INT32 = { type: 'integer', format: 'int32' };
const UINT32 = { type: 'integer', format: 'uint32' };
// JSON numbers cannot hold them all.
const INT64 = { type: 'string', format: 'int64' };
const UINT64 = { type: 'string', format: 'uint64' };

const SCALARS: Readonly<Record<ScalarType, JsonObject>> = {
  [ScalarType.STRING]: { type: 'string' },
  [ScalarType.BOOL]: { type: 'boolean' },
  [ScalarType.BYTES]: { type: 'string', contentEncoding: 'base64' },
  [ScalarType.FLOAT]: { type: 'number', format: 'float' },
  [ScalarType.DOUBLE]: { type: 'number', format: 'double' },
  [ScalarType.INT32]: INT32,
  [ScalarType.SINT32]: INT32,
  [ScalarType.SFIXED32]: INT32,
  [ScalarType.UINT32]: UINT32,
  [ScalarType.FIXED32]: UINT32,
  [ScalarType.INT64]: INT64,
  [ScalarType.SINT64]: INT64,
  [ScalarType.SFIXED64]: INT64,
  [ScalarType.UINT64]: UINT64,
  [ScalarType.FIXED64]: UINT64,
};

export interface Schemas {
  /** A reference to a message, whose schema is kept with the others. */
  message(desc: DescMessage): JsonObject;
  /** The fields of a message, in place, without some of them. */
  fields(desc: DescMessage, without: ReadonlySet<DescField>): JsonObject;
  field(field: DescField): JsonObject;
  /** One element of a field: itself, an item of a list, a value of a map. */
  element(field: DescField): JsonObject;
  /** Every message that has been referred to, by name. */
  all(): JsonObject;
}

export function schemas(comments: Comments): Schemas {
  const known = new Map<string, JsonObject>();

  function message(desc: DescMessage): JsonObject {
    const wellKnown = WELL_KNOWN[desc.typeName];
    if (wellKnown) return wellKnown;
    if (!known.has(desc.typeName)) {
      // Before its fields, which may refer to it again.
      known.set(desc.typeName, {});
      known.set(desc.typeName, fields(desc, new Set()));
    }
    return { $ref: `#/components/schemas/${desc.typeName}` };
  }

  function fields(desc: DescMessage, without: ReadonlySet<DescField>): JsonObject {
    const properties = desc.fields.filter((one) => !without.has(one)).map((one) => [one.jsonName, field(one)]);
    return { type: 'object', ...described(comments[desc.typeName]), properties: Object.fromEntries(properties) };
  }

  function field(one: DescField): JsonObject {
    const text = described(comments[`${one.parent.typeName}.${one.name}`]);
    if (one.fieldKind === 'list') return { type: 'array', items: element(one), ...text };
    if (one.fieldKind === 'map') return { type: 'object', additionalProperties: element(one), ...text };
    return { ...element(one), ...text };
  }

  function element(one: DescField): JsonObject {
    if (one.enum) return enumSchema(one.enum, comments);
    if (one.message) return message(one.message);
    return SCALARS[one.scalar ?? ScalarType.STRING];
  }

  return { message, fields, field, element, all: () => Object.fromEntries([...known].sort(byName)) };
}

function enumSchema(desc: DescEnum, comments: Comments): JsonObject {
  return { type: 'string', enum: desc.values.map(({ name }) => name), ...described(comments[desc.typeName]) };
}

export const described = (description: string | undefined): JsonObject =>
  description === undefined ? {} : { description };

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1);
