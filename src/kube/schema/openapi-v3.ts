/**
 * The OpenAPI v3 document of one group version: `/openapi/v3/apis/apps/v1`.
 *
 * Clients read three things from it: that PATCH takes `fieldValidation` (kubectl then leaves validation to the server),
 * the schema of a kind (`kubectl explain`, `kubectl apply`), and which paths there are. Rendering takes some
 * milliseconds; whoever serves the document keeps it.
 */
import type { GroupVersion, Gvk } from '#kube/meta/gvk.ts';
import { builtinGoType, goTypeOf, kindOfComponent, metaType } from './builtin.ts';
import { type Components, customNode, type OpenApiNode, refTo, structRef } from './openapi-component.ts';
import type { Schema } from './schema.ts';

/** What the document tells of a resource; every ResourceDefinition is one. */
export interface OpenApiResource extends Gvk {
  readonly resource: string;
  readonly namespaced: boolean;
  readonly custom: boolean;
  readonly schema: Schema;
  readonly listKind?: string;
  readonly verbs?: readonly string[];
  readonly subresources: readonly string[];
  readonly strategy: { readonly hasStatus: boolean };
  readonly scale?: unknown;
}

export interface OpenApiDocument {
  readonly openapi: '3.0.0';
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, OpenApiNode>>;
  readonly components: OpenApiNode;
}

export function renderOpenApiV3(groupVersion: GroupVersion, resources: readonly OpenApiResource[]): OpenApiDocument {
  const { components, schemas } = componentCollector(groupVersion);
  const paths: Record<string, OpenApiNode> = {};
  for (const resource of resources) Object.assign(paths, resourcePaths(resource, components));
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'unversioned' },
    paths: sorted(paths),
    components: {
      schemas: sorted(Object.fromEntries(schemas)),
      securitySchemes: { BearerToken: { type: 'apiKey', name: 'authorization', in: 'header' } },
    },
  };
}

function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Components of kinds say which kind they are, as clients look them up by it. */
function componentCollector(groupVersion: GroupVersion) {
  const schemas = new Map<string, OpenApiNode>();
  const components: Components = {
    ref(component, make) {
      if (!schemas.has(component)) {
        schemas.set(component, {}); // so that a type that refers to itself ends here
        schemas.set(component, { ...make(), ...kindOf(component, groupVersion) });
      }
      return refTo(component);
    },
  };
  return { components, schemas };
}

function kindOf(component: string, groupVersion: GroupVersion): OpenApiNode {
  const gvk =
    component === metaType('DeleteOptions').component
      ? { ...groupVersion, kind: 'DeleteOptions' }
      : kindOfComponent(component);
  return gvk ? { 'x-kubernetes-group-version-kind': [gvkNode(gvk)] } : {};
}

function gvkNode({ group, version, kind }: Gvk): OpenApiNode {
  return { group, kind, version };
}

/** `io.karmada.policy.v1alpha1.PropagationPolicy`: the group from right to left. */
function customComponent({ group, version, kind }: Gvk): string {
  return [...group.split('.').reverse(), version, kind].join('.');
}

function resourcePaths(resource: OpenApiResource, components: Components): Record<string, OpenApiNode> {
  const { group, version, namespaced } = resource;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const collection = `${root}${namespaced ? '/namespaces/{namespace}' : ''}/${resource.resource}`;
  const object = objectRef(resource, components);
  const verbs = new Set(resource.verbs ?? ALL_VERBS);
  const list = verbs.has('list') ? listRef(resource, object, components) : object;
  const scope = namespaced ? [pathParameter('namespace')] : [];
  const paths: Record<string, OpenApiNode> = {};
  const add = (path: string, operations: OpenApiNode, parameters: readonly OpenApiNode[]) => {
    if (Object.keys(operations).length > 0) paths[path] = { ...operations, parameters: [...parameters, PRETTY] };
  };
  const describe: Describe = (operation) => operationNode({ ...operation, resource, kind: resource }, components);

  add(collection, collectionOperations(verbs, object, list, describe), scope);
  if (namespaced) {
    const everywhere = verbs.has('list') ? { get: describe({ action: 'list', answer: list, query: LIST_QUERY }) } : {};
    add(`${root}/${resource.resource}`, everywhere, []);
  }
  const named = [pathParameter('name'), ...scope];
  add(`${collection}/{name}`, memberOperations(verbs, object, describe), named);
  for (const part of partsOf(resource, object, components)) {
    const describePart: Describe = (operation) =>
      operationNode({ ...operation, resource, kind: part.kind }, components);
    add(`${collection}/{name}/${part.name}`, memberOperations(PART_VERBS, part.schema, describePart), named);
  }
  return paths;
}

function objectRef(resource: OpenApiResource, components: Components): OpenApiNode {
  const type = goTypeOf(resource.schema);
  if (type?.form === 'struct') return structRef(type, components);
  return components.ref(customComponent(resource), () => ({
    ...customNode(resource.schema, components),
    'x-kubernetes-group-version-kind': [gvkNode(resource)],
  }));
}

function listRef(resource: OpenApiResource, object: OpenApiNode, components: Components): OpenApiNode {
  const kind = resource.listKind ?? `${resource.kind}List`;
  const name = String(object['$ref']).split('/').pop() ?? '';
  const component = name.slice(0, name.lastIndexOf('.') + 1) + kind;
  return components.ref(component, () => ({
    type: 'object',
    properties: {
      apiVersion: { type: 'string' },
      items: { type: 'array', items: { allOf: [object], default: {} } },
      kind: { type: 'string' },
      metadata: { allOf: [structRef(metaType('ListMeta'), components)], default: {} },
    },
    required: ['items'],
    'x-kubernetes-group-version-kind': [gvkNode({ ...resource, kind })],
  }));
}

/** Subresources that are objects; streams (`log`, `exec`, …) are left out. */
interface Part {
  readonly name: string;
  readonly kind: Gvk;
  readonly schema: OpenApiNode;
}

const SCALE: Gvk = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

function partsOf(resource: OpenApiResource, object: OpenApiNode, components: Components): Part[] {
  const scale = builtinGoType(SCALE);
  const hasStatus = resource.strategy.hasStatus || resource.subresources.includes('status');
  return [
    ...(hasStatus ? [{ name: 'status', kind: resource, schema: object }] : []),
    ...(resource.scale && scale ? [{ name: 'scale', kind: SCALE, schema: structRef(scale, components) }] : []),
  ];
}

const ALL_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const PART_VERBS = new Set(['get', 'patch', 'update']);

const PRETTY = query('pretty', 'string');
const WRITE_QUERY = [query('dryRun', 'string'), query('fieldManager', 'string'), query('fieldValidation', 'string')];
const PATCH_QUERY = [...WRITE_QUERY, query('force', 'boolean')];
const DELETE_QUERY = [
  query('dryRun', 'string'),
  query('gracePeriodSeconds', 'integer'),
  query('orphanDependents', 'boolean'),
  query('propagationPolicy', 'string'),
];
const LIST_QUERY = [
  query('allowWatchBookmarks', 'boolean'),
  query('continue', 'string'),
  query('fieldSelector', 'string'),
  query('labelSelector', 'string'),
  query('limit', 'integer'),
  query('resourceVersion', 'string'),
  query('resourceVersionMatch', 'string'),
  query('sendInitialEvents', 'boolean'),
  query('timeoutSeconds', 'integer'),
  query('watch', 'boolean'),
];

function query(name: string, type: string): OpenApiNode {
  return { in: 'query', name, schema: { type, uniqueItems: true } };
}

function pathParameter(name: string): OpenApiNode {
  return { in: 'path', name, required: true, schema: { type: 'string', uniqueItems: true } };
}

interface Operation {
  readonly resource: OpenApiResource;
  /** The kind it is about, which of a subresource may be another. */
  readonly kind: Gvk;
  readonly action: 'get' | 'list' | 'post' | 'put' | 'patch' | 'delete' | 'deletecollection';
  /** Absent: a Status. */
  readonly answer?: OpenApiNode;
  readonly body?: OpenApiNode;
  readonly query?: readonly OpenApiNode[];
}
type Describe = (operation: Omit<Operation, 'resource' | 'kind'>) => OpenApiNode;

function collectionOperations(
  verbs: ReadonlySet<string>,
  object: OpenApiNode,
  list: OpenApiNode,
  describe: Describe,
): OpenApiNode {
  return {
    ...(verbs.has('list') ? { get: describe({ action: 'list', answer: list, query: LIST_QUERY }) } : {}),
    ...(verbs.has('create')
      ? { post: describe({ action: 'post', answer: object, body: object, query: WRITE_QUERY }) }
      : {}),
    ...(verbs.has('deletecollection') ? { delete: describe({ action: 'deletecollection', query: DELETE_QUERY }) } : {}),
  };
}

function memberOperations(verbs: ReadonlySet<string>, object: OpenApiNode, describe: Describe): OpenApiNode {
  return {
    ...(verbs.has('get') ? { get: describe({ action: 'get', answer: object }) } : {}),
    ...(verbs.has('update')
      ? { put: describe({ action: 'put', answer: object, body: object, query: WRITE_QUERY }) }
      : {}),
    ...(verbs.has('patch') ? { patch: describe({ action: 'patch', answer: object, query: PATCH_QUERY }) } : {}),
    ...(verbs.has('delete') ? { delete: describe({ action: 'delete', query: DELETE_QUERY }) } : {}),
  };
}

function operationNode(
  { resource, kind, action, answer, body, query }: Operation,
  components: Components,
): OpenApiNode {
  const status = () => structRef(metaType('Status'), components);
  const content = {
    'application/json': { schema: answer ?? status() },
    'application/yaml': { schema: answer ?? status() },
  };
  return {
    ...(query ? { parameters: query } : {}),
    ...bodyNode(resource, action, body, components),
    responses: { 200: { description: 'OK', content }, 401: { description: 'Unauthorized' } },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvkNode(kind),
  };
}

const PATCHES = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json'];
const STRATEGIC = 'application/strategic-merge-patch+json';

function bodyNode(
  resource: OpenApiResource,
  action: Operation['action'],
  body: OpenApiNode | undefined,
  components: Components,
): OpenApiNode {
  if (body) return { requestBody: { content: { '*/*': { schema: body } }, required: true } };
  if (action === 'delete' || action === 'deletecollection') {
    const schema = structRef(metaType('DeleteOptions'), components);
    return { requestBody: { content: { '*/*': { schema } } } };
  }
  if (action !== 'patch') return {};
  const schema = components.ref('io.k8s.apimachinery.pkg.apis.meta.v1.Patch', () => ({ type: 'object' }));
  const types = resource.custom ? PATCHES : [...PATCHES, STRATEGIC];
  return { requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema }])), required: true } };
}
