import assert from 'node:assert/strict';
import { once } from 'node:events';
import * as net from 'node:net';
import { after, before, describe, it } from 'node:test';
import * as fc from 'fast-check';
import { StatusError } from '#base/status-error.ts';
import { serveTesting, type TestingServer } from '../testing/testing-service.ts';

const LIMITS = { bodyBytes: 2000, openStreams: 2, maxDeadlineMs: 1000 };

describe('REST', () => {
  let server: TestingServer;
  before(async () => {
    server = await serveTesting({ limits: LIMITS });
  });
  after(() => server.close());

  const call = (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body }),
    });

  it('writes empty lists and zeros, as the published API does', async () => {
    const response = await call('POST', '/testing/v1/echo', '{"everything":{}}');
    assert.partialDeepStrictEqual(await response.json(), { everything: { text: '', small: 0, large: '0', texts: [] } });
  });

  it('answers one field where the rule says so', async () => {
    const response = await call('POST', '/testing/v1/unwrap', '[{"name":"a"}]');
    assert.deepEqual(await response.json(), [{ name: 'a', count: 0 }]);
    assert.deepEqual(await (await call('POST', '/testing/v1/unwrap', '')).json(), []);
  });

  it('says which verbs a path has', async () => {
    const response = await call('DELETE', '/testing/v1/echo');
    assert.deepEqual([response.status, response.headers.get('allow')], [405, 'POST, GET']);
    assert.partialDeepStrictEqual(await response.json(), {
      code: 12,
      message: 'DELETE is not served here, but POST, GET',
    });
  });

  it('leaves paths alone that are not its own', async () => {
    for (const path of [
      '/',
      '/testing',
      '/testing/v2/echo',
      '/testing/v1/books/%zz',
      '//',
      '/rpc.testing.v1.TestingService/No',
    ]) {
      assert.equal((await call('GET', path)).status, 404, path);
    }
  });

  it('answers HEAD like GET, without a body', async () => {
    const response = await call('HEAD', '/testing/v1/books/x');
    assert.deepEqual([response.status, await response.text()], [200, '']);
  });

  it('reads a body as JSON whatever it is called, and refuses what is none', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    assert.equal((await call('POST', '/testing/v1/echo', '{}', form)).status, 200);
    assert.equal((await call('POST', '/testing/v1/echo', 'a=b', form)).status, 400);
  });

  it('refuses a body over its limit, announced or not, and says so', async () => {
    const body = JSON.stringify({ everything: { text: 'x'.repeat(LIMITS.bodyBytes) } });
    assert.equal((await call('POST', '/testing/v1/echo', body)).status, 413);
    const chunks = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from(body));
        controller.close();
      },
    });
    const streamed = await fetch(`${server.url}/testing/v1/echo`, { method: 'POST', body: chunks, duplex: 'half' });
    assert.equal(streamed.status, 413);
  });

  it('streams as lines', async () => {
    const response = await call('GET', '/testing/v1/count/2');
    assert.equal(response.headers.get('content-type'), 'application/x-ndjson');
    assert.equal(await response.text(), '{"result":{"number":1}}\n{"result":{"number":2}}\n');
  });

  it('streams as events to those who ask for them', async () => {
    const response = await call('GET', '/testing/v1/count/2?failAt=2', undefined, { accept: 'text/event-stream' });
    assert.equal(response.headers.get('content-type'), 'text/event-stream');
    const [first, second] = (await response.text()).split('\n\n');
    assert.equal(first, 'data: {"number":1}');
    assert.match(second ?? '', /^event: error\ndata: \{"code":11,"message":"cannot count to 2"/);
  });

  it('ends a stream that fails with the error, and answers one that never begins with its code', async () => {
    const lines = (await (await call('GET', '/testing/v1/count/3?failAt=2')).text()).trim().split('\n');
    assert.partialDeepStrictEqual(JSON.parse(lines[1] ?? ''), { error: { code: 11, message: 'cannot count to 2' } });
    const none = await call('GET', '/testing/v1/count/3?failAt=1');
    assert.deepEqual([none.status, none.headers.get('content-type')], [410, 'application/json']);
  });

  it('gives up after the time its caller gives', async () => {
    for (const headers of [{ 'connect-timeout-ms': '20' }, { 'grpc-timeout': '20m' }]) {
      assert.equal((await call('GET', '/testing/v1/wait', undefined, headers)).status, 504);
    }
    for (const text of ['soon', '-1', '2S']) {
      assert.equal((await call('GET', '/testing/v1/wait', undefined, { 'grpc-timeout': text })).status, 400, text);
    }
  });

  it('is never brought down by a request, and never fails at one', async () => {
    const segment = fc.oneof(
      fc.constantFrom('testing', 'v1', 'echo', 'books', 'count', 'fail', ':publish', 'shelves'),
      fc.string(),
    );
    const key = fc.oneof(
      fc.constantFrom(
        'everything.text',
        'everything.large',
        'everything.labels[a]',
        'everything.moment',
        'failAt',
        'comment',
      ),
      fc.string(),
    );
    const request = fc.record({
      method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'),
      path: fc.array(segment, { maxLength: 6 }).map((all) => all.map(encodeURIComponent).join('/')),
      query: fc.array(fc.tuple(key, fc.string()), { maxLength: 4 }),
      body: fc.oneof(
        fc.json(),
        fc.string(),
        fc.json().map((value) => `{"everything":${value}}`),
      ),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ method, path, query, body }) => {
        const target = `/testing/v1/${path}?${new URLSearchParams(query).toString()}`;
        const hasBody = method !== 'GET' && method !== 'HEAD';
        const response = await call(method, target, hasBody ? body : undefined);
        await response.arrayBuffer();
        // `fail/<anything>` throws what is no StatusError, which is the one failure that is asked for.
        if (/^\/testing\/v1\/fail\/[^/?]+\?/.test(target)) return;
        assert.ok(response.status < 500, `${method} ${target} ${body}: ${response.status}`);
      }),
      { seed: 1, numRuns: 400 },
    );
  });

  it('survives requests that are none', async () => {
    const lines = [
      'GET // HTTP/1.1\r\nHost: x',
      'GET /testing/v1/echo HTTP/1.1\r\nHost: [',
      'POST /rpc.testing.v1.TestingService/Echo HTTP/1.1\r\nHost: [\r\nContent-Type: application/json\r\nContent-Length: 2',
      'GET http://elsewhere/testing/v1/books/x HTTP/1.1\r\nHost: x',
      'GET http://[/testing/v1/books/x HTTP/1.1\r\nHost: x',
      'POST /testing/v1/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{"a"',
    ];
    for (const line of lines) {
      const socket = net.connect(Number(new URL(server.url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.end(`${line}\r\nConnection: close\r\n\r\n`);
      socket.resume();
      await once(socket, 'close');
    }
    assert.equal((await call('GET', '/testing/v1/books/x')).status, 200);
  });

  it('opens no more streams than its limit', async () => {
    const [full, open] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let arrived = 0;
    const limited = await serveTesting({
      limits: LIMITS,
      interceptors: [
        (next) => async (request) => {
          arrived += 1;
          if (arrived === LIMITS.openStreams) full.resolve();
          await open.promise;
          return next(request);
        },
      ],
    });
    const streams = Array.from({ length: LIMITS.openStreams }, () => fetch(`${limited.url}/testing/v1/count/1`));
    await full.promise;
    const refused = await fetch(`${limited.url}/testing/v1/count/1`);
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1']);
    open.resolve();
    for (const stream of streams) assert.equal((await stream).status, 200);
    const again = await fetch(`${limited.url}/testing/v1/count/1`);
    assert.equal(again.status, 200);
    await limited.close();
  });

  it('does not read what it refuses by its sender', async () => {
    const guarded = await serveTesting({
      authenticate() {
        throw new StatusError('Unauthorized', 'who are you?');
      },
    });
    const response = await fetch(`${guarded.url}/testing/v1/echo`, { method: 'POST', body: '{ this is no JSON' });
    assert.equal(response.status, 401);
    assert.partialDeepStrictEqual(await response.json(), { message: 'who are you?' });
    await guarded.close();
  });
});
