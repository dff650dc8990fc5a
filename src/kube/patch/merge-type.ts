import { goTypeOf, objectMetaSchema } from '#kube/schema/builtin.ts';
import type { GoField } from '#kube/schema/go-type.ts';
import type { Schema } from '#kube/schema/schema.ts';

/**
 * How values of a schema are owned and merged: what is one piece, what falls into parts, what names a part.
 *
 * A value may be of more than one form (an untyped field); which one applies is read off the value. Lists without a type
 * are atomic, maps and structs are granular unless they say otherwise, and fields without schema are deduced from the
 * value: maps granular, lists atomic. As Kubernetes does when it makes its merge schema from OpenAPI.
 *
 * Types are made when first reached and kept as long as their schema. Start at {@link mergeTypeOf}.
 */
export interface MergeType {
  readonly scalar?: ScalarForm;
  readonly list?: ListForm;
  readonly map?: MapForm;
}

export type ScalarForm = 'numeric' | 'string' | 'boolean' | 'untyped';

export interface ListForm {
  readonly relation: 'atomic' | 'set' | 'map';
  /** Sorted by name. */
  readonly keys: readonly ListKey[];
  readonly element: MergeType;
}

export interface ListKey {
  readonly name: string;
  /** What a missing key counts as. */
  readonly default: unknown;
}

export interface MapForm {
  readonly atomic: boolean;
  /** Whether there are fields at all. */
  readonly declares: boolean;
  field(name: string): MapField | undefined;
  /** The type of members that are no fields; undefined where there can be none. */
  readonly element: MergeType | undefined;
  /** The fields that are in every object of the type. */
  readonly always: readonly string[];
}

export interface MapField {
  readonly type: MergeType;
  /** What Go writes for a field that was never set; undefined when it writes nothing. */
  readonly zero: unknown;
  /** Which values Go leaves out: none, null only, or every empty one. */
  readonly omits: 'nothing' | 'null' | 'empty';
}

/** The type of whole objects of a kind: a custom resource's metadata is typed too, whatever its schema says of it. */
export function mergeTypeOf(schema: Schema): MergeType {
  let type = roots.get(schema);
  if (!type) roots.set(schema, (type = rootType(schema)));
  return type;
}

const roots = new WeakMap<Schema, MergeType>();

function rootType(schema: Schema): MergeType {
  if (goTypeOf(schema)) return typeOf(schema, { preserve: false, go: true });
  return { map: mapForm(schema, { preserve: schema.preserveUnknownFields === true, go: false }, objectFields()) };
}

const text: Schema = { type: 'string' };
const objectFields = (): Record<string, Schema> => ({ apiVersion: text, kind: text, metadata: objectMetaSchema() });

/** Values nobody described: a list is one piece, a map falls into its members. */
export const DEDUCED: MergeType = {
  scalar: 'untyped',
  get list() {
    return atomicList;
  },
  get map() {
    return deducedMap;
  },
};

/** Values that are one piece whatever they are. */
const ATOMIC: MergeType = {
  scalar: 'untyped',
  get list() {
    return atomicList;
  },
  get map() {
    return atomicMap;
  },
};

const noField = () => undefined;
const atomicList: ListForm = { relation: 'atomic', keys: [], element: ATOMIC };
const atomicMap: MapForm = { atomic: true, declares: false, field: noField, element: ATOMIC, always: [] };
const deducedMap: MapForm = { atomic: false, declares: false, field: noField, element: DEDUCED, always: [] };

interface Context {
  /** Below a schema that preserves unknown fields. */
  readonly preserve: boolean;
  /** Objects of the type are Go structs: some fields are always there, and empty ones may be left out. */
  readonly go: boolean;
}

const made = new Map<string, WeakMap<Schema, MergeType>>();

function typeOf(schema: Schema, { preserve, go }: Context): MergeType {
  const context = { preserve: preserve || schema.preserveUnknownFields === true, go };
  const key = `${context.preserve} ${go}`;
  const cache = made.get(key) ?? new WeakMap<Schema, MergeType>();
  made.set(key, cache);
  let type = cache.get(schema);
  if (!type) cache.set(schema, (type = makeType(schema, context)));
  return type;
}

function makeType(schema: Schema, context: Context): MergeType {
  const go = goTypeOf(schema);
  if (go?.form === 'leaf' && go.leaf === 'raw') return ATOMIC;
  if (schema.intOrString) return { scalar: 'untyped' };
  switch (schema.type) {
    case 'object':
      return { map: mapForm(schema, context, schema.embeddedResource ? objectFields() : {}) };
    case 'array':
      return { list: listForm(schema, context) };
    case 'integer':
    case 'number':
      return { scalar: 'numeric' };
    case 'boolean':
      return { scalar: 'boolean' };
    case 'string':
      return { scalar: schema.format === undefined || schema.format === 'byte' ? 'string' : 'untyped' };
    default:
      return { scalar: 'untyped', list: listForm(schema, context), map: mapForm(schema, context, {}) };
  }
}

function listForm(schema: Schema, context: Context): ListForm {
  const { items } = schema;
  const merges = schema.listType === undefined && schema.patchStrategy?.includes('merge') === true;
  const keys = schema.listMapKeys ?? (merges && schema.patchMergeKey ? [schema.patchMergeKey] : []);
  let element: MergeType | undefined;
  return {
    relation: schema.listType ?? (merges ? (keys.length > 0 ? 'map' : 'set') : 'atomic'),
    keys: [...keys].sort().map((name) => ({ name, default: items?.properties?.[name]?.default })),
    get element() {
      return (element ??= items ? typeOf(items, context) : ATOMIC);
    },
  };
}

function mapForm(schema: Schema, context: Context, extra: Record<string, Schema>): MapForm {
  const go = context.go ? goTypeOf(schema) : undefined;
  const goFields = go?.form === 'struct' ? go.byName : undefined;
  const fields = new Map<string, MapField>();
  let element: { readonly type: MergeType | undefined } | undefined;
  const declares = schema.properties !== undefined || Object.keys(extra).length > 0;

  function makeField(name: string): MapField | undefined {
    const declared = Object.hasOwn(extra, name) ? extra[name] : ownProperty(schema, name);
    if (!declared) return undefined;
    const goField = goFields?.get(name);
    return {
      type: typeOf(declared, context),
      zero: goField && zeroOf(goField),
      omits: goField ? omittedOf(goField) : 'nothing',
    };
  }

  return {
    atomic: schema.mapType === 'atomic',
    declares,
    field(name) {
      const known = fields.get(name);
      if (known || !declares) return known;
      const field = makeField(name);
      if (field) fields.set(name, field);
      return field;
    },
    get element() {
      return (element ??= { type: elementType(schema, context) }).type;
    },
    always: [...(goFields?.values() ?? [])]
      .filter((field) => omittedOf(field) === 'nothing')
      .map((field) => field.name),
  };
}

function ownProperty({ properties }: Schema, name: string): Schema | undefined {
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function elementType({ additionalProperties, properties }: Schema, context: Context): MergeType | undefined {
  if (typeof additionalProperties === 'object') return typeOf(additionalProperties, context);
  if (additionalProperties !== undefined) return additionalProperties ? DEDUCED : undefined;
  return context.preserve || properties === undefined || Object.keys(properties).length === 0 ? DEDUCED : undefined;
}

function omittedOf({ omitEmpty, omitZero, pointer }: GoField): 'nothing' | 'null' | 'empty' {
  if (!omitEmpty && !omitZero) return 'nothing';
  return pointer ? 'null' : 'empty';
}

function zeroOf(field: GoField): unknown {
  const { pointer, type } = field;
  if (omittedOf(field) !== 'nothing') return undefined;
  if (pointer) return null;
  if (type.form === 'struct') return {};
  return type.form === 'leaf' ? (ZERO_LEAVES[type.leaf] ?? null) : null;
}

const ZERO_LEAVES: Readonly<Record<string, unknown>> = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  float64: 0,
  duration: '0s',
  quantity: '0',
  intorstring: 0,
};
