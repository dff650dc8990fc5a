/**
 * A few words to write structural schemas in, so that a kind's schema reads like its type.
 *
 * Every word returns plain data, ready to be served or written to YAML. A description comes last and is optional; it
 * is what `kubectl explain` prints.
 */
import type { Json } from '#base/json.ts';

export interface CrdSchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly format?: string;
  readonly description?: string;
  readonly default?: Json;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, CrdSchema>>;
  readonly additionalProperties?: CrdSchema;
  readonly items?: CrdSchema;
  readonly required?: readonly string[];
  readonly anyOf?: readonly CrdSchema[];
  readonly 'x-kubernetes-int-or-string'?: true;
  readonly 'x-kubernetes-preserve-unknown-fields'?: true;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'map' | 'set';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
}

export type Properties = Readonly<Record<string, CrdSchema>>;

/** The schema with more said about it. */
export function having(schema: CrdSchema, more: CrdSchema): CrdSchema {
  return { ...schema, ...more };
}

/** The same schema under another description, or with one. */
export function described(description: string, schema: CrdSchema): CrdSchema {
  return { ...schema, description };
}

export function string(description?: string): CrdSchema {
  return { type: 'string', ...because(description) };
}

export function oneOf(values: readonly string[], description?: string): CrdSchema {
  return { type: 'string', enum: values, ...because(description) };
}

export function time(description?: string): CrdSchema {
  return { type: 'string', format: 'date-time', ...because(description) };
}

export function int32(description?: string): CrdSchema {
  return { type: 'integer', format: 'int32', ...because(description) };
}

export function int64(description?: string): CrdSchema {
  return { type: 'integer', format: 'int64', ...because(description) };
}

export function integer(description?: string): CrdSchema {
  return { type: 'integer', ...because(description) };
}

export function number(description?: string): CrdSchema {
  return { type: 'number', ...because(description) };
}

export function boolean(description?: string): CrdSchema {
  return { type: 'boolean', ...because(description) };
}

export function list(items: CrdSchema, description?: string): CrdSchema {
  return { type: 'array', items, ...because(description) };
}

/** A list that is replaced as a whole. */
export function atomicList(items: CrdSchema, description?: string): CrdSchema {
  return { ...list(items, description), 'x-kubernetes-list-type': 'atomic' };
}

/** A list whose items are told apart by some of their fields. */
export function mapList(keys: readonly string[], items: CrdSchema, description?: string): CrdSchema {
  return { ...list(items, description), 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys };
}

export function map(values: CrdSchema, description?: string): CrdSchema {
  return { type: 'object', additionalProperties: values, ...because(description) };
}

export function object(properties: Properties, required: readonly string[] = [], description?: string): CrdSchema {
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}), ...because(description) };
}

export function anyObject(description?: string): CrdSchema {
  return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, ...because(description) };
}

export function anyValue(description?: string): CrdSchema {
  return { 'x-kubernetes-preserve-unknown-fields': true, ...because(description) };
}

function because(description: string | undefined): CrdSchema {
  return description === undefined ? {} : { description };
}
