/**
 * Types as OpenAPI v3 component schemas.
 *
 * Built-in types come out as a real server publishes them, but without descriptions, which the table does not carry;
 * custom resources with everything their CRD says.
 */
import { goTypeOf } from './builtin.ts';
import type { GoField, GoType, Leaf, StructType } from './go-type.ts';
import type { Schema } from './schema.ts';

export type OpenApiNode = Readonly<Record<string, unknown>>;

/** Collects components by name, each once, and says how to refer to them. */
export interface Components {
  /** A reference to the component of a built-in type, which becomes part of the document. */
  ref(component: string, make: () => OpenApiNode): OpenApiNode;
}

export function refTo(component: string): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${component}` };
}

/** A reference to a built-in struct. */
export function structRef(type: StructType, components: Components): OpenApiNode {
  return components.ref(type.component, () => structNode(type, components));
}

function structNode(type: StructType, components: Components): OpenApiNode {
  const required = type.fields.filter((field) => field.required).map((field) => field.name);
  return {
    type: 'object',
    ...(type.fields.length > 0 ? { properties: byName(type.fields, (field) => fieldNode(field, components)) } : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(type.mapType ? { 'x-kubernetes-map-type': type.mapType } : {}),
  };
}

function byName(fields: readonly GoField[], make: (field: GoField) => OpenApiNode): Record<string, OpenApiNode> {
  const sorted = fields.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return Object.fromEntries(sorted.map((field) => [field.name, make(field)]));
}

function fieldNode(field: GoField, components: Components): OpenApiNode {
  const { type, pointer, omitEmpty, omitZero, extras } = field;
  const { list, keys, map, patch, merge } = extras;
  // The zero value of a field that Go always writes is published as its default.
  const zero = pointer || omitEmpty || omitZero ? undefined : zeroOf(type);
  return {
    ...withDefault(typeNode(type, components), extras.default ?? zero),
    ...(list ? { 'x-kubernetes-list-type': list } : {}),
    ...(keys ? { 'x-kubernetes-list-map-keys': keys } : {}),
    ...(map ? { 'x-kubernetes-map-type': map } : {}),
    ...(patch ? { 'x-kubernetes-patch-strategy': patch } : {}),
    ...(merge ? { 'x-kubernetes-patch-merge-key': merge } : {}),
  };
}

/** A reference cannot stand beside other members: it is wrapped. */
function withDefault(node: OpenApiNode, value: unknown): OpenApiNode {
  const wrapped = '$ref' in node ? { allOf: [node] } : node;
  return value === undefined ? wrapped : { ...wrapped, default: value };
}

function typeNode(type: GoType, components: Components): OpenApiNode {
  switch (type.form) {
    case 'struct':
      return structRef(type, components);
    case 'list':
      return { type: 'array', items: elementNode(type.of, components) };
    case 'map':
      return { type: 'object', additionalProperties: elementNode(type.of, components) };
    case 'leaf':
      return leafNode(type.leaf, components);
  }
}

/** What lists and maps hold, with its zero value, but for types that have none to publish. */
function elementNode(type: GoType, components: Components): OpenApiNode {
  const node = typeNode(type, components);
  const zero = zeroOf(type);
  return zero === undefined ? node : withDefault(node, zero);
}

function zeroOf(type: GoType): unknown {
  if (type.form === 'struct') return {};
  return type.form === 'leaf' ? ZEROES[type.leaf as keyof typeof ZEROES] : undefined;
}

const ZEROES = { string: '', bool: false, int32: 0, int64: 0, float64: 0 };

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const EXTENSIONS = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1';

/** Types that write their own JSON are components; the others are written in place. */
const LEAVES = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  float64: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
  time: component(`${META}.Time`, { type: 'string', format: 'date-time' }),
  microtime: component(`${META}.MicroTime`, { type: 'string', format: 'date-time' }),
  duration: component(`${META}.Duration`, { type: 'string' }),
  fields: component(`${META}.FieldsV1`, { type: 'object' }),
  quantity: component('io.k8s.apimachinery.pkg.api.resource.Quantity', {
    oneOf: [{ type: 'string' }, { type: 'number' }],
  }),
  intorstring: component('io.k8s.apimachinery.pkg.util.intstr.IntOrString', {
    format: 'int-or-string',
    oneOf: [{ type: 'integer' }, { type: 'string' }],
  }),
  raw: component('io.k8s.apimachinery.pkg.runtime.RawExtension', { type: 'object' }),
  json: component(`${EXTENSIONS}.JSON`, {}),
  schemaorarray: component(`${EXTENSIONS}.JSONSchemaPropsOrArray`, {}),
  schemaorbool: component(`${EXTENSIONS}.JSONSchemaPropsOrBool`, {}),
  schemaorstrings: component(`${EXTENSIONS}.JSONSchemaPropsOrStringArray`, {}),
} as const satisfies Record<Leaf, OpenApiNode | LeafComponent>;

interface LeafComponent {
  readonly component: string;
  readonly node: OpenApiNode;
}

function component(component: string, node: OpenApiNode): LeafComponent {
  return { component, node };
}

function leafNode(leaf: Leaf, components: Components): OpenApiNode {
  const known: OpenApiNode | LeafComponent = LEAVES[leaf];
  return isComponent(known) ? components.ref(known.component, () => known.node) : known;
}

function isComponent(known: OpenApiNode | LeafComponent): known is LeafComponent {
  return typeof known['component'] === 'string';
}

/** What is written the same in a schema of ours and in OpenAPI. */
const SAME = [
  'type',
  'format',
  'description',
  'required',
  'nullable',
  'default',
  'enum',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
] as const satisfies readonly (keyof Schema)[];

const EXTENSION_NAMES = {
  intOrString: 'x-kubernetes-int-or-string',
  preserveUnknownFields: 'x-kubernetes-preserve-unknown-fields',
  embeddedResource: 'x-kubernetes-embedded-resource',
  validations: 'x-kubernetes-validations',
  listType: 'x-kubernetes-list-type',
  listMapKeys: 'x-kubernetes-list-map-keys',
  mapType: 'x-kubernetes-map-type',
  patchMergeKey: 'x-kubernetes-patch-merge-key',
} as const satisfies Partial<Record<keyof Schema, string>>;

/** The schema of a custom resource; its metadata refers to the built-in type. */
export function customNode(schema: Schema, components: Components): OpenApiNode {
  const type = schema.component === undefined ? undefined : goTypeOf(schema);
  if (type?.form === 'struct') return { allOf: [structRef(type, components)] };
  const inner = (child: Schema) => customNode(child, components);
  const node: Record<string, unknown> = {};
  for (const name of SAME) if (schema[name] !== undefined) node[name] = schema[name];
  for (const [name, extension] of Object.entries(EXTENSION_NAMES)) {
    const value = schema[name as keyof typeof EXTENSION_NAMES];
    if (value !== undefined) node[extension] = value;
  }
  if (schema.properties) {
    const properties = Object.entries(schema.properties).sort(([a], [b]) => (a < b ? -1 : 1));
    node['properties'] = Object.fromEntries(properties.map(([name, child]) => [name, inner(child)]));
  }
  if (schema.items) node['items'] = inner(schema.items);
  const { additionalProperties, not } = schema;
  if (additionalProperties !== undefined) {
    node['additionalProperties'] =
      typeof additionalProperties === 'object' ? inner(additionalProperties) : additionalProperties;
  }
  for (const logic of ['allOf', 'anyOf', 'oneOf'] as const) if (schema[logic]) node[logic] = schema[logic].map(inner);
  if (not) node['not'] = inner(not);
  return node;
}
