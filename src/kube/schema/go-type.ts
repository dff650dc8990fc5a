/**
 * A built-in type as Go sees it: what the schema of a custom resource never needs to know.
 *
 * Answers of Kubernetes are Go structs written as JSON, so their key order, what is left out when empty, the wording of
 * type errors and the protobuf form follow from the Go declaration. Types are made from the table when first reached,
 * and may refer to themselves.
 */
import type { FieldEntry, FieldExtras, Table } from './table.ts';

export type GoType = StructType | ListType | MapType | LeafType;

export interface StructType {
  readonly form: 'struct';
  /** As Go prints it: `v1.Deployment`. */
  readonly go: string;
  readonly name: string;
  /** Its OpenAPI component: `io.k8s.api.apps.v1.Deployment`. */
  readonly component: string;
  readonly mapType: 'atomic' | undefined;
  /** In the order of the declaration, embedded structs laid flat: the key order of JSON. */
  readonly fields: readonly GoField[];
  readonly byName: ReadonlyMap<string, GoField>;
  /** By protobuf number; an embedded struct is a message of its own. */
  readonly wire: ReadonlyMap<number, GoField>;
}

export interface ListType {
  readonly form: 'list';
  readonly go: string;
  readonly of: GoType;
  /** On the wire, a message that holds the list as its first field. */
  readonly wrapped: boolean;
}

export interface MapType {
  readonly form: 'map';
  readonly go: string;
  readonly of: GoType;
}

export interface LeafType {
  readonly form: 'leaf';
  readonly go: string;
  readonly leaf: Leaf;
}

export type Leaf = keyof typeof LEAVES;

export interface GoField {
  /** The JSON key; empty for an embedded struct (in {@link StructType.wire} only). */
  readonly name: string;
  /** Its place among {@link StructType.fields}. */
  readonly index: number;
  readonly number: number;
  readonly type: GoType;
  readonly pointer: boolean;
  readonly required: boolean;
  /** Left out of JSON when empty; never true of a struct that is not a pointer, which Go always writes. */
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  readonly extras: FieldExtras;
  /** Names of the embedded structs this field was reached through, as type errors tell them. */
  readonly through: readonly string[];
}

/** Go's name of each leaf that is not declared under another. */
const LEAVES = {
  string: 'string',
  bool: 'bool',
  int32: 'int32',
  int64: 'int64',
  float64: 'float64',
  bytes: '[]uint8',
  time: 'v1.Time',
  microtime: 'v1.MicroTime',
  duration: 'v1.Duration',
  fields: 'v1.FieldsV1',
  quantity: 'resource.Quantity',
  intorstring: 'intstr.IntOrString',
  raw: 'runtime.RawExtension',
  json: 'v1.JSON',
  schemaorarray: 'v1.JSONSchemaPropsOrArray',
  schemaorbool: 'v1.JSONSchemaPropsOrBool',
  schemaorstrings: 'v1.JSONSchemaPropsOrStringArray',
} as const;

/** A reader of type expressions that makes every struct of the table once. */
export function goTypes(table: Table): (expression: string) => GoType {
  const structs = new Map<string, StructType>();

  function typeOf(expression: string): GoType {
    const wrapped = expression.startsWith('!');
    const text = wrapped ? expression.slice(1) : expression;
    if (text.startsWith('[')) return container('list', text, ']', wrapped);
    if (text.startsWith('{')) return container('map', text, '}', false);
    const [leaf = '', go] = text.split('=');
    if (isLeaf(leaf)) return { form: 'leaf', leaf, go: go ?? LEAVES[leaf] };
    return structOf(text);
  }

  function container(form: 'list' | 'map', text: string, end: string, wrapped: boolean): ListType | MapType {
    const close = text.indexOf(end);
    const of = typeOf(text.slice(close + 1));
    const go = text.slice(1, close) || `${form === 'list' ? '[]' : 'map[string]'}${of.go}`;
    return form === 'list' ? { form, of, go, wrapped } : { form, of, go };
  }

  function structOf(key: string): StructType {
    let struct = structs.get(key);
    if (!struct) structs.set(key, (struct = makeStruct(key)));
    return struct;
  }

  function makeStruct(key: string): StructType {
    const entry = table.types[key];
    if (!entry) throw new Error(`the schema table has no type ${key}`);
    const dot = key.lastIndexOf('.');
    const packageName = key.slice(0, dot);
    const name = key.slice(dot + 1);
    const own = lazy(() => entry[0].map((field) => fieldOf(field)));
    const fields = lazy(() =>
      own()
        .flatMap(flat)
        .map((field, index) => ({ ...field, index })),
    );
    const byName = lazy(() => new Map(fields().map((field) => [field.name, field])));
    const wire = lazy(() => new Map(own().map((field) => [field.number, field])));
    return {
      form: 'struct',
      go: `${packageName.slice(packageName.lastIndexOf('.') + 1)}.${name}`,
      name,
      component: `${table.packages[packageName]}.${name}`,
      mapType: entry[1],
      get fields() {
        return fields();
      },
      get byName() {
        return byName();
      },
      get wire() {
        return wire();
      },
    };
  }

  function fieldOf([name, number, flags, type, extras = {}]: FieldEntry): GoField {
    const resolved = lazy(() => typeOf(type));
    return {
      name,
      index: 0,
      number,
      pointer: flags.includes('p'),
      required: flags.includes('r'),
      omitEmpty: flags.includes('e') && (flags.includes('p') || !isStruct(type)),
      omitZero: flags.includes('z'),
      extras,
      through: [],
      get type() {
        return resolved();
      },
    };
  }

  return typeOf;
}

function flat(field: GoField): readonly GoField[] {
  if (field.name !== '' || field.type.form !== 'struct') return [field];
  const { name, fields } = field.type;
  return fields.map((inner) => ({ ...inner, through: [name, ...inner.through] }));
}

/** Written as a Go struct, unlike strings, numbers, lists and maps. */
function isStruct(expression: string): boolean {
  const leaf = expression.split('=', 1)[0] ?? '';
  if (/^[[{!]/.test(expression)) return false;
  return !['string', 'bool', 'int32', 'int64', 'float64', 'bytes'].includes(leaf);
}

function isLeaf(name: string): name is Leaf {
  return Object.hasOwn(LEAVES, name);
}

function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
