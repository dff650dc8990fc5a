/** Connections that misbehave: slow, silent, greedy, many, or not speaking HTTP at all. Others are served meanwhile. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as connectPlain, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { eventually, temporaryDirectory } from '../platform.ts';
import { ask, type KubeServer, startKube } from './kube-server.ts';

const PATH = '/api/v1/namespaces/default/configmaps';

describe('A server is not hindered by', () => {
  const { path: directory, remove } = temporaryDirectory();
  const sockets: TLSSocket[] = [];
  let server: KubeServer;
  before(async () => (server = await startKube(directory)));
  after(async () => {
    for (const socket of sockets) socket.destroy();
    assert.equal(server.process.exitCode, null);
    assert.doesNotMatch(server.errors(), /a request failed|at file:/);
    assert.equal(await server.stop(), 0);
    remove();
  });

  async function open(): Promise<TLSSocket> {
    const socket = connect({ host: '127.0.0.1', port: server.port, ca: server.ca, ALPNProtocols: ['http/1.1'] });
    sockets.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'secureConnect');
    return socket;
  }

  const head = (line: string, ...headers: readonly string[]) =>
    [`${line} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${server.token}`, ...headers, '', ''].join('\r\n');

  /** Sends bytes as they are, and everything answered until the server closes. */
  async function exchange(...parts: readonly (string | Buffer)[]): Promise<string> {
    const socket = await open();
    let answered = '';
    socket.on('data', (chunk: Buffer) => (answered += chunk.toString('latin1')));
    const closed = closing(socket);
    for (const part of parts) socket.write(part);
    await closed;
    return answered;
  }

  /** However it comes: an orderly end or a reset. */
  const closing = (socket: Socket) => new Promise<void>((done) => socket.once('close', () => done()));
  const watchersOpen = async () =>
    Number(/^apiserver_watchers (\d+)$/m.exec((await ask(server, { path: '/metrics' })).text)?.[1]);

  const served = async () => assert.equal((await ask(server, { path: '/readyz' })).text, 'ok');
  const statusLines = (text: string) => text.match(/HTTP\/1\.1 \d+/g) ?? [];

  it('requests that come all at once: they are answered in their order', async () => {
    const requests = ['/version', '/readyz', `${PATH}/none`, '/api/v1', '/version'];
    const lines = requests.map((path, i) => head(`GET ${path}`, ...(i === 4 ? ['Connection: close'] : [])));
    const answered = await exchange(lines.join(''));
    assert.deepEqual(
      statusLines(answered).map((line) => line.slice(9)),
      ['200', '200', '404', '200', '200'],
    );
    assert.ok(answered.indexOf('gitVersion') < answered.indexOf('APIResourceList'));
  });

  const NONSENSE: [because: string, bytes: () => string, code: RegExp][] = [
    ['what is no HTTP', () => 'hello\r\n\r\n', /^HTTP\/1\.1 400 /],
    // Cut off while it is still sending, the client may not get to see the answer.
    ['a line without end', () => `GET /${'a'.repeat(100_000)}`, /^$|^HTTP\/1\.1 431 /],
    ['headers without end', () => `GET / HTTP/1.1\r\n${'X-A: b\r\n'.repeat(20_000)}`, /^$|^HTTP\/1\.1 431 /],
    ['a method nobody knows', () => head('ZAP /version'), /^HTTP\/1\.1 400 /],
    ['a length that is none', () => head(`POST ${PATH}`, 'Content-Length: many'), /^HTTP\/1\.1 400 /],
    ['two lengths', () => head(`POST ${PATH}`, 'Content-Length: 1', 'Content-Length: 2'), /^HTTP\/1\.1 400 /],
    [
      'a length and chunks, as smugglers send it',
      () => `${head(`POST ${PATH}`, 'Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\nGET /`,
      /^HTTP\/1\.1 400 /,
    ],
    ['chunks that are none', () => `${head(`POST ${PATH}`, 'Transfer-Encoding: chunked')}zz\r\n`, /^HTTP\/1\.1 400 /],
    ['a header with a line in it', () => head('GET /version', 'X-A: b\rX-B: c'), /^HTTP\/1\.1 400 /],
  ];

  for (const [because, bytes, code] of NONSENSE) {
    it(because, async () => {
      assert.match(await exchange(bytes()), code);
      await served();
    });
  }

  it('bytes that are no TLS, or none at all', async () => {
    const plain = connectPlain(server.port, '127.0.0.1');
    plain.on('error', () => undefined);
    const closed = closing(plain);
    plain.write('GET /version HTTP/1.1\r\nHost: x\r\n\r\n');
    await closed;
    const silent = connectPlain(server.port, '127.0.0.1');
    silent.on('error', () => undefined);
    await once(silent, 'connect');
    await served();
    silent.destroy();
  });

  it('an upgrade to something it does not speak', async () => {
    const upgrade = ['Connection: Upgrade', 'Upgrade: SPDY/9.9'];
    assert.match(
      await exchange(head('GET /api/v1/namespaces/default/pods/none/exec', ...upgrade)),
      /^HTTP\/1\.1 4\d\d /,
    );
    assert.match(await exchange(head('GET /nothing', ...upgrade)), /^HTTP\/1\.1 4\d\d /);
    await served();
  });

  it('clients that send a byte now and then', async () => {
    const slow = await Promise.all(Array.from({ length: 50 }, () => open()));
    for (const [i, socket] of slow.entries()) {
      socket.write(i % 2 === 0 ? 'GET /version HT' : head(`POST ${PATH}`, 'Content-Length: 1000') + '{');
    }
    for (const socket of slow) socket.write('T');
    await Promise.all(Array.from({ length: 20 }, served));
    for (const socket of slow) socket.destroy();
  });

  it('clients that leave in the middle', async () => {
    const before = await watchersOpen();
    for (let i = 0; i < 20; i++) {
      const socket = await open();
      socket.write(head(i % 2 === 0 ? `GET ${PATH}?watch=1` : `POST ${PATH}`, 'Content-Length: 10'));
      socket.destroy();
    }
    await served();
    await eventually(async () => assert.equal(await watchersOpen(), before));
  });

  it('watchers that do not read: they are dropped, and what waits for them is bounded', async () => {
    const size = 500_000;
    await ask(server, { method: 'POST', path: PATH, body: { metadata: { name: 'large' } } });
    const deaf = await Promise.all(Array.from({ length: 5 }, () => open()));
    const before = await watchersOpen();
    for (const socket of deaf) {
      const begun = new Promise<void>((done) => socket.once('data', () => done(void socket.pause())));
      socket.write(head(`GET ${PATH}?watch=1`));
      await begun;
    }
    assert.equal(await watchersOpen(), before + deaf.length);
    // Enough for the buffers of the kernel, of both ends, and for the limit of 16 MB.
    for (let i = 0; i < 80; i++) {
      const data = { text: 'x'.repeat(size), i: String(i) };
      const { code } = await ask(server, {
        method: 'PUT',
        path: `${PATH}/large`,
        body: { metadata: { name: 'large' }, data },
      });
      assert.equal(code, 200);
    }
    await eventually(async () => assert.equal(await watchersOpen(), before));
    assert.ok(megabytes() < 700, `${megabytes()} MB`);
  });

  it('a thousand connections that are only open', async () => {
    const before = megabytes();
    const idle: TLSSocket[] = [];
    for (let i = 0; i < 20; i++) idle.push(...(await Promise.all(Array.from({ length: 50 }, () => open()))));
    await served();
    assert.ok(megabytes() - before < 300, `${megabytes() - before} MB for ${idle.length}`);
    for (const socket of idle) socket.destroy();
    await served();
  });

  function megabytes(): number {
    const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
  }
});
