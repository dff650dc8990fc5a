/**
 * How large values of a schema can be, for estimates of what rules cost: as far as the schema says, else as much as fits
 * into a request. As k8s.io/apiserver/pkg/cel/common/schemas.go.
 */
import type { Schema } from '../schema.ts';
import { fieldsOf, schemaType } from './schema-type.ts';

/** A node of a schema as estimates see it. */
export interface SchemaSize {
  /** Characters, items or members; zero where it has none of these, as a number or an object of known fields. */
  readonly most: number;
  /** The bytes that the smallest value takes in JSON. */
  readonly least: number;
  readonly item?: SchemaSize;
  /** Keys are texts of which nothing is known. */
  readonly key?: SchemaSize;
  field(name: string): SchemaSize | undefined;
}

const REQUEST_BYTES = 3 * 1024 * 1024;
const LONGEST_TEXT = REQUEST_BYTES - 2;
/** A character may take four bytes. */
const BYTES_PER_CHARACTER = 4;

const none = () => undefined;
const leaf = (most: number, least: number): SchemaSize => ({ most, least, field: none });
const KEY = leaf(0, 2);
const TIMES: Readonly<Record<string, SchemaSize>> = {
  duration: leaf(32, 3),
  date: leaf(12, 12),
  'date-time': leaf(32, 21),
};

/** Undefined for what rules cannot see. */
export function schemaSize(schema: Schema): SchemaSize | undefined {
  if (schemaType(schema) === undefined) return undefined;
  if (schema.intOrString) return leaf(textLength(schema), 1);
  switch (schema.type) {
    case 'array':
      return listSize(schema);
    case 'object':
      return typeof schema.additionalProperties === 'object' ? mapSize(schema) : objectSize(schema);
    case 'string':
      return TIMES[schema.format ?? ''] ?? leaf(textLength(schema), 2);
    case 'boolean':
      return leaf(0, 4);
    default:
      return leaf(0, 1);
  }
}

function textLength({ maxLength, enum: values, format, intOrString }: Schema): number {
  if (maxLength !== undefined) return format === 'byte' && !intOrString ? maxLength : maxLength * BYTES_PER_CHARACTER;
  if (intOrString || format === 'byte' || !values || values.length === 0) return LONGEST_TEXT;
  return Math.max(...values.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0)));
}

function listSize({ items, maxItems }: Schema): SchemaSize | undefined {
  const item = items && schemaSize(items);
  if (!item) return undefined;
  return { most: maxItems ?? Math.floor(LONGEST_TEXT / (item.least + 1)), least: 2, item, field: none };
}

function mapSize({ additionalProperties, maxProperties }: Schema): SchemaSize | undefined {
  const item = typeof additionalProperties === 'object' ? schemaSize(additionalProperties) : undefined;
  if (!item) return undefined;
  return { most: maxProperties ?? Math.floor(LONGEST_TEXT / (item.least + 6)), least: 2, item, key: KEY, field: none };
}

function objectSize(schema: Schema): SchemaSize {
  const fields = fieldsOf(schema);
  const required = (schema.required ?? []).flatMap((name) => {
    const property = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    const size = property && property.default === undefined ? schemaSize(property) : undefined;
    return size ? [Buffer.byteLength(name) + size.least + 4] : [];
  });
  return {
    most: 0,
    least: required.reduce((sum, one) => sum + one, 2),
    field(name) {
      const property = fields(name);
      return property && schemaSize(property);
    },
  };
}

/** How often a value of this size fits into one request. */
export function mostOccurrences({ least }: SchemaSize): number {
  return Math.floor(REQUEST_BYTES / (least + 1));
}
