/**
 * The Go declarations and the published schemas, joined: every type reachable from a stable kind, field by field.
 *
 * The two sources are checked against each other, so that neither can drift unseen.
 */
import { isDeepStrictEqual } from 'node:util';
import type { GoDeclaration, GoExpression, GoField, GoPackage } from './go-types.ts';
import type { ComponentSchema, PropertySchema, PublishedApi } from './openapi.ts';

export interface Model {
  /** Short package name (`apps.v1`) → prefix of its OpenAPI components. */
  readonly packages: Readonly<Record<string, string>>;
  readonly types: ReadonlyMap<string, ModelType>;
  /** `group/version/kind` → type. */
  readonly kinds: ReadonlyMap<string, string>;
}

export interface ModelType {
  readonly fields: readonly ModelField[];
  readonly mapType?: string;
}

export interface ModelField {
  /** Empty on an embedded struct whose fields are promoted. */
  readonly json: string;
  readonly number: number;
  readonly type: TypeExpression;
  readonly pointer: boolean;
  readonly required: boolean;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  readonly extras: FieldExtras;
}

export interface FieldExtras {
  readonly list?: string;
  readonly keys?: readonly string[];
  readonly map?: string;
  readonly patch?: string;
  readonly merge?: string;
  readonly default?: unknown;
}

/** `go` is the name Go prints for a type that is not simply built from its parts. */
export type TypeExpression =
  | { readonly form: 'leaf'; readonly name: string; readonly go?: string }
  | { readonly form: 'struct'; readonly key: string }
  | { readonly form: 'list' | 'map'; readonly of: TypeExpression; readonly go?: string; readonly wrapped?: boolean };

/** Types with their own way of being written in JSON and protobuf. */
const LEAVES: Readonly<Record<string, string>> = {
  'k8s.io/apimachinery/pkg/apis/meta/v1.Time': 'time',
  'k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime': 'microtime',
  'k8s.io/apimachinery/pkg/apis/meta/v1.Duration': 'duration',
  'k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1': 'fields',
  'k8s.io/apimachinery/pkg/api/resource.Quantity': 'quantity',
  'k8s.io/apimachinery/pkg/util/intstr.IntOrString': 'intorstring',
  'k8s.io/apimachinery/pkg/runtime.RawExtension': 'raw',
  'k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON': 'json',
  'k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrArray': 'schemaorarray',
  'k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrBool': 'schemaorbool',
  'k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrStringArray': 'schemaorstrings',
};
/** Lists that are a message of their own on the wire. */
const WRAPPED = new Set(['ExtraValue', 'Verbs']);

/** Request bodies that are no stored kind. */
const OPTION_KINDS = { 'meta.k8s.io/v1/DeleteOptions': 'DeleteOptions' } as const;
/** Parts of answers that no kind refers to. */
const ANSWERS = ['ListMeta', 'Status'] as const;
const META = 'k8s.io/apimachinery/pkg/apis/meta/v1';

export function buildModel(api: PublishedApi, packageOf: (path: string) => GoPackage): Model {
  const packages: Record<string, string> = {};
  const types = new Map<string, ModelType>();
  const kinds = new Map<string, string>();

  /** Names a struct, and makes it part of the model when it is met first. `parent` embeds it. */
  function struct(path: string, name: string, parent?: ComponentSchema): string {
    const prefix = componentPrefix(path);
    const key = `${shortPackage(path)}.${name}`;
    packages[shortPackage(path)] = prefix;
    if (types.has(key)) return key;
    types.set(key, { fields: [] }); // so that a type that refers to itself ends here
    const component = api.components.get(`${prefix}.${name}`);
    const { fields } = declared(path, name, 'struct');
    const mapType = component?.['x-kubernetes-map-type'];
    types.set(key, {
      fields: fields.map((field) => convert(field, component ?? parent, `${key}.${field.json ?? ''}`)),
      ...(mapType ? { mapType } : {}),
    });
    if (component) compare(key, component);
    return key;
  }

  function convert(field: GoField, component: ComponentSchema | undefined, where: string): ModelField {
    const pointer = field.type.form === 'pointer';
    const published = field.json === undefined ? undefined : component?.properties?.[field.json];
    return {
      json: field.json ?? '',
      number: field.number,
      type: expression(field.type, component),
      pointer,
      required: component?.required?.includes(field.json ?? '') ?? false,
      omitEmpty: field.omitEmpty,
      omitZero: field.omitZero,
      extras: extrasOf(field, published, where),
    };
  }

  function expression(type: GoExpression, parent: ComponentSchema | undefined): TypeExpression {
    switch (type.form) {
      case 'pointer':
        return expression(type.of, parent);
      case 'primitive':
        return { form: 'leaf', name: type.name };
      case 'list':
        if (isByte(type.of)) return { form: 'leaf', name: 'bytes' };
        return { form: 'list', of: expression(type.of, undefined) };
      case 'map':
        return mapExpression(type.key, expression(type.of, undefined));
      case 'name':
        return named(type.package, type.name, parent);
    }
  }

  function named(path: string, name: string, parent: ComponentSchema | undefined): TypeExpression {
    const leaf = LEAVES[`${path}.${name}`];
    if (leaf?.startsWith('schemaor')) struct(path, 'JSONSchemaProps');
    if (leaf) return { form: 'leaf', name: leaf };
    const declaration = declared(path, name);
    if (declaration.form === 'struct') return { form: 'struct', key: struct(path, name, parent) };
    const as = expression(declaration.as, undefined);
    if (as.form === 'struct') return as;
    return { ...as, go: goName(path, name), ...(WRAPPED.has(name) ? { wrapped: true } : {}) };
  }

  function declared(path: string, name: string): GoDeclaration;
  function declared(path: string, name: string, form: 'struct'): Extract<GoDeclaration, { form: 'struct' }>;
  function declared(path: string, name: string, form?: 'struct'): GoDeclaration {
    const found = packageOf(path).get(name);
    if (!found) throw new Error(`${path} declares no type ${name}`);
    if (form && found.form !== form) throw new Error(`${path}.${name} is not a ${form}`);
    return found;
  }

  /** Property names of the published component and of the Go struct must be the same. */
  function compare(key: string, component: ComponentSchema): void {
    const ours = flatNames(types, key).sort();
    const theirs = Object.keys(component.properties ?? {}).sort();
    if (!isDeepStrictEqual(ours, theirs)) throw new Error(`${key}: Go has ${ours.join()}, OpenAPI ${theirs.join()}`);
  }

  for (const [gvk, component] of [...api.kinds].sort(byKey)) {
    const dot = component.lastIndexOf('.');
    kinds.set(gvk, struct(packagePath(component.slice(0, dot)), component.slice(dot + 1)));
  }
  for (const [gvk, type] of Object.entries(OPTION_KINDS)) kinds.set(gvk, struct(META, type));
  for (const type of ANSWERS) struct(META, type);
  return { packages, types: new Map([...types].sort(byKey)), kinds };
}

/** The JSON names of a struct, those of embedded structs among them. */
export function flatNames(types: ReadonlyMap<string, ModelType>, key: string): string[] {
  return (types.get(key)?.fields ?? []).flatMap((field) =>
    field.json === '' && field.type.form === 'struct' ? flatNames(types, field.type.key) : [field.json],
  );
}

function extrasOf(field: GoField, published: PropertySchema | undefined, where: string): FieldExtras {
  const patch = published?.['x-kubernetes-patch-strategy'];
  const merge = published?.['x-kubernetes-patch-merge-key'];
  if (published && (patch !== field.patchStrategy || merge !== field.patchMergeKey)) {
    throw new Error(`${where}: Go and OpenAPI disagree on its patch strategy`);
  }
  return omitUndefined({
    list: published?.['x-kubernetes-list-type'],
    keys: published?.['x-kubernetes-list-map-keys'],
    map: published?.['x-kubernetes-map-type'],
    patch: field.patchStrategy,
    merge: field.patchMergeKey,
    default: isArtefact(field, published?.default) ? undefined : published?.default,
  });
}

/** The generator of the published schemas writes the zero value of every field that Go always writes as its default. */
function isArtefact(field: GoField, value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return !value && !field.omitEmpty && field.type.form !== 'pointer';
}

function mapExpression(key: GoExpression, of: TypeExpression): TypeExpression {
  if (key.form === 'primitive') return { form: 'map', of };
  if (key.form !== 'name') throw new Error('a map is keyed by something else than a name');
  return { form: 'map', of, go: `map[${goName(key.package, key.name)}]${printed(of)}` };
}

/** A type as Go's reflection prints it. */
function printed(type: TypeExpression): string {
  if (type.form === 'struct') return type.key.split('.').slice(-2).join('.');
  if (type.go !== undefined) return type.go;
  if (type.form === 'leaf') return type.name === 'quantity' ? 'resource.Quantity' : type.name;
  return type.form === 'list' ? `[]${printed(type.of)}` : `map[string]${printed(type.of)}`;
}

function isByte(type: GoExpression): boolean {
  return type.form === 'primitive' && (type.name === 'byte' || type.name === 'uint8');
}

function goName(path: string, name: string): string {
  return `${path.slice(path.lastIndexOf('/') + 1)}.${name}`;
}

/** `k8s.io/api/apps/v1` → `apps.v1`; `k8s.io/apimachinery/pkg/apis/meta/v1` → `meta.v1`. */
function shortPackage(path: string): string {
  return path.split('/').slice(-2).join('.');
}

function componentPrefix(path: string): string {
  return path.replace('k8s.io/', 'io.k8s.').replaceAll('/', '.');
}

function packagePath(prefix: string): string {
  return `k8s.io/${prefix.slice('io.k8s.'.length).replaceAll('.', '/')}`;
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function omitUndefined<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}
