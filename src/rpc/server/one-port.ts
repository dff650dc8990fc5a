/**
 * One port that answers HTTP/1.1 and HTTP/2, with TLS and, where it is allowed, without.
 *
 * What a connection speaks is seen in its first bytes: a TLS handshake begins with 0x16, HTTP/2 without TLS with
 * `PRI * HTTP/2.0`, and everything else is HTTP/1.1. Within TLS the client offers what it can: gRPC clients offer
 * HTTP/2 alone. Those that offer both get the one that is preferred, HTTP/1.1 if not said otherwise: in Node it is three times
 * as fast, and upgrades to WebSocket need it.
 */
import type * as http from 'node:http';
import * as http2 from 'node:http2';
import * as net from 'node:net';
import type { Duplex } from 'node:stream';
import { once } from 'node:events';
import * as tls from 'node:tls';
import { type Clock, systemClock } from '#base/clock.ts';
import { createServer } from '#base/node-http.ts';

const TLS_HANDSHAKE = 0x16;
/** The least that tells HTTP/2 from the verbs of HTTP/1.1. */
const HTTP2_PREFACE = 'PRI';

export interface OnePortOptions {
  /** Without it there is no TLS. */
  readonly tls?: tls.SecureContextOptions & Pick<tls.TlsOptions, 'requestCert' | 'rejectUnauthorized' | 'SNICallback'>;
  /** Who may speak without TLS; by default callers on this machine. */
  readonly plain?: 'everybody' | 'this machine' | 'nobody';
  readonly prefer?: 'h2' | 'http/1.1';
  readonly limits?: Partial<ConnectionLimits>;
  /** Requests of HTTP/1.1. */
  readonly onRequest: (request: http.IncomingMessage, response: http.ServerResponse) => void;
  /** Requests of HTTP/2, which is not spoken without it. */
  readonly onHttp2?: (request: http2.Http2ServerRequest, response: http2.Http2ServerResponse) => void;
  readonly onUpgrade?: (request: http.IncomingMessage, socket: Duplex, head: Buffer) => void;
  readonly clock?: Clock;
}

/** What a connection can make a server hold or wait for. */
export interface ConnectionLimits {
  /** Bytes of all headers of a request. */
  readonly headerBytes: number;
  /** Requests at a time on one HTTP/2 connection. */
  readonly streamsPerConnection: number;
  readonly connections: number;
  /** A caller that connects and does not say what it speaks is let go after this long. */
  readonly firstByteMs: number;
  /** How long the headers of a request, or a TLS handshake, may take to arrive, and how long a whole request. */
  readonly headersMs: number;
  readonly requestMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headerBytes: 16 * 1024,
  streamsPerConnection: 100,
  connections: 10_000,
  firstByteMs: 10_000,
  headersMs: 20_000,
  requestMs: 300_000,
};

export interface OnePort {
  /** Listens, and answers with the port. */
  listen(port: number, host: string): Promise<number>;
  /** Takes no more connections, and ends those that are open: at once, or when they have been answered. */
  close(graceMs?: number): Promise<void>;
  /** Shows another certificate to whoever connects from now on. */
  setSecureContext(options: tls.SecureContextOptions): void;
}

export function onePort(options: OnePortOptions): OnePort {
  const limits = { ...CONNECTION_LIMITS, ...options.limits };
  const { plain = 'this machine', prefer = 'http/1.1', clock = systemClock } = options;
  const sessions = new Set<http2.ServerHttp2Session>();
  const one = http1Server(options, limits);
  const two = options.onHttp2 && http2Server(options.onHttp2, limits, sessions);
  const secure = options.tls && tlsServer(options.tls, prefer, two ? ['h2', 'http/1.1'] : ['http/1.1'], limits);
  const open = new Set<net.Socket>();
  let closing = false;

  const serve = (protocol: string | false | null, socket: net.Socket) => {
    const server = protocol === 'h2' ? two : one;
    if (server && !closing) server.emit('connection', socket);
    else socket.destroy();
  };
  secure?.on('secureConnection', (socket) => serve(socket.alpnProtocol, socket));
  one.on('request', ({ socket }, response) => response.once('close', () => closing && socket.destroySoon()));

  const front = net.createServer({ noDelay: true }, (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.setTimeout(limits.firstByteMs, () => socket.destroy());
    firstBytes(socket, (protocol) => {
      socket.setTimeout(0);
      socket.removeAllListeners('timeout');
      if (protocol === 'tls' && secure) secure.emit('connection', socket);
      else if (protocol === 'tls' || !mayBePlain(plain, socket)) socket.destroy();
      else serve(protocol, socket);
    });
  });
  front.maxConnections = limits.connections;

  return {
    async listen(port, host) {
      front.listen(port, host);
      await once(front, 'listening');
      const address = front.address();
      return typeof address === 'object' && address ? address.port : port;
    },
    async close(graceMs = 0) {
      closing = true;
      const closed = once(front, 'close');
      front.close();
      one.close();
      for (const session of sessions) session.close();
      const destroy = () => open.forEach((socket) => socket.destroy());
      const cancel = graceMs > 0 ? clock.after(graceMs, destroy) : destroy();
      await closed;
      cancel?.();
    },
    setSecureContext(fresh) {
      secure?.setSecureContext(fresh);
    },
  };
}

function http1Server({ onRequest, onUpgrade }: OnePortOptions, limits: ConnectionLimits): http.Server {
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: Math.min(limits.headersMs, 5000),
    },
    onRequest,
  );
  if (onUpgrade) server.on('upgrade', onUpgrade);
  // Node looks out for slow requests only on servers that listen, and this one is handed its connections.
  server.emit('listening');
  return server;
}

function http2Server(
  onRequest: NonNullable<OnePortOptions['onHttp2']>,
  limits: ConnectionLimits,
  sessions: Set<http2.ServerHttp2Session>,
): http2.Http2Server {
  const settings = { maxConcurrentStreams: limits.streamsPerConnection, maxHeaderListSize: limits.headerBytes };
  const server = http2.createServer({ settings }, (request, response) => {
    // Node tells its limit to the other side, and then takes more.
    if (request.rawHeaders.join('').length <= limits.headerBytes) return onRequest(request, response);
    response.writeHead(431);
    response.end();
  });
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  return server;
}

function tlsServer(
  options: NonNullable<OnePortOptions['tls']>,
  prefer: string,
  spoken: readonly string[],
  { headersMs }: ConnectionLimits,
): tls.Server {
  const choose = (offered: readonly string[]) =>
    [prefer, ...spoken].find((protocol) => spoken.includes(protocol) && offered.includes(protocol));
  return tls.createServer({
    ...options,
    handshakeTimeout: headersMs,
    ALPNCallback: ({ protocols }) => choose(protocols),
  });
}

/** Waits for enough bytes to know what a connection speaks, and puts them back. */
function firstBytes(socket: net.Socket, then: (spoken: 'tls' | 'h2' | 'http/1.1') => void): void {
  const look = () => {
    const bytes: Buffer | null = socket.read();
    if (!bytes) return;
    socket.unshift(bytes);
    const start = bytes.subarray(0, HTTP2_PREFACE.length).toString('latin1');
    // Part of a preface, so far: the next bytes will tell.
    if (start.length < HTTP2_PREFACE.length && HTTP2_PREFACE.startsWith(start)) return;
    socket.off('readable', look);
    then(bytes[0] === TLS_HANDSHAKE ? 'tls' : start === HTTP2_PREFACE ? 'h2' : 'http/1.1');
  };
  socket.on('readable', look);
}

function mayBePlain(plain: OnePortOptions['plain'], socket: net.Socket): boolean {
  if (plain === 'this machine') return isLoopback(socket.remoteAddress);
  return plain === 'everybody';
}

export function isLoopback(address: string | undefined): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address ?? '');
}
