/** Connections through a tunnel that was dialled from the other side, over a real WebSocket on this machine. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { createWebSocketStream, WebSocket, WebSocketServer } from 'ws';
import { farEnd, type NearEnd, nearEnd, type Tunnel, type TunnelOptions } from './reverse-tunnel.ts';

interface Pair {
  readonly near: NearEnd;
  readonly far: Tunnel;
  readonly farLink: Duplex;
}

describe('a reverse tunnel', () => {
  let hub: WebSocketServer;
  const served = http.createServer((request, response) => {
    if (request.url === '/endless') {
      response.write('begun');
      return;
    }
    if (request.url === '/much') {
      response.end(Buffer.alloc(20_000_000, 'x'));
      return;
    }
    request.pipe(response);
  });
  served.on('upgrade', (_request, socket: Duplex) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
    socket.pipe(socket);
  });
  const open: Tunnel[] = [];

  before(async () => {
    hub = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(hub, 'listening');
  });
  after(() => {
    for (const tunnel of open) tunnel.close();
    hub.close();
    served.close();
  });

  async function pair(options: TunnelOptions = {}): Promise<Pair> {
    const { port } = hub.address() as AddressInfo;
    const accepted = once(hub, 'connection') as Promise<[WebSocket]>;
    const client = new WebSocket(`ws://127.0.0.1:${port}`);
    const [[server]] = await Promise.all([accepted, once(client, 'open')]);
    const farLink = createWebSocketStream(client);
    const near = nearEnd(createWebSocketStream(server), options);
    const far = farEnd(farLink, (connection) => served.emit('connection', connection), options);
    open.push(near, far);
    return { near, far, farLink };
  }

  async function ask(near: NearEnd, path: string, body = ''): Promise<string> {
    const connection = await near.dial();
    const request = http.request({ path, method: 'POST', createConnection: () => connection });
    request.end(body);
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    return Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>)).toString();
  }

  it('carries requests to the end that dialled in, many at once', async () => {
    const { near } = await pair();
    const bodies = Array.from({ length: 300 }, (_, at) => `${'x'.repeat((at * 37) % 5_000)}${at}`);
    assert.deepEqual(await Promise.all(bodies.map((body) => ask(near, '/', body))), bodies);
  });

  it('carries what is upgraded, both ways', async () => {
    const { near } = await pair();
    const connection = await near.dial();
    const request = http.request({
      headers: { connection: 'Upgrade', upgrade: 'echo' },
      createConnection: () => connection,
    });
    request.end();
    const [, socket] = (await once(request, 'upgrade')) as [unknown, Duplex];
    socket.write('hello');
    assert.equal(String((await once(socket, 'data'))[0]), 'hello');
    socket.destroy();
  });

  it('is not held up by an answer that nobody reads', async () => {
    const { near } = await pair();
    const connection = await near.dial();
    const unread = http.request({ path: '/much', method: 'POST', createConnection: () => connection });
    unread.end();
    await once(unread, 'response');
    assert.equal(await ask(near, '/', 'still here'), 'still here');
    unread.destroy();
  });

  it('ends what is on it when either end goes, and says so', async () => {
    const { near, farLink } = await pair();
    const connection = await near.dial();
    const request = http.request({ path: '/endless', method: 'POST', createConnection: () => connection });
    request.end();
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    const broken = once(response, 'error');
    response.resume();
    farLink.destroy();
    await broken;
    if (!near.signal.aborted) await once(near.signal, 'abort');
    await assert.rejects(near.dial(), { reason: 'ServiceUnavailable', message: 'the tunnel is closed' });
  });

  it('refuses more connections than it carries', async () => {
    const { near } = await pair({ maxStreams: 2 });
    const kept = await Promise.all([near.dial(), near.dial()]);
    await assert.rejects(near.dial(), { reason: 'TooManyRequests' });
    for (const each of kept) each.destroy();
  });

  it('gives up an end of which nothing is heard', async () => {
    const { near, farLink } = await pair({ pingMs: 5, silenceMs: 50 });
    // As if the cable were cut: the far end neither reads nor hangs up.
    farLink.removeAllListeners('data').removeAllListeners('readable').pause();
    if (!near.signal.aborted) await once(near.signal, 'abort');
    assert.ok(near.signal.aborted);
  });
});
