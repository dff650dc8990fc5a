/** What tests of streams share: a server whose backend does what its commands say, and clients of each protocol. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { Duplex, duplexPair, PassThrough } from 'node:stream';
import type { TestContext } from 'node:test';
import { type ClientOptions, WebSocket } from 'ws';
import { type Clock, systemClock } from '#base/clock.ts';
import { StatusError } from '#base/status-error.ts';
import type { Pod } from '#gen/kube/types.ts';
import type { ApiServerOptions } from '#kube/apiserver/api-server.ts';
import { type TestServer, testServer } from '#kube/apiserver/testing.ts';
import type { StreamLimits } from './limits.ts';
import { podStreamExtensions } from './pod-stream-extensions.ts';
import type {
  CommandOptions,
  CommandSession,
  ExecOptions,
  LogOptions,
  PodStreams,
  TerminalSize,
} from './pod-streams.ts';
import { type SpdyPeer, spdyPeer } from './spdy/testing.ts';

export const PODS = { group: '', version: 'v1', resource: 'pods' };

/** What the backend was asked for, for tests to look at. */
export interface Asked {
  readonly logs: LogOptions[];
  readonly commands: CommandOptions[];
  readonly sizes: TerminalSize[];
  readonly connections: { readonly port: number; readonly signal: AbortSignal }[];
}

export interface StreamServer extends TestServer {
  readonly asked: Asked;
  /** Creates a pod on a node. */
  readonly pod: (name: string, spec?: Partial<NonNullable<Pod['spec']>>) => Promise<Pod>;
}

export async function streamServer(
  t: TestContext,
  options: {
    readonly clock?: Clock;
    readonly limits?: Partial<StreamLimits>;
    readonly streams?: Partial<PodStreams>;
    readonly server?: Partial<ApiServerOptions>;
  } = {},
): Promise<StreamServer> {
  const asked: Asked = { logs: [], commands: [], sizes: [], connections: [] };
  const { clock = systemClock, limits = {} } = options;
  const extensions = podStreamExtensions({
    client: () => test.server.client(),
    streams: { ...backend(asked), ...options.streams },
    clock,
    limits,
  });
  const test: TestServer = await testServer(t, { ...options.server, extensions });
  return {
    ...test,
    asked,
    pod: (name, spec = {}) =>
      test.server.client().create<Pod>(PODS, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, namespace: 'default', labels: { app: name } },
        spec: { nodeName: 'n1', containers: [{ name: 'main', image: 'app:1' }], ...spec },
      }),
  };
}

/** Two lines of log, commands that do as they are called, and ports that send everything back. */
function backend(asked: Asked): PodStreams {
  const echo = (port: number, signal: AbortSignal): Duplex => {
    asked.connections.push({ port, signal });
    const [near, far] = duplexPair();
    far.pipe(far);
    signal.addEventListener('abort', () => near.destroy(), { once: true });
    return near;
  };
  return {
    async logs(_pod, options) {
      asked.logs.push(options);
      return twoLines(options);
    },
    async exec(_pod, options) {
      asked.commands.push(options);
      return command(options, asked);
    },
    async attach(_pod, options) {
      asked.commands.push(options);
      return command({ ...options, command: ['say', 'attached'] }, asked);
    },
    async connect(_pod, port, signal) {
      if (port === 1) throw new StatusError('ServiceUnavailable', 'connection refused');
      return echo(port, signal);
    },
    async connectNode(_node, port = 10_250, signal) {
      return echo(port, signal);
    },
  };
}

async function* twoLines({ follow, signal }: LogOptions): AsyncGenerator<Uint8Array> {
  yield Buffer.from('first line\n');
  yield Buffer.from('second line\n');
  if (follow && !signal.aborted) await once(signal, 'abort');
}

/** `cat` copies its input, `say` its arguments, `complain` to stderr, `exit N` ends, `hang` never does. */
function command({ command: argv, signal }: ExecOptions, asked: Asked): CommandSession {
  const [name, ...args] = argv;
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  if (name === 'fail') throw new StatusError('InternalError', 'the runtime is broken');
  const ended = Promise.withResolvers<number>();
  const end = (code: number) => {
    stdout.end();
    stderr.end();
    ended.resolve(code);
  };
  signal.addEventListener('abort', () => end(137), { once: true });
  if (name === 'cat') stdin.on('data', (chunk) => stdout.write(chunk)).on('end', () => end(0));
  if (name === 'say') stdout.write(args.join(' '));
  if (name === 'complain') stderr.write(args.join(' '));
  if (name === 'say' || name === 'complain') end(0);
  if (name === 'exit') end(Number(args[0]));
  return { stdin, stdout, stderr, resize: (size) => void asked.sizes.push(size), exit: ended.promise };
}

const TOKEN = { authorization: 'Bearer admin' };

export interface Socket {
  readonly socket: WebSocket;
  /** All messages of one channel so far. */
  channel(channel: number): string;
  send(channel: number, text: string): void;
  /** Resolves when what has arrived is as wanted. */
  until(wanted: () => boolean): Promise<void>;
  /** How many messages have arrived. */
  count(): number;
  /** Resolves when the server has closed it. */
  readonly closed: Promise<{ readonly code: number }>;
}

/** A WebSocket with channels, open. */
export async function openSocket(
  url: string,
  path: string,
  protocol: string,
  options: ClientOptions = {},
): Promise<Socket> {
  const socket = new WebSocket(url.replace('http', 'ws') + path, [protocol], { headers: TOKEN, ...options });
  const messages: Buffer[] = [];
  socket.on('message', (data: Buffer) => messages.push(data));
  const closed = once(socket, 'close').then(([code]: number[]) => ({ code: code ?? 0 }));
  await once(socket, 'open');
  const base64 = protocol.includes('base64');
  const bytes = (message: Buffer) =>
    base64 ? Buffer.from(message.subarray(1).toString(), 'base64') : message.subarray(1);
  const own = (channel: number) => (base64 ? 48 + channel : channel);
  return {
    socket,
    closed,
    count: () => messages.length,
    async until(wanted) {
      while (!wanted()) await once(socket, 'message');
    },
    channel: (channel) => Buffer.concat(messages.filter(([first]) => first === own(channel)).map(bytes)).toString(),
    send: (channel, text) =>
      socket.send(base64 ? `${channel}${btoa(text)}` : Buffer.concat([Buffer.from([channel]), Buffer.from(text)])),
  };
}

/**
 * SPDY in a WebSocket. Its protocol's name is no token, so that the client of the library refuses to ask for it: the few
 * frames that are needed are made here, masked with zeroes.
 */
export async function openTunnel(url: string, path: string, protocol: string): Promise<SpdyPeer> {
  const asked = httpRequest(url + path, {
    headers: {
      ...TOKEN,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': Buffer.alloc(16).toString('base64'),
      'sec-websocket-version': '13',
      'sec-websocket-protocol': protocol,
    },
  });
  asked.end();
  const [response, socket] = (await once(asked, 'upgrade')) as [{ headers: Record<string, string> }, Duplex];
  if (response.headers['sec-websocket-protocol'] !== protocol) throw new Error('another protocol was agreed on');
  let pending: Buffer = Buffer.alloc(0);
  const tunnel = new Duplex({
    read: () => undefined,
    write(bytes: Buffer, _encoding, done) {
      const head = Buffer.from([0x82, 0xfe, bytes.length >> 8, bytes.length & 0xff, 0, 0, 0, 0]);
      socket.write(Buffer.concat([head, bytes]), () => done());
    },
    final(done) {
      socket.end(Buffer.from([0x88, 0x80, 0, 0, 0, 0]), () => done());
    },
    destroy(error, done) {
      socket.destroy();
      done(error);
    },
  });
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    for (let size = pending[1] ?? 255; pending.length >= 4; size = pending[1] ?? 255) {
      const start = size < 126 ? 2 : 4;
      const length = size < 126 ? size : pending.readUInt16BE(2);
      if (pending.length < start + length) return;
      if (pending[0] === 0x82) tunnel.push(pending.subarray(start, start + length));
      pending = pending.subarray(start + length);
    }
  });
  socket.on('error', () => undefined);
  socket.on('close', () => tunnel.destroy());
  return spdyPeer(tunnel);
}

/** The answer to a WebSocket that is not granted. */
export async function refusedSocket(url: string, path: string, protocol: string, token = 'admin') {
  const headers = { authorization: `Bearer ${token}` };
  const socket = new WebSocket(url.replace('http', 'ws') + path, [protocol], { headers });
  socket.on('error', () => undefined);
  const [, response] = await once(socket, 'unexpected-response');
  return { code: response.statusCode as number, status: JSON.parse(await textOf(response)) };
}

/** A SPDY client on a connection of its own. */
export async function openSpdy(url: string, path: string, protocols: readonly string[]): Promise<SpdyPeer> {
  const answer = await upgrade(url, path, protocols);
  if (!('socket' in answer)) throw new Error(`refused with ${answer.code}: ${answer.text}`);
  return spdyPeer(answer.socket);
}

export async function upgrade(
  url: string,
  path: string,
  protocols: readonly string[],
): Promise<{ readonly code: number; readonly text: string } | { readonly socket: Duplex; readonly protocol: string }> {
  const asked = httpRequest(url + path, {
    method: 'POST',
    headers: {
      ...TOKEN,
      connection: 'Upgrade',
      upgrade: 'SPDY/3.1',
      ...(protocols.length > 0 ? { 'x-stream-protocol-version': [...protocols] } : {}),
    },
  });
  asked.end();
  return new Promise((resolve, reject) => {
    asked.on('error', reject);
    asked.on('upgrade', (response, socket, head) => {
      if (head.length > 0) socket.unshift(head);
      resolve({ socket, protocol: String(response.headers['x-stream-protocol-version']) });
    });
    asked.on('response', (response) => {
      textOf(response).then((text) => resolve({ code: response.statusCode ?? 0, text }), reject);
    });
  });
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}
