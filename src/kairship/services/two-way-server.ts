/**
 * One port that answers TLS and, to callers on this machine, plain HTTP.
 *
 * A TLS connection begins with the byte 0x16; anything else is plain text. So a browser's first minute has no
 * certificate warning, while kubectl, which sends its token, always speaks TLS. From another machine plain HTTP is cut off.
 */
import type * as http from 'node:http';
import * as https from 'node:https';
import * as net from 'node:net';
import type { Duplex } from 'node:stream';
import { once } from 'node:events';
import { createServer } from '#base/node-http.ts';
import type { KeyPair } from '#kube/pki/ca.ts';

const TLS_HANDSHAKE = 0x16;
/** A caller that connects and says nothing is let go after this long. */
const FIRST_BYTE_MS = 10_000;

export interface TwoWayServer {
  listen(port: number, host: string): Promise<number>;
  close(): Promise<void>;
}

export function twoWayServer(options: {
  readonly tls: KeyPair;
  readonly onRequest: (request: http.IncomingMessage, response: http.ServerResponse) => void;
  readonly onUpgrade: (request: http.IncomingMessage, socket: Duplex, head: Buffer) => void;
}): TwoWayServer {
  const secure = https.createServer({ ...options.tls, ALPNProtocols: ['http/1.1'] }, options.onRequest);
  const plain = createServer(options.onRequest);
  for (const server of [secure, plain]) server.on('upgrade', options.onUpgrade);
  const open = new Set<net.Socket>();

  const front = net.createServer({ noDelay: true }, (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.setTimeout(FIRST_BYTE_MS, () => socket.destroy());
    socket.once('readable', () => {
      const first: Buffer | null = socket.read(1);
      if (!first) return socket.destroy();
      socket.unshift(first);
      socket.setTimeout(0);
      socket.removeAllListeners('timeout');
      if (first[0] === TLS_HANDSHAKE) secure.emit('connection', socket);
      else if (isLoopback(socket.remoteAddress)) plain.emit('connection', socket);
      else socket.destroy();
    });
  });

  return {
    async listen(port, host) {
      front.listen(port, host);
      await once(front, 'listening');
      const address = front.address();
      return typeof address === 'object' && address ? address.port : port;
    },
    async close() {
      const closed = once(front, 'close');
      front.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

export function isLoopback(address: string | undefined): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address ?? '');
}
