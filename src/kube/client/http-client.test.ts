import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { after, afterEach, before, describe, it } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { fakeClock } from '#base/clock.ts';
import { StatusError } from '#base/status-error.ts';
import { type Ca, createCa, type KeyPair } from '#kube/pki/ca.ts';
import type { ClusterConfig } from './cluster-config.ts';
import { type HttpClient, httpClient } from './http-client.ts';
import { textOf } from './rest-answer.ts';

const pods = { group: '', version: 'v1', resource: 'pods' };
const works = { group: 'work.karmada.io', version: 'v1alpha1', resource: 'works' };
type Handler = (req: IncomingMessage, res: ServerResponse, body: string) => void;

/** A server that answers with `handler` and remembers nothing; clients are closed with it. */
function world() {
  const closing: (() => void)[] = [];

  async function listen(server: Server): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return (server.address() as AddressInfo).port;
  }

  function open(config: ClusterConfig): HttpClient {
    const client = httpClient(config);
    closing.push(() => client.close());
    return client;
  }

  async function serve(handler: Handler, config: Partial<ClusterConfig> = {}): Promise<HttpClient> {
    const port = await listen(createServer(withBodyRead(handler)));
    return open({ server: `http://127.0.0.1:${port}`, ...config });
  }

  function end(): void {
    for (const close of closing.splice(0).reverse()) close();
  }

  return { listen, open, serve, end };
}

function withBodyRead(handler: Handler) {
  return (req: IncomingMessage, res: ServerResponse) => {
    textOf(req).then(
      (body) => handler(req, res, body),
      () => undefined,
    );
  };
}

function answer(res: ServerResponse, body: unknown, code = 200, headers = {}): void {
  res.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

describe('httpClient', () => {
  const { serve, open, listen, end } = world();
  afterEach(end);

  const spelled: [what: string, act: (client: HttpClient) => Promise<unknown>, request: string][] = [
    ['a get', (c) => c.get(pods, { namespace: 'a', name: 'b' }), 'GET /api/v1/namespaces/a/pods/b'],
    [
      'a get of a subresource at a revision',
      (c) => c.get(pods, { namespace: 'a', name: 'b' }, { subresource: 'status', resourceVersion: '0' }),
      'GET /api/v1/namespaces/a/pods/b/status?resourceVersion=0',
    ],
    [
      'a page of a selected list',
      (c) => c.list(works, { labelSelector: 'a in (b)', limit: 5, continue: 'x' }),
      'GET /apis/work.karmada.io/v1alpha1/works?labelSelector=a+in+%28b%29&limit=5&continue=x',
    ],
    [
      'a create',
      (c) => c.create(pods, { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'a', generateName: 'b-' } }),
      'POST /api/v1/namespaces/a/pods application/json {"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"a","generateName":"b-"}}',
    ],
    [
      'a create of a subresource',
      (c) =>
        c.create(
          { ...pods, resource: 'serviceaccounts' },
          { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', metadata: { namespace: 'a', name: 'b' } },
          { subresource: 'token' },
        ),
      'POST /api/v1/namespaces/a/serviceaccounts/b/token application/json {"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","metadata":{"namespace":"a","name":"b"}}',
    ],
    [
      'an update',
      (c) => c.update(pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'b' } }, { dryRun: true }),
      'PUT /api/v1/pods/b?dryRun=All application/json {"apiVersion":"v1","kind":"Pod","metadata":{"name":"b"}}',
    ],
    [
      'a patch',
      (c) => c.patch(pods, { name: 'b' }, { type: 'json', body: [{ op: 'remove', path: '/spec' }] }),
      'PATCH /api/v1/pods/b application/json-patch+json [{"op":"remove","path":"/spec"}]',
    ],
    [
      'an apply',
      (c) =>
        c.apply(pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'b' } }, { fieldManager: 'm', force: true }),
      'PATCH /api/v1/pods/b?fieldManager=m&force=true application/apply-patch+yaml {"apiVersion":"v1","kind":"Pod","metadata":{"name":"b"}}',
    ],
    [
      'a delete',
      (c) => c.delete(pods, { name: 'b' }, { propagationPolicy: 'Foreground', preconditions: { uid: 'u' } }),
      'DELETE /api/v1/pods/b application/json {"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Foreground","preconditions":{"uid":"u"}}',
    ],
    [
      'a delete of many',
      (c) => c.deleteCollection(pods, { namespace: 'a', fieldSelector: 'x=y' }),
      'DELETE /api/v1/namespaces/a/pods?fieldSelector=x%3Dy application/json {"kind":"DeleteOptions","apiVersion":"v1"}',
    ],
    ['a plain path', (c) => c.getText('/readyz?verbose'), 'GET /readyz?verbose'],
  ];

  for (const [what, act, request] of spelled) {
    it(`spells ${what} as Kubernetes does`, async () => {
      let seen = '';
      const client = await serve((req, res, body) => {
        seen = [req.method, req.url, req.headers['content-type'], body].filter(Boolean).join(' ');
        answer(res, { kind: 'PodList', apiVersion: 'v1', metadata: {}, items: [] });
      });
      await act(client);
      assert.equal(seen, request);
    });
  }

  it('gives list items the kind their list implies, and reads a null list as empty', async () => {
    const client = await serve((req, res) =>
      answer(res, {
        kind: 'PodList',
        apiVersion: 'v1',
        metadata: { resourceVersion: '7' },
        items: req.url?.includes('works') ? null : [{ metadata: { name: 'a' } }],
      }),
    );
    assert.deepEqual((await client.list(pods)).items, [{ metadata: { name: 'a' }, apiVersion: 'v1', kind: 'Pod' }]);
    assert.deepEqual((await client.list(works)).items, []);
  });

  it('turns a Status into a StatusError with reason, code and details', async () => {
    const status = { kind: 'Status', message: 'pods "b" not found', reason: 'NotFound', details: { name: 'b' } };
    const client = await serve((_req, res) => answer(res, status, 404));
    const error = await client.get(pods, { name: 'b' }).catch((error: unknown) => error);
    assert.ok(error instanceof StatusError);
    const { reason, message, details, code } = error;
    assert.deepEqual(
      { reason, message, details, code },
      { reason: 'NotFound', message: 'pods "b" not found', details: { name: 'b' }, code: 404 },
    );
  });

  it('takes a plain text failure as the message', async () => {
    const client = await serve((_req, res) => res.writeHead(404).end('404 page not found\n'));
    await assert.rejects(client.getText('/x'), { reason: 'NotFound', message: '404 page not found' });
  });

  it('says which server cannot be reached', async () => {
    const client = open({ server: 'http://127.0.0.1:1' });
    await assert.rejects(client.getText('/x'), {
      reason: 'ServiceUnavailable',
      message: /^http:\/\/127\.0\.0\.1:1 cannot be reached: connect ECONNREFUSED/,
    });
  });

  it('asks again when told to come back later, after as long as told', async () => {
    const clock = fakeClock();
    const seen = { asked: 0 };
    const client = await serve((_req, res) => answer(res, {}, ++seen.asked < 3 ? 429 : 200, { 'retry-after': '2' }), {
      clock,
    });
    const done = client.getText('/x');
    while (seen.asked < 3) await clock.advance(500);
    assert.equal(await done, '{}');
  });

  it('gives up asking in the end', async () => {
    const clock = fakeClock();
    const seen = { asked: 0 };
    const client = await serve((_req, res) => answer(res, {}, (seen.asked++, 429)), { clock });
    const done = assert.rejects(client.getText('/x'), { reason: 'TooManyRequests' });
    while (seen.asked < 5) await clock.advance(500);
    await done;
  });

  it('gives up on a server that does not answer in time', async () => {
    const clock = fakeClock();
    const asked = Promise.withResolvers<void>();
    const client = await serve(() => asked.resolve(), { clock, timeoutMs: 5_000 });
    const done = assert.rejects(client.getText('/x'), { reason: 'Timeout', message: /did not answer within 5 s/ });
    await asked.promise;
    await clock.advance(5_000);
    await done;
  });

  it('rejects with the reason of the signal that aborted it, before and during the answer', async () => {
    const asked = Promise.withResolvers<void>();
    const stop = new AbortController();
    const client = await serve((_req, res) => {
      res.writeHead(200, { 'content-length': '100' }).write('{');
      asked.resolve();
    });
    const done = client.getText('/x', stop.signal);
    await asked.promise;
    stop.abort(new Error('enough'));
    await assert.rejects(done, { message: 'enough' });
    await assert.rejects(client.getText('/x', stop.signal), { message: 'enough' });
  });

  it('keeps connections and bounds how many it opens', async () => {
    const sockets = new Set<Socket>();
    let now = 0;
    let most = 0;
    const client = await serve(
      (req, res) => {
        sockets.add(req.socket);
        most = Math.max(most, ++now);
        setImmediate(() => {
          now--;
          answer(res, {});
        });
      },
      { maxSockets: 3 },
    );
    await Promise.all(Array.from({ length: 20 }, () => client.getText('/x')));
    assert.equal(most <= 3, true);
    assert.equal(sockets.size, 3);
  });

  it('says who asks: token, impersonation and user agent', async () => {
    let headers: IncomingMessage['headers'] = {};
    const client = await serve((req, res) => answer(res, ((headers = req.headers), {})), {
      token: 't',
      userAgent: 'test/1',
      impersonate: { user: 'bob', groups: ['g', 'h'], uid: '1', extra: { 'a/b': ['c'] } },
    });
    await client.getText('/x');
    assert.equal(headers.authorization, 'Bearer t');
    assert.equal(headers['user-agent'], 'test/1');
    assert.equal(headers['impersonate-user'], 'bob');
    assert.equal(headers['impersonate-uid'], '1');
    assert.equal(headers['impersonate-group'], 'g, h');
    assert.equal(headers['impersonate-extra-a%2fb'], 'c');
  });

  it('asks the provider for another token when one was refused, once', async () => {
    const rejected: (string | undefined)[] = [];
    const client = await serve((req, res) => answer(res, {}, req.headers.authorization === 'Bearer new' ? 200 : 401), {
      token: async (old) => (rejected.push(old), old === undefined ? 'old' : 'new'),
    });
    await client.getText('/x');
    assert.deepEqual(rejected, [undefined, 'old']);
  });

  it('reads compressed answers', async () => {
    const client = await serve((_req, res) => {
      res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"metadata":{"name":"a"}}'));
    });
    assert.equal((await client.get(pods, { name: 'a' })).metadata.name, 'a');
  });

  it('goes through a proxy when told to', async () => {
    const asked: string[] = [];
    const proxy = await listen(
      createServer((req, res) => {
        asked.push(req.url ?? '');
        answer(res, {});
      }),
    );
    const client = open({ server: 'http://cluster.invalid:1234', proxyUrl: `http://127.0.0.1:${proxy}` });
    assert.equal(await client.getText('/version'), '{}');
    assert.deepEqual(asked, ['http://cluster.invalid:1234/version']);
  });

  it('streams requests and answers it does not understand, as the caller it is', async () => {
    const client = await serve((req, res, body) => answer(res, { body, auth: req.headers.authorization }, 418), {
      token: 'mine',
    });
    const response = await client.request({
      method: 'POST',
      path: '/anything',
      headers: { authorization: 'Bearer yours', host: 'elsewhere' },
      body: Readable.from(['a', 'b']),
    });
    assert.equal(response.statusCode, 418);
    assert.deepEqual(JSON.parse(await textOf(response)), { body: 'ab', auth: 'Bearer mine' });
  });

  it('hands over the connection after an upgrade', async () => {
    const server = createServer();
    server.on('upgrade', (_req, socket: Socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
      socket.pipe(socket);
    });
    const client = open({ server: `http://127.0.0.1:${await listen(server)}` });
    const answer = await client.upgrade({
      method: 'GET',
      path: '/exec',
      headers: { connection: 'upgrade', upgrade: 'echo' },
    });
    assert.ok('head' in answer);
    answer.socket.write('hello');
    const [echo] = await Array.fromAsync(answer.socket.take(1));
    assert.equal(String(echo), 'hello');
    answer.socket.destroy();
  });
});

describe('httpClient watching', () => {
  const { serve, end } = world();
  afterEach(end);
  const event = (name: string) => ({ type: 'ADDED', object: { kind: 'Pod', metadata: { name } } });
  const line = (value: unknown) => `${JSON.stringify(value)}\n`;

  it('asks for what it is told to watch', async () => {
    let url = '';
    const client = await serve((req, res) => res.end(((url = req.url ?? ''), '')));
    const { signal } = new AbortController();
    const options = { namespace: 'a', labelSelector: 'b', sendInitialEvents: true, timeoutSeconds: 9, signal };
    await Array.fromAsync(client.watch(pods, options));
    assert.equal(url, '/api/v1/namespaces/a/pods?labelSelector=b&watch=true&sendInitialEvents=true&timeoutSeconds=9');
  });

  it('yields events however the stream is cut, and ends when the server ends', async () => {
    const text = Buffer.from(line(event('ä')) + line(event('b')) + line(event('c')));
    const client = await serve((_req, res) => {
      void (async () => {
        for (let at = 0; at < text.length; at += 7) {
          await new Promise<void>((resolve) => res.write(text.subarray(at, at + 7), () => resolve()));
        }
        res.end();
      })();
    });
    const events = await Array.fromAsync(client.watch(pods, { signal: new AbortController().signal }));
    assert.deepEqual(events, [event('ä'), event('b'), event('c')]);
  });

  it('throws what an ERROR event says', async () => {
    const client = await serve((_req, res) => {
      const status = { kind: 'Status', reason: 'Expired', code: 410, message: 'too old resource version' };
      res.end(line(event('a')) + line({ type: 'ERROR', object: status }));
    });
    const seen: unknown[] = [];
    await assert.rejects(
      async () => {
        for await (const event of client.watch(pods, { signal: new AbortController().signal })) seen.push(event);
      },
      { reason: 'Expired', code: 410 },
    );
    assert.equal(seen.length, 1);
  });

  it('throws when the connection breaks and when the server refuses', async () => {
    const client = await serve((req, res) => {
      if (req.url?.includes('/works')) return answer(res, { reason: 'Forbidden', message: 'no' }, 403);
      res.write(line(event('a')), () => res.destroy());
    });
    const { signal } = new AbortController();
    await assert.rejects(Array.fromAsync(client.watch(pods, { signal })), { reason: 'ServiceUnavailable' });
    await assert.rejects(Array.fromAsync(client.watch(works, { signal })), { reason: 'Forbidden' });
  });

  it('ends quietly when aborted, and lets the connection go when its reader leaves', async () => {
    const gone: Promise<void>[] = [];
    const client = await serve((_req, res) => {
      gone.push(new Promise((resolve) => res.on('close', resolve)));
      res.write(line(event('a')));
    });
    const stop = new AbortController();
    for await (const _ of client.watch(pods, { signal: stop.signal })) stop.abort();
    for await (const _ of client.watch(pods, { signal: new AbortController().signal })) break;
    await Promise.all(gone);
    assert.equal(gone.length, 2);
  });

  it('does not wait for ever for a server that vanished', async () => {
    const clock = fakeClock();
    const client = await serve((_req, res) => res.write(line(event('a'))), { clock });
    const options = { signal: new AbortController().signal, timeoutSeconds: 60 };
    const watch = client.watch(pods, options)[Symbol.asyncIterator]();
    await watch.next();
    const next = assert.rejects(watch.next(), { reason: 'ServiceUnavailable' });
    await clock.advance(90_000);
    await next;
  });

  it('reads no faster than its reader', async () => {
    const big = line({ ...event('x'), filler: 'x'.repeat(60_000) });
    let full = Promise.withResolvers<void>();
    let sent = 0;
    const client = await serve((_req, res) => {
      const fill = () => {
        while (sent++ < 2_000) if (!res.write(big)) return void res.once('drain', fill);
        res.end();
      };
      fill();
      full.resolve();
    });
    const watch = client.watch(pods, { signal: new AbortController().signal })[Symbol.asyncIterator]();
    await watch.next();
    await full.promise;
    // Two turns of the loop are enough for a reader without back-pressure to have taken megabytes.
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    assert.ok(sent < 1_000, `${sent} events were taken while one was wanted`);
    await watch.return?.();
  });

  it('leaves room for requests however many watches are open', async () => {
    const client = await serve(
      (req, res) => (req.url?.includes('watch=true') ? void res.write(line(event('a'))) : answer(res, {})),
      { maxSockets: 1 },
    );
    const { signal } = new AbortController();
    const watches = Array.from({ length: 4 }, () => client.watch(pods, { signal })[Symbol.asyncIterator]());
    await Promise.all(watches.map((watch) => watch.next()));
    assert.equal(await client.getText('/x'), '{}');
  });
});

describe('httpClient with TLS', () => {
  const { open, listen, end } = world();
  let ca: Ca;
  let server: KeyPair;
  before(async () => {
    ca = await createCa({ commonName: 'test' });
    server = await ca.issue({ commonName: 's', ips: ['127.0.0.1'], dnsNames: ['inner'], usages: ['server'] });
  });
  afterEach(end);
  after(end);

  const tls = () =>
    listen(
      createTlsServer({ ...server, ca: ca.cert, requestCert: true, rejectUnauthorized: false }, (req, res) => {
        const { subject } = (req.socket as TLSSocket).getPeerCertificate();
        answer(res, { user: subject?.CN ?? 'anonymous' });
      }),
    );

  it('trusts the given authority only, unless told not to care', async () => {
    const port = await tls();
    const at = { server: `https://127.0.0.1:${port}` };
    assert.match(await open({ ...at, ca: ca.cert }).getText('/'), /anonymous/);
    assert.match(await open({ ...at, insecureSkipTlsVerify: true }).getText('/'), /anonymous/);
    await assert.rejects(open(at).getText('/'), { reason: 'ServiceUnavailable', message: /certificate/ });
    await assert.rejects(open({ ...at, ca: ca.cert, tlsServerName: 'other' }).getText('/'), /other/);
    assert.match(await open({ ...at, ca: ca.cert, tlsServerName: 'inner' }).getText('/'), /anonymous/);
  });

  it('shows its client certificate, and a renewed one on new connections', async () => {
    const port = await tls();
    let name = 'alice';
    const pairs = {
      alice: await ca.issue({ commonName: 'alice', usages: ['client'] }),
      bob: await ca.issue({ commonName: 'bob', usages: ['client'] }),
    };
    const client = open({
      server: `https://127.0.0.1:${port}`,
      ca: ca.cert,
      clientCert: async () => pairs[name as keyof typeof pairs],
    });
    assert.match(await client.getText('/'), /alice/);
    name = 'bob';
    assert.match(await client.getText('/'), /bob/);
  });

  it('says that certificates cannot be read', async () => {
    const client = open({ server: 'https://127.0.0.1:1', clientCert: { cert: 'nonsense', key: 'nonsense' } });
    await assert.rejects(client.getText('/'), { reason: 'BadRequest', message: /cannot be read/ });
  });

  it('tunnels TLS through a proxy', async () => {
    const port = await tls();
    const proxy = createServer();
    proxy.on('connect', (_req, socket: Socket) => {
      const upstream = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      upstream
        .pipe(socket)
        .pipe(upstream)
        .on('error', () => undefined);
      socket.on('error', () => undefined);
    });
    const client = open({
      server: 'https://inner:6443',
      ca: ca.cert,
      proxyUrl: `http://127.0.0.1:${await listen(proxy)}`,
    });
    assert.match(await client.getText('/'), /anonymous/);
  });
});
