/**
 * `clusters/{name}/proxy/…`: any request to a member, through the control plane, as whoever asks.
 *
 * The member is reached with the impersonator's token of the Cluster and told to treat the request as the caller's; what
 * the caller may do there is the member's own to decide. Bodies, watches, logs and upgraded connections pass through as
 * they are; nothing of the request's own credentials or impersonation does. The name `*` asks all of them
 * (`cluster-fan-out.ts`).
 */
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StatusError } from '#base/status-error.ts';
import { type Cluster, CLUSTER } from '#karmada/apis/index.ts';
import type { ApiExtension, ExtensionRequest, RawExchange } from '#kube/apiserver/index.ts';
import { joinSockets } from '#kube/client/join-sockets.ts';
import { responseHead } from '#kube/client/response-head.ts';
import { bodyOf, type RawResponse, type Upgraded } from '#kube/client/transport.ts';
import { acrossClusters, ALL_CLUSTERS, answerHere, asksTheControlPlane, sendList } from './cluster-fan-out.ts';
import { type ClusterProxyDeps, headersFor, HOP_BY_HOP, reach } from './proxied-request.ts';

const VERBS = ['get', 'create', 'update', 'patch', 'delete'];

export function clusterProxyApi(deps: ClusterProxyDeps): readonly ApiExtension[] {
  return [
    {
      group: CLUSTER.group,
      version: CLUSTER.version,
      resource: CLUSTER.resource,
      subresource: 'proxy',
      kind: { kind: 'ClusterProxyOptions' },
      namespaced: false,
      verbs: VERBS,
      async serve(request) {
        await forward(deps, request);
        return undefined;
      },
    },
  ];
}

async function forward(deps: ClusterProxyDeps, asked: ExtensionRequest): Promise<void> {
  const { raw, name = '' } = asked;
  if (!raw) throw new StatusError('NotImplemented', 'a proxy is reached over HTTP');
  if (name !== ALL_CLUSTERS) return forwardTo(deps, await deps.client().get<Cluster>(CLUSTER, { name }), asked, raw);
  if (asksTheControlPlane(asked)) return answerHere(raw, asked);
  const found = await acrossClusters(deps, asked, raw);
  if ('cluster' in found) return forwardTo(deps, found.cluster, asked, raw);
  sendList(raw, found.list);
}

/** The member's own answer, as it comes. */
async function forwardTo(
  deps: ClusterProxyDeps,
  cluster: Cluster,
  { rest = '', user, signal }: ExtensionRequest,
  raw: RawExchange,
): Promise<void> {
  const { client, token } = await reach(deps, cluster);
  const { request } = raw;
  const query = (request.url ?? '').split('?')[1];
  const outgoing = {
    method: request.method ?? 'GET',
    path: `/${rest}${query ? `?${query}` : ''}`,
    headers: headersFor(request, user, token),
    signal,
  };
  if ('upgrade' in raw) {
    const answer = await client.upgrade(outgoing);
    return 'socket' in answer && 'head' in answer ? join(raw.upgrade, answer) : refuse(raw.upgrade.socket, answer);
  }
  return answerWith(raw.response, await client.request({ ...outgoing, ...bodyOf(request) }));
}

async function answerWith(response: ServerResponse, answer: RawResponse): Promise<void> {
  const headers = Object.entries(answer.headers).filter(([name]) => !HOP_BY_HOP.test(name));
  response.writeHead(answer.statusCode ?? 502, Object.fromEntries(headers));
  // A watch says nothing for a while: its head must go out before its first line.
  response.flushHeaders();
  // Either end may go at any time; that is how streams end, and nobody is left to be told.
  await pipeline(answer, response).catch(() => undefined);
}

async function join(caller: { readonly socket: Duplex; readonly head: Buffer }, member: Upgraded): Promise<void> {
  caller.socket.write(responseHead(member.response, { ends: false }));
  if (member.head.length > 0) caller.socket.write(member.head);
  if (caller.head.length > 0) member.socket.write(caller.head);
  await joinSockets(caller.socket, member.socket);
}

/** The member answered plainly instead of changing the protocol. */
async function refuse(socket: Duplex, answer: RawResponse): Promise<void> {
  socket.write(responseHead(answer, { ends: true }));
  await pipeline(answer, socket).catch(() => undefined);
}
