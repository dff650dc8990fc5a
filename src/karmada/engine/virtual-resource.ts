/**
 * Resources that are computed rather than stored, served so that kubectl cannot tell: lists with selectors, tables with
 * columns, watches that resume.
 *
 * A {@link VirtualResource} says what there is; {@link virtualResource} makes an API extension of it. Which verbs are
 * served follows from what it can do. Lists are never cut into pages: they are as long as what they are made of.
 */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { statusOf, StatusError } from '#base/status-error.ts';
import type { CrdSchema } from '#kube/crds/schema.ts';
import { negotiate, negotiateWatch } from '#kube/apiserver/http/negotiate.ts';
import type { ApiExtension, Column, ExtensionAnswer, ExtensionRequest } from '#kube/apiserver/index.ts';
import { partialMetadata } from '#kube/apiserver/representations/partial-metadata.ts';
import { includeObject } from '#kube/apiserver/representations/table.ts';
import { matchFields, parseFieldSelector, type SelectableFields } from '#kube/meta/field-selector.ts';
import { parseLabelSelector } from '#kube/meta/label-selector.ts';
import type { KubeObject, ObjectKey } from '#kube/meta/object.ts';

export interface VirtualResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly singular: string;
  readonly shortNames?: readonly string[];
  readonly kind: string;
  readonly namespaced: boolean;
  readonly columns: readonly Column[];
  /** What OpenAPI tells of its objects. */
  readonly schema: CrdSchema;
  readonly fields?: SelectableFields;
  readonly now: () => number;
  /** Throws `NotFound` when there is none. */
  get?(key: ObjectKey): Promise<KubeObject>;
  list?(namespace: string | undefined): Promise<VirtualList>;
  /** What changed after a revision, then whatever changes; undefined when the revision is too old or unknown. */
  watch?(from: string | undefined, tell: (events: readonly VirtualEvent[]) => void): VirtualWatch | undefined;
  create?(body: unknown, request: ExtensionRequest): Promise<KubeObject>;
}

export interface VirtualList {
  readonly revision: string;
  readonly items: readonly KubeObject[];
}

export interface VirtualEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
}

export interface VirtualWatch {
  end(): void;
}

export function virtualResource(of: VirtualResource): ApiExtension {
  const { group, version, resource, singular, shortNames = [], namespaced } = of;
  return {
    group,
    version,
    resource,
    singular,
    shortNames,
    namespaced,
    kind: { kind: of.kind },
    schema: of.schema,
    categories: ['kairship'],
    verbs: (['create', 'get', 'list', 'watch'] as const).filter((verb) => of[verb] !== undefined),
    serve: (request) => serve(of, request),
  };
}

async function serve(of: VirtualResource, request: ExtensionRequest): Promise<ExtensionAnswer | undefined> {
  const { verb, namespace, name } = request;
  if (verb === 'watch') return serveWatch(of, request);
  if (verb === 'create' && of.create) return { object: await of.create(await request.body(), request) };
  if (verb === 'get' && of.get && name !== undefined) {
    const object = await of.get({ name, ...(namespace === undefined ? {} : { namespace }) });
    return { object: shown(of, request, [object], object.metadata) ?? object };
  }
  if (verb === 'list' && of.list) return { object: listOf(of, await of.list(request.namespace), request) };
  throw new StatusError('MethodNotAllowed', `${of.resource} cannot be used by ${verb}`);
}

function listOf(of: VirtualResource, { revision, items }: VirtualList, request: ExtensionRequest) {
  const found = items.filter(selected(of, request));
  const metadata = { resourceVersion: revision };
  const plain = { apiVersion: `${of.group}/${of.version}`, kind: `${of.kind}List`, metadata, items: found };
  return shown(of, request, found, metadata) ?? plain;
}

function selected(of: VirtualResource, { query, namespace, name }: ExtensionRequest): (object: KubeObject) => boolean {
  const labels = parseLabelSelector(query.get('labelSelector') ?? '');
  const fields = matchFields(parseFieldSelector(query.get('fieldSelector') ?? ''), of.fields ?? {}, true);
  return (object) =>
    (namespace === undefined || object.metadata.namespace === namespace) &&
    (name === undefined || object.metadata.name === name) &&
    labels.matches(object.metadata.labels) &&
    fields(object);
}

/** The table that was asked for; undefined when the objects themselves were. */
function shown(
  of: VirtualResource,
  request: ExtensionRequest,
  objects: readonly KubeObject[],
  { resourceVersion }: { readonly resourceVersion?: string },
  withColumns = true,
): object | undefined {
  const accept = request.raw?.request.headers.accept;
  const { as, version = 'v1' } = negotiate(accept);
  if (as !== 'Table') return undefined;
  const include = includeObject(request.query.get('includeObject'));
  const now = of.now();
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: resourceVersion === undefined ? {} : { resourceVersion },
    columnDefinitions: withColumns ? of.columns.map(definitionOf) : [],
    rows: objects.map((object) => ({
      cells: of.columns.map((column) => column.cell(object, now) ?? null),
      object: include === 'None' ? null : include === 'Object' ? object : partialMetadata(object, true, version),
    })),
  };
}

function definitionOf({ name, type, format = '', description = '', priority }: Column) {
  return { name, type, format, description, priority };
}

async function serveWatch(of: VirtualResource, request: ExtensionRequest): Promise<undefined> {
  const { raw, query } = request;
  if (!raw || !('response' in raw)) throw new StatusError('BadRequest', `${of.resource} are watched over HTTP only`);
  negotiateWatch(raw.request.headers.accept);
  const { response } = raw;
  const matches = selected(of, request);
  const known = new Set<string>();
  let first = true;
  const line = (type: string, object: unknown) => `${JSON.stringify({ type, object })}\n`;
  const tell = (events: readonly VirtualEvent[]) => {
    for (const { type, object } of events.filter((event) => matches(event.object))) {
      const id = `${object.metadata.namespace}/${object.metadata.name}`;
      // Whoever has not seen it yet is told of something new.
      const told = type === 'MODIFIED' && from === undefined && !known.has(id) ? 'ADDED' : type;
      if (type === 'DELETED') known.delete(id);
      else known.add(id);
      response.write(line(told, shown(of, request, [object], object.metadata, first) ?? object));
      first = false;
    }
  };
  const asked = query.get('resourceVersion') ?? '';
  const showsState = query.get('sendInitialEvents') === 'true' || asked === '' || asked === '0';
  const from = showsState ? undefined : asked;
  const state = showsState ? await of.list?.(request.namespace) : undefined;
  response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' });
  response.flushHeaders();
  tell((state?.items ?? []).map((object) => ({ type: 'ADDED', object })));
  if (query.get('sendInitialEvents') === 'true') response.write(line('BOOKMARK', bookmark(of, state?.revision ?? '0')));
  const watch = of.watch?.(state?.revision ?? from, tell);
  if (watch) await untilOver(response, query, request.signal).finally(() => watch.end());
  else response.write(line('ERROR', statusOf(new StatusError('Expired', `too old resource version: ${asked}`))));
  response.end();
  return undefined;
}

function bookmark(of: VirtualResource, resourceVersion: string) {
  const annotations = { 'k8s.io/initial-events-end': 'true' };
  return { apiVersion: `${of.group}/${of.version}`, kind: of.kind, metadata: { resourceVersion, annotations } };
}

const WATCH_SECONDS = 3_600;

/** Until the client goes, the server closes, or the time that was asked for is over. */
async function untilOver(response: ServerResponse, query: URLSearchParams, closing: AbortSignal): Promise<void> {
  const seconds = Number(query.get('timeoutSeconds') ?? WATCH_SECONDS) || WATCH_SECONDS;
  const over = AbortSignal.any([closing, AbortSignal.timeout(seconds * 1_000)]);
  if (response.destroyed) return;
  await once(response, 'close', { signal: over }).catch(() => undefined);
}
