/** Requests about resources: from a route and a method to a verb, and from its result to an answer. */
import { type Draft, isObject } from '#base/json.ts';
import { badRequest, hasReason, StatusError } from '#base/status-error.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { builtinSchema, decodeError, parseJson } from '#kube/schema/index.ts';
import type { Entry } from '../cache/entry.ts';
import type { Caller, Core } from '../core.ts';
import { methodNotAllowed, resourceNotServed } from '../failures.ts';
import { listBody, listMetadata } from '../representations/list-bytes.ts';
import { partialMetadata, partialMetadataList } from '../representations/partial-metadata.ts';
import { includeObject, table } from '../representations/table.ts';
import { objectLines, partialLines, tableLines } from '../representations/watch-lines.ts';
import type { Served } from '../served.ts';
import { applyObject } from '../verbs/apply.ts';
import { createObject } from '../verbs/create.ts';
import { checkDeleteOptions, type DeleteOptions, deleteObject } from '../verbs/delete.ts';
import { deleteCollection } from '../verbs/delete-collection.ts';
import { getObject } from '../verbs/get.ts';
import { type Listed, listObjects } from '../verbs/list.ts';
import { checkRevisionOptions } from '../verbs/list-options.ts';
import { notStrategic, type PatchDocument, patchObject } from '../verbs/patch.ts';
import { getScale, updateScale } from '../verbs/scale.ts';
import { updateObject } from '../verbs/update.ts';
import { planWatch } from '../verbs/watch.ts';
import { checkMedia, decodeObject, parseBody } from '../write/decode.ts';
import { isPart } from '../write/prepare-update.ts';
import { SCALE } from '../write/scale.ts';
import { checkWriteOptions } from '../write/write-options.ts';
import { parseYaml } from '../write/yaml.ts';
import { type Answer, negotiate, negotiateWatch, objectOnly } from './negotiate.ts';
import { deleteOptions, isWatch, listQuery, watchQuery, writeOptions } from './query.ts';
import { readBody } from './read-body.ts';
import { type Exchange, isPretty, sendJson, sendPieces, sendText } from './respond.ts';
import type { ResourceRoute } from './route.ts';
import { streamWatch } from './watch-stream.ts';

export interface ResourceRequest {
  readonly core: Core;
  readonly exchange: Exchange;
  readonly route: ResourceRoute;
  readonly verb: string;
  readonly served: Served;
  readonly caller: Caller;
  /** Aborts when the server closes. */
  readonly closing: AbortSignal;
}

/** The verb a request stands for, as authorization and audit know it. */
export function verbOf(method: string, route: ResourceRoute, query: URLSearchParams): string {
  const collection = route.name === undefined;
  switch (method) {
    case 'GET':
    case 'HEAD':
      // Below a subresource the query is its own: what is proxied may be a watch of another server.
      if (route.subresource !== undefined) return 'get';
      if (route.watch || ((collection || query.has('watch')) && isWatch(query))) return 'watch';
      return collection ? 'list' : 'get';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return collection ? 'deletecollection' : 'delete';
    default:
      throw methodNotAllowed();
  }
}

export async function serveResource(request: ResourceRequest): Promise<void> {
  const { served, route, verb, exchange } = request;
  const { definition } = served;
  if (definition.custom && isElsewhere(request)) return sendText(exchange, 404, '404 page not found\n');
  if (definition.namespaced && route.namespace === undefined && route.subresource !== undefined) {
    throw resourceNotServed();
  }
  if (route.subresource !== undefined) return serveSubresource(request, route.subresource);
  const named = route.name !== undefined;
  if (named === (verb === 'create' || verb === 'list' || verb === 'deletecollection') && verb !== 'watch') {
    throw methodNotAllowed();
  }
  if (definition.verbs && !definition.verbs.includes(verb)) {
    throw named && !definition.verbs.includes('get') ? resourceNotServed() : methodNotAllowed();
  }
  const everywhere = verb === 'list' || (verb === 'watch' && (!named || route.watch));
  if (definition.namespaced && route.namespace === undefined && !everywhere) {
    // What is in namespaces is made, and cleared away, in one of them at a time.
    throw named ? resourceNotServed() : methodNotAllowed();
  }
  if (!definition.namespaced && route.namespace !== undefined) throw resourceNotServed();
  // Of a single object there is only the old way to watch it; asked for otherwise, it is shown.
  await VERBS[verb === 'watch' && named && !route.watch ? 'get' : verb]?.(request);
}

/** Custom resources are served by a part that knows no other places, and says so in plain text. */
function isElsewhere({ served, route, verb }: ResourceRequest): boolean {
  const { namespaced } = served.definition;
  if (!namespaced) return route.namespace !== undefined;
  return route.namespace === undefined && verb !== 'list' && verb !== 'watch';
}

type Handler = (request: ResourceRequest) => Promise<void>;

const VERBS: Readonly<Record<string, Handler | undefined>> = {
  get: async (request) => {
    const { core, exchange, served } = request;
    const answer = negotiated(request);
    const entry = await getObject(core, served, nameOf(request), exchange.query.get('resourceVersion') ?? undefined);
    sendEntry(request, 200, entry, answer);
  },
  list: async (request) => {
    const { core, exchange, served, route } = request;
    const answer = negotiated(request, isWatched(served));
    const listed = await listObjects(core, served, listQuery(exchange.query, route.namespace));
    await sendList(request, listed, answer);
  },
  watch: async (request) => {
    const { core, exchange, served, route, closing } = request;
    const answer = negotiateWatch(exchange.request.headers.accept);
    if (served.definition.deprecation) request.caller.warn(served.definition.deprecation);
    const plan = await planWatch(core, served, watchQuery(exchange.query, route.namespace, route.name));
    await streamWatch(core, exchange, plan, linesFor(request, answer), closing);
  },
  create: async (request) => {
    const { core, served, caller, route } = request;
    const answer = negotiated(request);
    const { draft, options } = await sentObject(request);
    sendEntry(request, 201, await createObject(core, served, caller, route.namespace, draft, options), answer);
  },
  update: async (request) => {
    const { core, served, caller, route } = request;
    const answer = negotiated(request);
    const { draft, options } = await sentObject(request);
    const { subresource } = route;
    const { entry, created } = await updateObject(core, served, caller, nameOf(request), draft, {
      ...options,
      subresource,
    });
    sendEntry(request, created ? 201 : 200, entry, answer);
  },
  patch: async (request) => {
    const { core, served, caller, route, exchange } = request;
    const type = patchType(request);
    const answer = negotiated(request);
    const options = { ...writeOptions(exchange.query), subresource: route.subresource };
    const patch = await sentPatch(request, type, () => checkWriteOptions('PatchOptions', options, type === 'apply'));
    if (patch.type === 'apply') {
      const { entry, created } = await applyObject(core, served, caller, nameOf(request), patch.body, options);
      return sendEntry(request, created ? 201 : 200, entry, answer);
    }
    sendEntry(request, 200, await patchObject(core, served, caller, nameOf(request), patch, options), answer);
  },
  delete: async (request) => {
    const { core, served, caller } = request;
    const { definition } = served;
    const answer = negotiated(request);
    const options = await sentDeleteOptions(request);
    checkDeleteOptions(options);
    warnOfOrphans(request, options);
    const { entry, gone } = await deleteObject(core, served, caller, nameOf(request), options);
    if (!gone || definition.strategy.deleteReturnsObject) return sendEntry(request, 200, entry, answer);
    const { group, resource } = definition;
    const { name, uid } = entry.object.metadata;
    const details = { name, ...(group ? { group } : {}), kind: resource, uid };
    sendObject(request, 200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }, answer);
  },
  deletecollection: async (request) => {
    const { core, served, caller, exchange, route } = request;
    const answer = negotiated(request);
    const query = listQuery(exchange.query, route.namespace);
    if (isWatch(exchange.query)) checkRevisionOptions(query, true);
    const options = await sentDeleteOptions(request);
    checkDeleteOptions(options);
    const deleted = await deleteCollection(core, served, caller, query, options);
    warnOfOrphans(request, options);
    await sendList(request, deleted, answer);
  },
};

/** Jobs are the one kind whose dependents stay when nobody says otherwise, for the sake of old clients. */
function warnOfOrphans(
  { served, caller }: ResourceRequest,
  { propagationPolicy, orphanDependents }: DeleteOptions,
): void {
  const { resource, group } = served.definition;
  if (resource !== 'jobs' || group !== 'batch' || propagationPolicy !== undefined || orphanDependents !== undefined)
    return;
  caller.warn(
    `child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning`,
  );
}

async function serveSubresource(request: ResourceRequest, subresource: string): Promise<void> {
  const { served, verb } = request;
  const { definition } = served;
  if (subresource === 'scale' && definition.scale) return serveScale(request);
  const known =
    subresource === 'status'
      ? definition.strategy.hasStatus
      : isPart(subresource) && definition.subresources.includes(subresource);
  if (!known) throw resourceNotServed();
  if (verb !== 'get' && verb !== 'update' && verb !== 'patch') throw methodNotAllowed();
  // Of the parts of an object only a status can be a row of a table, and not that of a definition.
  if (subresource !== 'status' || definition.kind === 'CustomResourceDefinition') {
    objectOnly(request.exchange.request.headers.accept);
  }
  await VERBS[verb]?.(request);
}

const DELETE_OPTIONS = { group: 'meta.k8s.io', version: 'v1', kind: 'DeleteOptions' } as const;

async function serveScale(request: ResourceRequest): Promise<void> {
  const { core, served, caller, verb, exchange } = request;
  const { scale } = served.definition;
  const answer = negotiated(request);
  const at = nameOf(request);
  if (!scale) throw resourceNotServed();
  if (verb === 'get') return sendObject(request, 200, getScale(served, scale, at), answer);
  const options = writeOptions(exchange.query);
  if (verb === 'update') {
    const body = await readBody(exchange.request, core.limits.bodyBytes);
    const parsed = await parseBody(body, exchange.request.headers['content-type'], SCALE);
    const object = decodeObject(SCALE, parsed, options, caller);
    return sendObject(request, 200, await updateScale(core, served, scale, caller, at, { object }, options), answer);
  }
  if (verb !== 'patch') throw methodNotAllowed();
  const patch = await sentPatch(request, patchType(request));
  sendObject(request, 200, await updateScale(core, served, scale, caller, at, patch, options), answer);
}

function negotiated({ exchange, served, caller }: ResourceRequest, streams = false): Answer {
  const { custom } = served.definition;
  const answer = negotiate(exchange.request.headers.accept, { streams, custom });
  if (served.definition.deprecation) caller.warn(served.definition.deprecation);
  return answer;
}

function isWatched({ definition }: Served): boolean {
  return definition.verbs === undefined || definition.verbs.includes('watch');
}

function nameOf({ route }: ResourceRequest) {
  return { namespace: route.namespace, name: route.name ?? '' };
}

async function sentObject({ core, exchange, served, caller, verb }: ResourceRequest) {
  const { request, query } = exchange;
  const options = writeOptions(query);
  checkMedia(request.headers['content-type']);
  const body = await readBody(request, core.limits.bodyBytes);
  checkWriteOptions(verb === 'create' ? 'CreateOptions' : 'UpdateOptions', options);
  const parsed = await parseBody(body, request.headers['content-type'], served.definition);
  const draft: Draft<KubeObject> = decodeObject(served.definition, parsed, options, caller);
  return { draft, options };
}

const PATCH_TYPES: Readonly<Record<string, PatchType | undefined>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

type PatchType = PatchDocument['type'] | 'apply';

function patchType({ exchange, served }: ResourceRequest): PatchType {
  const contentType = (exchange.request.headers['content-type'] ?? '').split(';')[0]?.trim() ?? '';
  const type = PATCH_TYPES[contentType];
  if (!type) throw new StatusError('UnsupportedMediaType', '415: Unsupported Media Type', { details: {} });
  if (type === 'strategic' && served.definition.custom) throw notStrategic();
  return type;
}

/** `check` is asked when all has arrived, and before any of it is read. */
async function sentPatch(
  { core, exchange }: ResourceRequest,
  type: PatchType,
  check: () => void = () => undefined,
): Promise<PatchDocument | { readonly type: 'apply'; readonly body: unknown }> {
  const body = await readBody(exchange.request, core.limits.bodyBytes);
  check();
  if (type === 'apply') return { type, body: await parseYaml(body).catch(undecoded) };
  try {
    return { type, body: parseJson(body).value };
  } catch (error) {
    throw badRequest(`error decoding patch: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function undecoded(error: unknown): never {
  if (hasReason(error, 'TooManyRequests')) throw error;
  throw badRequest(`error decoding YAML: ${error instanceof Error ? error.message : String(error)}`);
}

/** Options of a delete come in its body or in its query, never in both. */
async function sentDeleteOptions({ core, exchange }: ResourceRequest): Promise<DeleteOptions> {
  const { request, query } = exchange;
  const body = await readBody(request, core.limits.bodyBytes);
  if (body.length === 0) return deleteOptions(query);
  const { value } = await parseBody(body, request.headers['content-type'], DELETE_OPTIONS).catch(plainly);
  const { kind } = DELETE_OPTIONS;
  if (isObject(value) && (value['kind'] ?? kind) !== kind) {
    const given = JSON.stringify(value['kind']);
    throw badRequest(
      `no kind ${given} is registered for version "meta.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  const schema = builtinSchema(DELETE_OPTIONS);
  const problem = schema && decodeError(schema, value);
  if (problem) throw badRequest(problem);
  return isObject(value) ? withoutNulls(value) : {};
}

/** Options are told what is wrong with them without what they should have been. */
function plainly(error: unknown): never {
  const why =
    error instanceof StatusError
      ? /^the object provided is unrecognized .*?\): (.*) \(.*\)$/.exec(error.message)
      : null;
  throw why?.[1] === undefined ? error : badRequest(why[1]);
}

/** Go's clients write null for what they do not ask for. */
function withoutNulls(value: Readonly<Record<string, unknown>>): DeleteOptions {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
}

function sendEntry(request: ResourceRequest, code: number, entry: Entry, answer: Answer): void {
  const { served, exchange } = request;
  if (exchange.notes && code === 201) exchange.notes.createdName = entry.object.metadata.name;
  if (answer.as === undefined) return sendJson(exchange, code, entry.bytes(), answer.media);
  if (answer.as === 'Table') {
    const { resourceVersion } = entry.object.metadata;
    const metadata = resourceVersion === undefined ? {} : { resourceVersion };
    return sendObject(request, code, table(served, [entry], metadata, tableOptions(request, answer)), answer);
  }
  if (answer.as !== 'PartialObjectMetadata') throw notThat(request, answer, 'not a list', '');
  sendObject(request, code, partialMetadata(entry.object, served.definition.custom, answer.version), answer);
}

function sendList(request: ResourceRequest, listed: Listed, answer: Answer): void | Promise<void> {
  const { served, exchange } = request;
  if (answer.as === undefined) {
    const body = listBody(served, listed);
    if (body.size > ONE_PIECE && answer.media === 'json' && !isPretty(exchange.query))
      return sendPieces(exchange, body);
    return sendJson(exchange, 200, Buffer.concat([...body.pieces()], body.size), answer.media);
  }
  if (answer.as === 'Table') {
    const { custom } = served.definition;
    const metadata = listMetadata(served, listed);
    const shown = custom && !metadata.continue ? { resourceVersion: metadata.resourceVersion } : metadata;
    return sendObject(request, 200, table(served, listed.entries, shown, tableOptions(request, answer)), answer);
  }
  if (answer.as !== 'PartialObjectMetadataList') throw notThat(request, answer, 'a list', 'List');
  sendObject(request, 200, partialMetadataList(served, listed, answer.version), answer);
}

/** Lists up to this size are sent at once. */
const ONE_PIECE = 128 * 1024;

function tableOptions({ core, exchange }: ResourceRequest, { version = 'v1' }: Answer) {
  return { include: includeObject(exchange.query.get('includeObject')), version, now: core.clock.now() };
}

/** Lists and single objects are not shown as each other; Go tells the type it holds. */
function notThat({ served }: ResourceRequest, { as }: Answer, what: string, suffix: string): StatusError {
  const { group, kind, custom } = served.definition;
  const known = kind === 'Event' ? 'core' : group.split('.')[0] || 'core';
  const type = custom ? `unstructured.Unstructured${suffix}` : `${known}.${kind}${suffix}`;
  return new StatusError('NotAcceptable', `you requested ${as}, but the requested object is ${what} (*${type})`);
}

function linesFor({ core, served, exchange }: ResourceRequest, { as, version = 'v1' }: Answer) {
  if (as === 'Table') {
    return tableLines(served, includeObject(exchange.query.get('includeObject')), version, () => core.clock.now());
  }
  return as === 'PartialObjectMetadata' ? partialLines(served, version) : objectLines(served);
}

function sendObject({ exchange }: ResourceRequest, code: number, object: unknown, answer: Answer): void {
  sendJson(exchange, code, `${JSON.stringify(object)}\n`, answer.media);
}
