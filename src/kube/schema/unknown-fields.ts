/**
 * Fields that a type does not have: told to strict clients, and dropped from what is stored.
 *
 * Built-in kinds are decoded into Go structs, which leave unknown fields aside; custom resources are pruned by their
 * schema, their metadata as Go decodes it. Both keep what a schema allows to be kept.
 */
import { isObject } from '#base/json.ts';
import { goTypeOf, objectMetaType } from './builtin.ts';
import { goDecode } from './go-decode.ts';
import type { GoType, StructType } from './go-type.ts';
import { childPath } from './parse-json.ts';
import type { Schema } from './schema.ts';

/** Paths of unknown fields (`spec.template.spec.containers[0].foo`): in the order of the document, of a CR sorted. */
export function unknownFields(schema: Schema, value: unknown): string[] {
  const type = goTypeOf(schema);
  const found: string[] = [];
  if (type) {
    visitType(type, value, '', found);
    return found;
  }
  const metadata = isObject(value) ? value['metadata'] : undefined;
  visitType(objectMetaType(), metadata, 'metadata', found);
  const pruned: string[] = [];
  const embedded: string[] = [];
  prune({ ...schema, embeddedResource: true }, value, '', {
    unknown: (path) => pruned.push(path),
    metadata: (path, inner) => path !== 'metadata' && visitType(objectMetaType(), inner, path, embedded),
  });
  return [...found, ...pruned.sort(), ...embedded];
}

/**
 * Makes `draft` what the type can hold. Of a built-in kind that is what Go would have in its structs: unknown fields,
 * nulls and empty optional values go, quantities and times take their canonical form, and what Go always writes is
 * there (`resources: {}`). Of a custom resource, what the schema does not know goes.
 */
export function dropUnknownFields(schema: Schema, draft: Record<string, unknown>): void {
  const type = goTypeOf(schema);
  if (type) {
    goDecode(type, draft);
    return;
  }
  prune({ ...schema, embeddedResource: true }, draft, '', {
    unknown: (_path, object, key) => delete object[key],
    metadata: (_path, inner) => goDecode(objectMetaType(), inner),
  });
}

function visitType(type: GoType, value: unknown, at: string, found: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  switch (type.form) {
    case 'struct':
      if (isObject(value)) visitStruct(type, value, at, found);
      return;
    case 'map':
      if (type.of.form === 'leaf' || !isObject(value)) return;
      for (const key in value) visitType(type.of, value[key], childPath(at, key), found);
      return;
    case 'list':
      if (type.of.form === 'leaf' || !Array.isArray(value)) return;
      for (let index = 0; index < value.length; index++) visitType(type.of, value[index], `${at}[${index}]`, found);
      return;
    case 'leaf':
    // A schema inside a CRD is read by a decoder of its own, which does not tell what it leaves aside.
  }
}

function visitStruct({ byName }: StructType, value: Record<string, unknown>, at: string, found: string[]): void {
  for (const key in value) {
    const field = byName.get(key);
    if (!field) found.push(childPath(at, key));
    else if (typeof value[key] === 'object') visitType(field.type, value[key], childPath(at, key), found);
  }
}

interface Pruning {
  unknown(path: string, object: Record<string, unknown>, key: string): void;
  /** The metadata of the object and of every resource embedded in it. */
  metadata(path: string, metadata: Record<string, unknown>): void;
}

function prune(schema: Schema, value: unknown, at: string, pruning: Pruning): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    // Where unknown fields are kept, they are kept in the items as well, even if the items do not say so.
    const { items = NOTHING, preserveUnknownFields } = schema;
    const item = preserveUnknownFields ? { ...items, preserveUnknownFields } : items;
    for (let index = 0; index < value.length; index++) prune(item, value[index], `${at}[${index}]`, pruning);
  } else if (isObject(value)) {
    pruneObject(schema, value, at, pruning);
  }
}

function pruneObject(schema: Schema, value: Record<string, unknown>, at: string, pruning: Pruning): void {
  const { properties, additionalProperties, embeddedResource, preserveUnknownFields } = schema;
  for (const key in value) {
    if (embeddedResource && (key === 'apiVersion' || key === 'kind' || key === 'metadata')) {
      const metadata = value[key];
      if (key === 'metadata' && isObject(metadata)) pruning.metadata(childPath(at, key), metadata);
      continue;
    }
    const known = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (known) prune(known, value[key], childPath(at, key), pruning);
    else if (additionalProperties !== undefined)
      prune(valuesOf(additionalProperties), value[key], childPath(at, key), pruning);
    else if (!preserveUnknownFields) pruning.unknown(childPath(at, key), value, key);
  }
}

/** The schema of what must not have any field: values of a map that allows anything, but describes nothing. */
const NOTHING: Schema = {};

function valuesOf(additional: Schema | boolean): Schema {
  return typeof additional === 'boolean' ? NOTHING : additional;
}
