/**
 * The instance's own API, under `/instances/{name}/kube/…`, for unmodified kubectl, Helm and browsers.
 *
 * A request is handed on as it is, but for the credentials: the caller's stay here, the instance sees the platform's
 * own with the caller impersonated. Bodies, watches and upgraded connections are streamed both ways, never gathered;
 * when one side goes away the other is ended.
 */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream';
import { notFound, StatusError, statusOf } from '#base/status-error.ts';
import { joinSockets } from '#kube/client/join-sockets.ts';
import { responseHead } from '#kube/client/response-head.ts';
import { bodyOf, impersonationHeaders, type Transport } from '#kube/client/transport.ts';

export interface Caller {
  readonly user: string;
  readonly groups: readonly string[];
}

/** Finds the connection to an instance by its name. */
export type FindInstance = (name: string) => Transport | undefined;

/** In the place of an instance's name: the cluster where instances are written down. No instance is called so. */
export const GLOBAL_CLUSTER = '';

const ADMINISTRATORS = 'system:masters';

/** Headers that belong to one connection, or to the caller and us alone. */
const NOT_FORWARDED = new Set([
  'authorization',
  'cookie',
  'host',
  'origin',
  'connection',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export interface InstanceProxy {
  handle(target: Target, request: IncomingMessage, response: ServerResponse): Promise<void>;
  upgrade(target: Target, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>;
}

export interface Target {
  readonly instance: string;
  /** Path and query within the instance. */
  readonly path: string;
  readonly caller: Caller;
}

export function instanceProxy(find: FindInstance): InstanceProxy {
  function connection({ instance }: Target): Transport {
    const transport = find(instance);
    if (!transport) throw notFound('instances', instance, 'kairship.io');
    return transport;
  }

  return {
    async handle(target, request, response) {
      const gone = new AbortController();
      response.on('close', () => gone.abort(new Error('the caller went away')));
      const answer = await connection(target).stream({
        method: request.method ?? 'GET',
        path: target.path,
        headers: forwarded(request, target.caller),
        ...bodyOf(request),
        signal: gone.signal,
      });
      response.writeHead(answer.statusCode ?? 502, ownHeaders(answer.headers));
      // Headers at once: a watch may have nothing to say for minutes.
      response.flushHeaders();
      pipeline(answer, response, () => undefined);
    },

    async upgrade(target, request, socket, head) {
      const upgradeHeaders = { connection: 'Upgrade', upgrade: request.headers.upgrade ?? '' };
      const answer = await connection(target).upgrade({
        method: request.method ?? 'GET',
        path: target.path,
        headers: { ...forwarded(request, target.caller), ...upgradeHeaders },
      });
      if ('head' in answer) {
        socket.write(responseHead(answer.response, { ends: false }));
        if (answer.head.length > 0) socket.write(answer.head);
        if (head.length > 0) answer.socket.write(head);
        void joinSockets(socket, answer.socket);
        return;
      }
      socket.write(responseHead(answer, { ends: true }));
      pipeline(answer, socket, () => undefined);
    },
  };
}

/** Writes a failure as the Kubernetes client expects it. */
export function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const status = statusOf(error);
  const body = Buffer.from(JSON.stringify(status));
  response.writeHead(status.code, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
}

export function refuseUpgrade(socket: Duplex, error: unknown): void {
  const status = statusOf(error);
  const body = JSON.stringify(status);
  socket.end(
    `HTTP/1.1 ${status.code} ${status.reason ?? 'Error'}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

function forwarded(request: IncomingMessage, caller: Caller): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(request.headers)) if (!NOT_FORWARDED.has(name)) headers[name] = value;
  if (headers['impersonate-user'] === undefined) {
    return { ...headers, ...impersonationHeaders({ user: caller.user, groups: [...caller.groups] }) };
  }
  // `kubectl --as`: the instance would judge our own right to impersonate, which is always given; the caller's counts.
  if (!caller.groups.includes(ADMINISTRATORS)) {
    throw new StatusError(
      'Forbidden',
      `users "${String(headers['impersonate-user'])}" is forbidden: User "${caller.user}" cannot impersonate resource "users"`,
    );
  }
  return headers;
}

function ownHeaders(headers: IncomingMessage['headers']): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_FORWARDED.has(name)));
}
