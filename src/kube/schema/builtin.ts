/**
 * The schemas of the built-in kinds, from the generated table.
 *
 * Start at {@link builtinSchema}. Reading the table takes a few milliseconds once; the nodes of a kind are made when
 * they are first looked at, and shared by all kinds that use the same type.
 */
import type { Gvk } from '#kube/meta/gvk.ts';
import { type GoField, type GoType, goTypes, type Leaf, type StructType } from './go-type.ts';
import type { Schema } from './schema.ts';
import { table } from './table.ts';

/** A built-in kind, and the resource it is served as. */
export interface BuiltinKind extends Gvk {
  /** Absent for kinds that are only sent to a subresource (Scale, Eviction, TokenRequest). */
  readonly resource?: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
}

/** The schema of a built-in kind, or of `meta.k8s.io/v1 DeleteOptions`; undefined for kinds Kubernetes does not have. */
export function builtinSchema({ group, version, kind }: Gvk): Schema | undefined {
  const entry = own(table().kinds, `${group}/${version}/${kind}`);
  return entry && schemaOf(typeOf(entry[0]));
}

/** All built-in kinds of the stable API groups. */
export function builtinKinds(): readonly BuiltinKind[] {
  return Object.entries(table().kinds).map(([key, entry]) => {
    const [group = '', version = '', kind = ''] = key.split('/');
    const [, resource, namespaced, verbs = '', subresources = ''] = entry;
    return {
      group,
      version,
      kind,
      ...(resource === undefined ? {} : { resource }),
      namespaced: namespaced === 1,
      verbs: words(verbs),
      subresources: words(subresources),
    };
  });
}

/** The metadata of any object, which custom resources share with the built-in kinds. */
export function objectMetaSchema(): Schema {
  return schemaOf(objectMetaType());
}

export function objectMetaType(): StructType {
  return metaType('ObjectMeta');
}

/** A type that all groups share. */
export function metaType(name: 'ObjectMeta' | 'ListMeta' | 'Status' | 'DeleteOptions'): StructType {
  return structType(`meta.v1.${name}`);
}

/** The Go type behind a node of a built-in schema; undefined for custom resources. */
export function goTypeOf(schema: Schema): GoType | undefined {
  return goTypeBySchema.get(schema);
}

/** The Go type of `JSONSchemaProps`, which appears where Go allows a schema or something else. */
export function jsonSchemaPropsType(): StructType {
  return structType('apiextensions.v1.JSONSchemaProps');
}

/** The Go type of a built-in kind; for `DeleteOptions`, clients name any group. */
export function builtinGoType({ group, version, kind }: Gvk): StructType | undefined {
  const key = kind === 'DeleteOptions' ? 'meta.k8s.io/v1/DeleteOptions' : `${group}/${version}/${kind}`;
  const entry = own(table().kinds, key);
  return entry && structType(entry[0]);
}

let kindByComponent: ReadonlyMap<string, Gvk> | undefined;

/** The kind an OpenAPI component is of; undefined for mere types. */
export function kindOfComponent(component: string): Gvk | undefined {
  kindByComponent ??= new Map(
    Object.entries(table().kinds).map(([key, [type]]) => {
      const [group = '', version = '', kind = ''] = key.split('/');
      return [structType(type).component, { group, version, kind }];
    }),
  );
  return kindByComponent.get(component);
}

const goTypeBySchema = new WeakMap<Schema, GoType>();
const schemaByStruct = new WeakMap<StructType, Schema>();

let reader: ReturnType<typeof goTypes> | undefined;

function typeOf(expression: string): GoType {
  reader ??= goTypes(table());
  return reader(expression);
}

function structType(name: string): StructType {
  const type = typeOf(name);
  if (type.form !== 'struct') throw new Error(`${name} is not a struct`);
  return type;
}

function schemaOf(type: GoType): Schema {
  if (type.form !== 'struct') return remember(type, nodeOf(type, {}));
  let schema = schemaByStruct.get(type);
  if (!schema) schemaByStruct.set(type, (schema = remember(type, structNode(type, {}))));
  return schema;
}

function fieldSchema({ type, extras }: GoField): Schema {
  const { list, keys, map, patch, merge } = extras;
  const attributes: Schema = {
    ...(list ? { listType: list } : {}),
    ...(keys ? { listMapKeys: keys } : {}),
    ...(map ? { mapType: map } : {}),
    ...(patch ? { patchStrategy: patch.split(',') as ('merge' | 'replace' | 'retainKeys')[] } : {}),
    ...(merge ? { patchMergeKey: merge } : {}),
    ...(extras.default === undefined ? {} : { default: extras.default }),
  };
  if (type.form !== 'struct') return remember(type, nodeOf(type, attributes));
  return Object.keys(attributes).length === 0 ? schemaOf(type) : remember(type, structNode(type, attributes));
}

function nodeOf(type: Exclude<GoType, StructType>, attributes: Schema): Schema {
  if (type.form === 'leaf') return { ...LEAF_SCHEMAS[type.leaf], ...attributes };
  let of: Schema | undefined;
  const inner = () => (of ??= schemaOf(type.of));
  if (type.form === 'map') {
    return {
      type: 'object',
      ...attributes,
      get additionalProperties() {
        return inner();
      },
    };
  }
  return {
    type: 'array',
    ...attributes,
    get items() {
      return inner();
    },
  };
}

function structNode(type: StructType, attributes: Schema): Schema {
  const required = type.fields.filter((field) => field.required).map((field) => field.name);
  let properties: Readonly<Record<string, Schema>> | undefined;
  return {
    type: 'object',
    component: type.component,
    ...(type.mapType ? { mapType: type.mapType } : {}),
    ...(required.length > 0 ? { required } : {}),
    ...attributes,
    get properties() {
      return (properties ??= propertiesOf(type));
    },
  };
}

/** Without a prototype: a client may send a field called `constructor`. */
function propertiesOf(type: StructType): Readonly<Record<string, Schema>> {
  const properties: Record<string, Schema> = Object.create(null);
  for (const field of type.fields) {
    let schema: Schema | undefined;
    Object.defineProperty(properties, field.name, { enumerable: true, get: () => (schema ??= fieldSchema(field)) });
  }
  return properties;
}

const LEAF_SCHEMAS = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  float64: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  time: { type: 'string', format: 'date-time' },
  microtime: { type: 'string', format: 'micro-time' },
  duration: { type: 'string' },
  quantity: { type: 'string', format: 'quantity' },
  intorstring: { intOrString: true, format: 'int-or-string' },
  fields: { type: 'object', preserveUnknownFields: true },
  raw: { type: 'object', preserveUnknownFields: true },
  json: { preserveUnknownFields: true },
  schemaorarray: { preserveUnknownFields: true },
  schemaorbool: { preserveUnknownFields: true },
  schemaorstrings: { preserveUnknownFields: true },
} as const satisfies Record<Leaf, Schema>;

function remember(type: GoType, schema: Schema): Schema {
  goTypeBySchema.set(schema, type);
  return schema;
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function words(text: string): readonly string[] {
  return text === '' ? [] : text.split(',');
}
