/** What the pinned Kubernetes publishes about its stable API groups: component schemas, kinds and resources. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Modules } from './modules.ts';

export interface PropertySchema {
  readonly default?: unknown;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
}

export interface ComponentSchema {
  readonly properties?: Readonly<Record<string, PropertySchema>>;
  readonly required?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-group-version-kind'?: readonly GroupVersionKind[];
}

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface Resource {
  readonly resource: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
}

export interface PublishedApi {
  readonly components: ReadonlyMap<string, ComponentSchema>;
  /** Component of every stable kind, by `group/version/kind`. */
  readonly kinds: ReadonlyMap<string, string>;
  /** What is served of a kind, by `group/version/kind`; kinds only posted to a subresource have none. */
  readonly resources: ReadonlyMap<string, Resource>;
}

interface Operation {
  readonly 'x-kubernetes-action'?: string;
  readonly 'x-kubernetes-group-version-kind'?: GroupVersionKind;
}
interface Document {
  readonly components?: { readonly schemas?: Readonly<Record<string, ComponentSchema>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const STABLE = /^(?:api__v\d+|apis__[\w.]+__v\d+)_openapi\.json$/;

export function readPublishedApi(modules: Modules): PublishedApi {
  const directory = join(modules['k8s.io/kubernetes'], 'api/openapi-spec/v3');
  const components = new Map<string, ComponentSchema>();
  const kinds = new Map<string, string>();
  const resources = new Map<string, Resource>();
  for (const file of readdirSync(directory)
    .filter((name) => STABLE.test(name))
    .sort()) {
    const document: Document = JSON.parse(readFileSync(join(directory, file), 'utf8'));
    for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
      components.set(name, schema);
      const own = schema['x-kubernetes-group-version-kind']?.[0];
      if (own && isObjectKind(schema, own)) kinds.set(keyOf(own), name);
    }
    readResources(document, resources);
  }
  return { components, kinds, resources };
}

export function keyOf({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`;
}

/** Lists, options and discovery types carry a kind too, but are never stored nor posted as objects. */
function isObjectKind(schema: ComponentSchema, { kind }: GroupVersionKind): boolean {
  return schema.properties?.['metadata'] !== undefined && !kind.endsWith('List') && kind !== 'Status';
}

const COLLECTION = /^\/apis?\/(?:[\w.]+\/)?v\d+\/(?<namespace>namespaces\/\{namespace\}\/)?(?<resource>[a-z]+)$/;
const MEMBER = /^(?<collection>.*\/[a-z]+)\/\{name\}(?:\/(?<subresource>[a-z]+))?$/;

function readResources(document: Document, resources: Map<string, Resource>): void {
  for (const [path, operations] of Object.entries(document.paths)) {
    const at = COLLECTION.exec(path)?.groups;
    const kind = Object.values(operations).find((operation) => operation['x-kubernetes-group-version-kind'])?.[
      'x-kubernetes-group-version-kind'
    ];
    if (!at || !kind || path.includes('/watch/')) continue;
    const namespaced = at['namespace'] !== undefined;
    // The same collection across all namespaces says nothing new.
    if (!namespaced && document.paths[path.replace(/\/(\w+)$/, '/namespaces/{namespace}/$1')]) continue;
    // pods/binding and the like also exist as a create-only collection of their own: a kind keeps its first resource.
    resources.set(keyOf(kind), {
      resource: at['resource'] ?? '',
      namespaced,
      verbs: verbsOf(document, path),
      subresources: subresourcesOf(document, path),
    });
  }
}

const VERBS: Readonly<Record<string, readonly string[]>> = {
  list: ['list', 'watch'],
  post: ['create'],
  deletecollection: ['deletecollection'],
  get: ['get'],
  put: ['update'],
  patch: ['patch'],
  delete: ['delete'],
};

function verbsOf(document: Document, path: string): string[] {
  const operations = [document.paths[path], document.paths[`${path}/{name}`]].flatMap((at) => Object.values(at ?? {}));
  return operations.flatMap((operation) => VERBS[operation['x-kubernetes-action'] ?? ''] ?? []).sort();
}

function subresourcesOf(document: Document, collection: string): string[] {
  return Object.keys(document.paths)
    .map((path) => MEMBER.exec(path)?.groups)
    .filter((at) => at?.['collection'] === collection)
    .flatMap((at) => at?.['subresource'] ?? [])
    .sort();
}
