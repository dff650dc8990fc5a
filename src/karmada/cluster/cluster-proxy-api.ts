/**
 * `clusters/{name}/proxy/…`: any request to a member, through the control plane, as whoever asks.
 *
 * The member is reached with the impersonator's token of the Cluster and told to treat the request as the caller's; what
 * the caller may do there is the member's own to decide. Bodies, watches, logs and upgraded connections pass through as
 * they are; nothing of the request's own credentials or impersonation does.
 */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StatusError } from '#base/status-error.ts';
import { type Cluster, CLUSTER, SECRET_KEYS } from '#karmada/apis/index.ts';
import type { ApiExtension, ExtensionRequest, User } from '#kube/apiserver/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { responseHead } from '#kube/client/response-head.ts';
import { impersonationHeaders, type RawResponse, type Upgraded } from '#kube/client/transport.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Members } from './members.ts';

export interface ClusterProxyDeps {
  readonly client: () => KubeClient;
  readonly members: () => Members;
}

const SECRET = { group: '', version: 'v1', resource: 'secrets' };
const VERBS = ['get', 'create', 'update', 'patch', 'delete'];
/** Groups that a member gives by itself to whoever it has authenticated. */
const GIVEN_GROUPS: ReadonlySet<string> = new Set(['system:authenticated', 'system:unauthenticated']);

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
  const { raw, name = '', rest = '', user, signal } = asked;
  if (!raw) throw new StatusError('NotImplemented', 'a proxy is reached over HTTP');
  const cluster = await deps.client().get<Cluster>(CLUSTER, { name });
  const token = await impersonatorToken(deps.client(), cluster);
  const { client } = await deps.members().connect(cluster);
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
  return answerWith(raw.response, await client.request({ ...outgoing, body: request }));
}

interface SecretObject extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

async function impersonatorToken(client: KubeClient, cluster: Cluster): Promise<string> {
  const { name } = cluster.metadata;
  const { impersonatorSecretRef } = cluster.spec;
  if (!impersonatorSecretRef) {
    throw new StatusError('InternalError', `the impersonatorSecretRef of cluster ${name} is nil`);
  }
  const { data = {} } = await client.get<SecretObject>(SECRET, impersonatorSecretRef);
  const token = data[SECRET_KEYS.token];
  if (!token) throw new StatusError('InternalError', `the impersonate token of cluster ${name} is empty`);
  return Buffer.from(token, 'base64').toString();
}

const NOT_PASSED_ON = /^(host|authorization|cookie|impersonate-.*|x-remote-.*)$/;
/** Of a connection, not of the message: each leg has its own. */
const HOP_BY_HOP = /^(connection|keep-alive|proxy-.*|te|trailer|upgrade)$/;

function headersFor(request: IncomingMessage, user: User, token: string): OutgoingHttpHeaders {
  const { headers } = request;
  const upgrade = headers.upgrade === undefined ? {} : { connection: 'Upgrade', upgrade: headers.upgrade };
  const passed = Object.entries(headers).filter(([name]) => !NOT_PASSED_ON.test(name) && !HOP_BY_HOP.test(name));
  const { name, uid, groups, extra } = user;
  return {
    ...Object.fromEntries(passed),
    ...upgrade,
    ...impersonationHeaders({
      user: name,
      ...(uid === undefined ? {} : { uid }),
      groups: groups.filter((group) => !GIVEN_GROUPS.has(group)),
      ...(extra ? { extra } : {}),
    }),
    authorization: `Bearer ${token}`,
  };
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
  const both = [pipeline(caller.socket, member.socket), pipeline(member.socket, caller.socket)];
  await Promise.allSettled(both);
}

/** The member answered plainly instead of changing the protocol. */
async function refuse(socket: Duplex, answer: RawResponse): Promise<void> {
  socket.write(responseHead(answer, { ends: true }));
  await pipeline(answer, socket).catch(() => undefined);
}
