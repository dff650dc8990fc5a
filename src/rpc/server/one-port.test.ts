import assert from 'node:assert/strict';
import { once } from 'node:events';
import * as http2 from 'node:http2';
import * as https from 'node:https';
import * as net from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { createConnectTransport } from '@connectrpc/connect-node';
import { TestingService } from '#gen/proto/rpc/testing/v1/testing_pb.ts';
import { createCa } from '#kube/pki/ca.ts';
import { rpcClient } from '../rpc-client.ts';
import { PROTOCOLS, serveTesting } from '../testing/testing-service.ts';
import type { OnePortOptions } from './one-port.ts';

async function serve(context: TestContext, port: Partial<OnePortOptions>) {
  const server = await serveTesting({}, port);
  context.after(() => server.close());
  return { ...server, port: Number(new URL(server.url).port) };
}

async function certificate() {
  const ca = await createCa({ commonName: 'test' });
  return ca.issue({ commonName: 'localhost', usages: ['server'], dnsNames: ['localhost'], ips: ['127.0.0.1'] });
}

/** What a client that offers these protocols ends up speaking. */
function spoken(port: number, ALPNProtocols: string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const path = '/testing/v1/books/x';
  if (ALPNProtocols[0] === 'h2' && ALPNProtocols.length === 1) {
    const session = http2.connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false, ALPNProtocols });
    const stream = session.request({ ':path': path });
    stream.on('response', ({ ':status': status }) => {
      resolve(`${session.alpnProtocol} ${status}`);
      session.close();
    });
    stream.on('error', reject).resume();
    return promise;
  }
  const options: https.RequestOptions & { ALPNProtocols: string[] } = {
    port,
    path,
    rejectUnauthorized: false,
    ALPNProtocols,
  };
  const request = https.get(options, (response) => {
    response.resume();
    resolve(`http/${response.httpVersion} ${response.statusCode}`);
  });
  request.on('error', reject);
  return promise;
}

describe('one port', () => {
  it('answers every protocol with and without TLS', async (context) => {
    for (const tls of [undefined, await certificate()]) {
      const { client, url } = await serve(context, tls ? { tls } : {});
      for (const protocol of PROTOCOLS) assert.equal((await client(protocol).name({ name: 'x' })).name, 'x', url);
    }
  });

  it('answers plain text beside TLS, to this machine', async (context) => {
    const { port } = await serve(context, { tls: await certificate() });
    assert.equal((await fetch(`http://127.0.0.1:${port}/testing/v1/books/x`)).status, 200);
  });

  it('answers no plain text where it is forbidden, and no TLS without a certificate', async (context) => {
    const strict = await serve(context, { tls: await certificate(), plain: 'nobody' });
    await assert.rejects(fetch(`http://127.0.0.1:${strict.port}/testing/v1/books/x`));
    const plain = await serve(context, {});
    await assert.rejects(fetch(`https://127.0.0.1:${plain.port}/testing/v1/books/x`));
  });

  it('speaks HTTP/1.1 to those who can, HTTP/2 to those who cannot', async (context) => {
    const { port } = await serve(context, { tls: await certificate() });
    assert.equal(await spoken(port, ['h2', 'http/1.1']), 'http/1.1 200');
    assert.equal(await spoken(port, ['h2']), 'h2 200');
    const preferring = await serve(context, { tls: await certificate(), prefer: 'h2' });
    await assert.rejects(spoken(preferring.port, ['h2', 'http/1.1']), 'a client of HTTP/1.1 that said it knew HTTP/2');
  });

  it('shows the certificate of its caller if it can be trusted, over either HTTP', async (context) => {
    const ca = await createCa({ commonName: 'test' });
    const server = await ca.issue({ commonName: 'localhost', usages: ['server'], ips: ['127.0.0.1'] });
    const client = await ca.issue({ commonName: 'ann', usages: ['client'] });
    const foreign = await (await createCa({ commonName: 'other' })).issue({ commonName: 'ann', usages: ['client'] });
    const subjects: (string | undefined)[] = [];
    const { url, close } = await serveTesting(
      {
        authenticate({ peer }) {
          subjects.push(peer.certificate()?.subject);
          return undefined;
        },
      },
      { tls: { ...server, ca: ca.cert, requestCert: true, rejectUnauthorized: false } },
    );
    context.after(() => close());
    for (const httpVersion of ['1.1', '2'] as const) {
      for (const shown of [client, foreign, {}]) {
        const nodeOptions = { ...shown, ca: ca.cert };
        const transport = createConnectTransport({ baseUrl: url, httpVersion, nodeOptions });
        await rpcClient(TestingService, transport).name({});
      }
    }
    assert.deepEqual(subjects, ['CN=ann', undefined, undefined, 'CN=ann', undefined, undefined]);
  });

  it('waits for the bytes that tell HTTP/2 from POST', async (context) => {
    const { port } = await serve(context, {});
    for (const text of [
      'POST /testing/v1/echo HTTP/1.0\r\n\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
    ]) {
      const socket = net.connect(port, '127.0.0.1');
      for (const byte of text) {
        socket.write(byte, 'latin1');
        await new Promise((resolve) => setImmediate(resolve));
      }
      const [answer]: Buffer[] = await once(socket, 'data');
      socket.destroy();
      // HTTP/2 begins with a frame of settings, whose type is the fourth byte.
      if (text.startsWith('PRI')) assert.equal(answer?.[3], 4);
      else assert.match(String(answer), /^HTTP\/1\.1 200/);
    }
  });

  it('lets go of a caller that says nothing', async (context) => {
    const { port } = await serve(context, { limits: { firstByteMs: 20 } });
    const socket = net.connect(port, '127.0.0.1');
    await once(socket, 'close');
  });

  it('lets go of a caller that sends its request too slowly', async (context) => {
    const { port } = await serve(context, { limits: { headersMs: 50 } });
    const socket = net.connect(port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
    const [answer]: Buffer[] = await once(socket, 'data');
    assert.match(String(answer), /^HTTP\/1\.1 408/);
    await once(socket, 'close');
  });

  it('answers what it is asked before it closes, and takes nothing new', async () => {
    for (const protocol of ['connect', 'grpc'] as const) {
      const [asked, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const server = await serveTesting({
        interceptors: [
          (next) => async (request) => {
            asked.resolve();
            await go.promise;
            return next(request);
          },
        ],
      });
      const answer = server.client(protocol).name({ name: 'last' });
      await asked.promise;
      const closed = server.close(60_000);
      await assert.rejects(fetch(`${server.url}/testing/v1/books/x`));
      go.resolve();
      assert.equal((await answer).name, 'last');
      await closed;
    }
  });

  it('refuses headers over their limit', async (context) => {
    const { port, url } = await serve(context, { limits: { headerBytes: 8000 } });
    const headers = { 'x-long': 'x'.repeat(9000) };
    assert.equal((await fetch(`${url}/testing/v1/books/x`, { headers })).status, 431);
    const session = http2.connect(`http://127.0.0.1:${port}`);
    const stream = session.request({ ':path': '/testing/v1/books/x', ...headers });
    const [answer]: http2.IncomingHttpHeaders[] = await once(stream, 'response');
    session.destroy();
    assert.equal(answer?.[':status'], 431);
  });

  it('takes no more requests at a time on one connection than its limit', async (context) => {
    const { port } = await serve(context, { limits: { streamsPerConnection: 3 } });
    const session = http2.connect(`http://127.0.0.1:${port}`);
    const [settings]: http2.Settings[] = await once(session, 'remoteSettings');
    session.destroy();
    assert.equal(settings?.maxConcurrentStreams, 3);
  });

  it('takes no more connections than its limit', async (context) => {
    const { port } = await serve(context, { limits: { connections: 1 } });
    const first = net.connect(port, '127.0.0.1');
    await once(first, 'connect');
    const second = net.connect(port, '127.0.0.1');
    second.on('error', () => undefined);
    await once(second, 'close');
    first.destroy();
  });
});
