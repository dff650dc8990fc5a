/**
 * What comes through the tunnel, handed to the member's API server with the agent's own credential.
 *
 * The control plane has no credential of the member, and may do nothing there in its own name but look: whatever changes
 * something must say for whom, and the member decides what they may. Nothing but the API server is reached this way.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { createServer } from '#base/node-http.ts';
import { StatusError, statusOf } from '#base/status-error.ts';
import type { HttpClient } from '#kube/client/http-client.ts';
import { type Exchange, onwardHeaders, relay } from '#kube/client/relay.ts';

export interface MemberDoor {
  /** A connection of the tunnel, on which HTTP is spoken. */
  accept(connection: Duplex): void;
  close(): void;
}

const LOOKS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

export function memberDoor(member: HttpClient): MemberDoor {
  const server = createServer({ requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 });
  server.on('request', (request, response) => {
    serve(member, { request, response }, response).catch((error: unknown) => refuse(response, error));
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    serve(member, { request, upgrade: { socket, head } }, socket).catch((error: unknown) =>
      refuseUpgrade(socket, error),
    );
  });
  return {
    accept: (connection) => void server.emit('connection', connection),
    close: () => server.close(),
  };
}

async function serve(member: HttpClient, exchange: Exchange, asker: NodeJS.EventEmitter): Promise<void> {
  const { request } = exchange;
  const gone = new AbortController();
  asker.once('close', () => gone.abort());
  const named = request.headers['impersonate-user'] !== undefined;
  if (!named && ('upgrade' in exchange || !LOOKS.has(request.method ?? '')))
    throw new StatusError('Forbidden', 'the control plane may change nothing here in its own name');
  await relay(member, exchange, { path: request.url ?? '/', headers: onwardHeaders(request), signal: gone.signal });
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  const status = statusOf(error);
  response.writeHead(status.code, { 'content-type': 'application/json' }).end(JSON.stringify(status));
}

function refuseUpgrade(socket: Duplex, error: unknown): void {
  const status = statusOf(error);
  const body = JSON.stringify(status);
  const head = ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`, 'connection: close'];
  socket.end(`HTTP/1.1 ${status.code} ${status.reason ?? 'Error'}\r\n${head.join('\r\n')}\r\n\r\n${body}`);
}
