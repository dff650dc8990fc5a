/**
 * The far end's way in: a WebSocket to a path of an API server, with the credentials of its configuration. It ends with
 * the signal, whether it is open yet or not.
 */
import type { Duplex } from 'node:stream';
import { createWebSocketStream, WebSocket } from 'ws';
import { StatusError } from '#base/status-error.ts';
import type { ClusterConfig } from '#kube/client/cluster-config.ts';

export const TUNNEL_PROTOCOL = 'tunnel.kairship.io';
const HANDSHAKE_MS = 15_000;

export async function dialIn(config: ClusterConfig, path: string, signal: AbortSignal): Promise<Duplex> {
  const url = new URL(config.server);
  const address = `${url.protocol === 'https:' ? 'wss' : 'ws'}://${url.host}${url.pathname.replace(/\/$/, '')}${path}`;
  const token = typeof config.token === 'function' ? await config.token() : config.token;
  const socket = new WebSocket(address, TUNNEL_PROTOCOL, {
    handshakeTimeout: HANDSHAKE_MS,
    perMessageDeflate: false,
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
    ...(config.ca ? { ca: config.ca } : {}),
    ...(config.insecureSkipTlsVerify ? { rejectUnauthorized: false } : {}),
    ...(config.tlsServerName ? { servername: config.tlsServerName } : {}),
  });
  return new Promise((resolve, reject) => {
    const end = () => socket.terminate();
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    socket.once('close', () => signal.removeEventListener('abort', end));
    socket.once('open', () => resolve(createWebSocketStream(socket)));
    socket.once('unexpected-response', (_request, response) => {
      reject(new StatusError('ServiceUnavailable', `${address} answered ${String(response.statusCode)}`));
      end();
    });
    // Stays: ending one that is still being opened is told as an error too.
    socket.on('error', (cause) => reject(new StatusError('ServiceUnavailable', cause.message, { cause })));
  });
}
