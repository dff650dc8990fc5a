/**
 * A request of Node's HTTP/1.1 or HTTP/2 server as the handlers of this room need it.
 */
import type { TLSSocket } from 'node:tls';
import type { universalRequestFromNodeRequest, universalResponseToNodeResponse } from '@connectrpc/connect-node';
import type { Peer } from './caller.ts';

export type NodeRequest = Parameters<typeof universalRequestFromNodeRequest>[0];
export type NodeResponse = Parameters<typeof universalResponseToNodeResponse>[1];

export function peerOf(request: NodeRequest): Peer {
  const socket = 'stream' in request ? request.stream.session?.socket : request.socket;
  const tls = socket && 'encrypted' in socket && socket.encrypted ? (socket as TLSSocket) : undefined;
  return {
    address: socket?.remoteAddress,
    encrypted: tls !== undefined,
    certificate: () => (tls?.authorized ? tls.getPeerX509Certificate() : undefined),
  };
}

/** The path and the query of a request target; an absolute one, as proxies are sent, loses its host. */
export function targetOf(request: NodeRequest): { readonly path: string; readonly query: string } {
  const target = (request.url ?? '/').replace(/^https?:\/\/[^/?]*/i, '');
  const mark = target.indexOf('?');
  return mark < 0
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark + 1).replace(/#.*$/, '') };
}

/** The headers of a request, without the fields that HTTP/2 has for its first line. */
export function headersOf(request: NodeRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (name.startsWith(':') || value === undefined) continue;
    for (const one of [value].flat()) headers.append(name, one);
  }
  return headers;
}

/** Aborts when the caller leaves before it has its answer. */
export function leavingSignal(response: NodeResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
