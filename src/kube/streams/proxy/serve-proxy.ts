/**
 * `pods/proxy`, `services/proxy`, `nodes/proxy`: any HTTP request, handed to a server inside the cluster.
 *
 * Bodies and upgraded connections are streamed both ways; the caller's credentials stay here.
 */
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { connect as connectTls } from 'node:tls';
import { request as httpRequest } from '#base/node-http.ts';
import { joinSockets } from '#kube/client/join-sockets.ts';
import { responseHead } from '#kube/client/response-head.ts';
import { StatusError } from '#base/status-error.ts';
import type { ExtensionRequest } from '#kube/apiserver/extension.ts';
import type { Session } from '../session.ts';
import type { StreamDeps } from '../stream-deps.ts';
import { requestHeaders, responseHeaders } from './proxy-headers.ts';
import { type Proxied, proxyTarget } from './proxy-target.ts';

export async function serveProxy(deps: StreamDeps, kind: Proxied, asked: ExtensionRequest): Promise<void> {
  const { raw, namespace, name = '' } = asked;
  if (!raw) throw new StatusError('NotImplemented', 'a proxy is reached over HTTP');
  const { request } = raw;
  const { prefix, path } = splitUrl(request.url ?? '/', kind === 'node' ? 5 : 7);
  if ('response' in raw && path === '' && (request.method === 'GET' || request.method === 'HEAD')) {
    return redirectToSlash(raw.response, request.url ?? '/');
  }
  const target = await proxyTarget(deps, kind, name, namespace);
  await deps.sessions(asked.signal, async (session) => {
    const plain = await target.connect(session.signal).catch((error: Error) => {
      throw unreachable(error);
    });
    const connection = target.https ? overTls(plain) : plain;
    connection.on('error', () => undefined);
    session.signal.addEventListener('abort', () => connection.destroy(), { once: true });
    const outgoing = httpRequest({
      createConnection: () => connection,
      method: request.method ?? 'GET',
      path: path.startsWith('/') ? path : `/${path}`,
      setHost: false,
      headers: {
        ...requestHeaders(request, `${prefix}${path}`),
        ...('upgrade' in raw ? { connection: 'Upgrade', upgrade: request.headers.upgrade ?? '' } : {}),
      },
    });
    if ('upgrade' in raw) await tunnel(outgoing, raw.upgrade, session);
    else await forward(outgoing, request, raw.response, prefix, session);
  });
}

/** `…/proxy` and what follows it, as they were sent: decoding would change what the other server reads. */
function splitUrl(url: string, at: number): { prefix: string; path: string } {
  const mark = url.indexOf('?');
  const parts = (mark < 0 ? url : url.slice(0, mark)).split('/');
  const rest = parts.slice(at + 1);
  const query = mark < 0 ? '' : url.slice(mark);
  return { prefix: parts.slice(0, at + 1).join('/'), path: rest.length === 0 ? '' : `/${rest.join('/')}${query}` };
}

/** Without a slash at its end, what a page refers to would be sought beside the proxy. */
function redirectToSlash(response: ServerResponse, url: string): void {
  const [path = '', query] = url.split('?', 2);
  response.writeHead(301, { Location: `${path}/${query === undefined ? '' : `?${query}`}` }).end();
}

/** Certificates inside a cluster are nobody's to verify: as with Kubernetes, the connection is secret, not proven. */
function overTls(socket: Duplex): Duplex {
  return connectTls({ socket, rejectUnauthorized: false });
}

async function forward(
  outgoing: ClientRequest,
  request: IncomingMessage,
  response: ServerResponse,
  prefix: string,
  session: Session,
): Promise<void> {
  response.on('close', () => outgoing.destroy());
  // A body that cannot be sent on is answered for by the answer, or by its absence.
  pipeline(request, outgoing).catch(() => undefined);
  const answer = await answerOf(outgoing);
  if ('socket' in answer && 'head' in answer) throw unreachable(new Error('the protocol was changed unasked'));
  response.writeHead(answer.statusCode ?? 502, responseHeaders(answer, prefix, request.headers.host ?? ''));
  response.flushHeaders();
  answer.on('data', session.touch);
  await pipeline(answer, response).catch(() => response.destroy());
}

async function tunnel(
  outgoing: ClientRequest,
  caller: { readonly socket: Duplex; readonly head: Buffer },
  session: Session,
): Promise<void> {
  outgoing.end();
  const answer = await answerOf(outgoing);
  if (!('head' in answer)) {
    caller.socket.write(responseHead(answer, { ends: true }));
    await pipeline(answer, caller.socket).catch(() => undefined);
    return;
  }
  caller.socket.write(responseHead(answer.response, { ends: false }));
  if (answer.head.length > 0) caller.socket.write(answer.head);
  if (caller.head.length > 0) answer.socket.write(caller.head);
  const both = joinSockets(caller.socket, answer.socket);
  for (const socket of [caller.socket, answer.socket]) socket.on('data', session.touch);
  await both;
}

interface Upgraded {
  readonly response: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

function answerOf(outgoing: ClientRequest): Promise<IncomingMessage | Upgraded> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('upgrade', (response, socket, head) => resolve({ response, socket, head }));
    outgoing.once('error', (error) => reject(unreachable(error)));
    outgoing.once('close', () => reject(unreachable(new Error('the connection closed'))));
  });
}

function unreachable(cause: Error): StatusError {
  return new StatusError('ServiceUnavailable', `error trying to reach service: ${cause.message}`, { cause });
}
