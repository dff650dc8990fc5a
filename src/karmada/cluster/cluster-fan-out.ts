/**
 * The proxy of the cluster named `*`: one request about all members that are ready.
 *
 * A list is the lists of all of them, one after another, each object marked with its cluster. An object that is named
 * is looked for in all; the request then goes to the one that has it, whatever the request does. As upstream nothing is
 * created this way, nothing is watched, and a name that several clusters have is refused. What a member does not answer,
 * or does not let the caller see, is left out. Paths that are no resources (discovery) are the control plane's own.
 */
import { once } from 'node:events';
import { StatusError } from '#base/status-error.ts';
import { ANNOTATIONS, type Cluster, CLUSTER, READY } from '#karmada/apis/index.ts';
import { routeOf } from '#kube/apiserver/http/route.ts';
import type { ExtensionRequest, RawExchange } from '#kube/apiserver/index.ts';
import { textOf } from '#kube/client/rest-answer.ts';
import { isConditionTrue } from '#kube/meta/condition.ts';
import type { KubeList, KubeObject } from '#kube/meta/object.ts';
import { type ClusterProxyDeps, reach, speakingFor } from './proxied-request.ts';

export const ALL_CLUSTERS = '*';

/** A member that takes longer is left out: the others are not to wait for it. */
const WITHIN_MS = 10_000;
/** Each member has pages of its own. */
const OF_PAGES = ['limit', 'continue'];
/** Streams of a pod: whether it is there is asked of the pod itself. */
const STREAMS: ReadonlySet<string> = new Set(['exec', 'attach', 'log', 'portforward', 'proxy']);

export type Found = { readonly cluster: Cluster } | { readonly list: KubeList };

export function asksTheControlPlane({ rest = '' }: ExtensionRequest): boolean {
  return routeOf(`/${rest}`).kind === 'path';
}

/** Lets this very server answer, as if the caller had asked it for the path: with the caller's own rights. */
export async function answerHere(raw: RawExchange, { rest = '' }: ExtensionRequest): Promise<void> {
  const { request } = raw;
  const { server } = request.socket as unknown as { readonly server?: NodeJS.EventEmitter };
  if (!('response' in raw) || !server) throw new StatusError('NotFound', `there is no stream at /${rest}`);
  const query = (request.url ?? '').split('?')[1];
  request.url = `/${rest}${query ? `?${query}` : ''}`;
  const closed = once(raw.response, 'close');
  server.emit('request', request, raw.response);
  await closed;
}

/** Where the named object is, or the list of all there are. */
export async function acrossClusters(
  deps: ClusterProxyDeps,
  asked: ExtensionRequest,
  raw: RawExchange,
): Promise<Found> {
  const route = routeOf(`/${asked.rest ?? ''}`);
  const { items } = await deps.client().list<Cluster>(CLUSTER);
  const ready = items.filter(({ status }) => isConditionTrue(status?.conditions, READY.type));
  if (route.kind === 'resource' && route.name !== undefined) return { cluster: await owner(deps, ready, asked) };
  const method = raw.request.method ?? 'GET';
  const watches = /^(true|1)$/.test(asked.query.get('watch') ?? '') || (route.kind === 'resource' && route.watch);
  if (method !== 'GET' || watches) {
    const verb = watches ? 'watch' : (VERBS[method] ?? method.toLowerCase());
    throw new StatusError('MethodNotAllowed', `Request verb ${verb} is not support`);
  }
  return { list: await merged(deps, ready, asked) };
}

const VERBS: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', DELETE: 'deletecollection' };

async function owner(deps: ClusterProxyDeps, clusters: readonly Cluster[], asked: ExtensionRequest): Promise<Cluster> {
  const path = objectPath(asked.rest ?? '');
  const answers = await Promise.all(clusters.map((cluster) => ask(deps, cluster, path, asked)));
  const having = clusters.filter((_, at) => answers[at] !== undefined);
  const [only] = having;
  if (!only) throw new StatusError('NotFound', "resource not found or don't have permission to get it");
  if (having.length === 1) return only;
  const names = having.map(({ metadata }) => metadata.name).join(',');
  throw new StatusError('Conflict', `conflict resource, exist in more than one cluster: ${names}`);
}

function objectPath(rest: string): string {
  const route = routeOf(`/${rest}`);
  const stream = route.kind === 'resource' && STREAMS.has(route.subresource ?? '') ? route.subresource : undefined;
  return stream === undefined ? `/${rest}` : `/${rest.slice(0, rest.indexOf(`/${stream}`))}`;
}

async function merged(
  deps: ClusterProxyDeps,
  clusters: readonly Cluster[],
  asked: ExtensionRequest,
): Promise<KubeList> {
  const query = new URLSearchParams(asked.query);
  for (const name of OF_PAGES) query.delete(name);
  const path = `/${asked.rest ?? ''}${query.size > 0 ? `?${query.toString()}` : ''}`;
  const answers = await Promise.all(clusters.map((cluster) => ask(deps, cluster, path, asked)));
  const lists = answers.flatMap((answer, at) => {
    if (answer === undefined) return [];
    const list = JSON.parse(answer) as KubeList;
    const name = clusters[at]?.metadata.name ?? '';
    return [{ ...list, items: (list.items ?? []).map((object) => marked(object, name)) }];
  });
  const [first] = lists;
  if (!first) throw new StatusError('NotFound', 'not found');
  return { ...first, items: lists.flatMap(({ items }) => items) };
}

function marked(object: KubeObject, cluster: string): KubeObject {
  const annotations = { ...object.metadata.annotations, [ANNOTATIONS.cachedFromCluster]: cluster };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** What a member answers to a GET by the caller; undefined unless it is a good answer. */
async function ask(
  deps: ClusterProxyDeps,
  cluster: Cluster,
  path: string,
  { user, signal }: ExtensionRequest,
): Promise<string | undefined> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]);
  try {
    const { client, token } = await reach(deps, cluster);
    const headers = { accept: 'application/json', ...speakingFor(user, token) };
    const answer = await client.request({ method: 'GET', path, headers, signal: limit });
    const text = await textOf(answer, limit);
    return answer.statusCode === 200 ? text : undefined;
  } catch {
    return undefined;
  }
}

export function sendList(raw: RawExchange, list: KubeList): void {
  if (!('response' in raw)) throw new StatusError('BadRequest', 'a list is no stream');
  const body = `${JSON.stringify(list)}\n`;
  raw.response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  raw.response.end(body);
}
