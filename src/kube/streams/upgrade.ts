/** Connections that leave HTTP: which protocol they ask for, and the answer that grants it. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { badRequest, StatusError } from '#base/status-error.ts';
import type { ExtensionRequest } from '#kube/apiserver/extension.ts';

export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly to: 'websocket' | 'spdy';
}

/** The upgrade that a request asks for; a request that asks for none, or for another, is refused. */
export function upgradeOf({ raw }: ExtensionRequest): Upgrade {
  if (!raw) throw new StatusError('NotImplemented', 'a stream is reached over HTTP');
  if (!('upgrade' in raw)) throw badRequest('Upgrade request required');
  const { request, upgrade } = raw;
  const asked = (request.headers.upgrade ?? '').toLowerCase();
  if (asked === 'websocket') return { request, ...upgrade, to: 'websocket' };
  if (asked.includes('spdy/3.1')) return { request, ...upgrade, to: 'spdy' };
  throw badRequest(`unable to upgrade: neither WebSocket nor SPDY/3.1 but ${JSON.stringify(asked)} is asked for`);
}

const VERSION_HEADER = 'X-Stream-Protocol-Version';

/** The first of the client's stream protocols that is spoken here. */
export function streamProtocol({ request }: Upgrade, spoken: readonly string[]): string {
  const asked = namesIn(request.headers[VERSION_HEADER.toLowerCase()]);
  const agreed = asked.find((name) => spoken.includes(name));
  if (agreed !== undefined) return agreed;
  if (asked.length === 0) throw badRequest(`unable to upgrade: header ${VERSION_HEADER} does not exist in request`);
  const both = `client supports [${asked.join(' ')}], server accepts [${spoken.join(' ')}]`;
  throw new StatusError('Forbidden', `unable to upgrade: unable to negotiate protocol: ${both}`);
}

/** Grants SPDY; the socket is then a transport of frames. */
export function switchToSpdy({ socket, head }: Upgrade, protocol: string): Duplex {
  socket.write(
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n' +
      `${VERSION_HEADER}: ${protocol}\r\n\r\n`,
  );
  if (head.length > 0) socket.unshift(head);
  return socket;
}

export function namesIn(header: string | readonly string[] | undefined): string[] {
  const all = typeof header === 'string' ? [header] : (header ?? []);
  return all.flatMap((line) => line.split(',').map((name) => name.trim())).filter((name) => name !== '');
}
