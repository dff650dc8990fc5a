/**
 * Each bound the server keeps, reached with a small one: what happens then, and that the server goes on. The type of the
 * table asks for every limit there is; those named first are tested beside the code that keeps them.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { fakeClock } from '#base/clock.ts';
import { hasReason } from '#base/status-error.ts';
import type { Limits } from '#kube/apiserver/index.ts';
import { testServer } from '#kube/apiserver/testing.ts';
import { memoryStore } from '#kube/store/index.ts';

type TestedBesideTheCode =
  | 'bodyBytes'
  | 'headerBytes'
  | 'connections'
  | 'watchers'
  | 'watcherBufferBytes'
  | 'watcherQueueEvents'
  | 'historyEvents'
  | 'patchOperations'
  | 'generateNameAttempts'
  | 'yamlMs';

const PATH = '/api/v1/namespaces/default/configmaps';
const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps' } as const;
const configMap = (name: string, data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data,
});

/** A connection on which every byte is ours to send, and everything answered until it is closed. */
function wire(t: TestContext, url: string): { readonly socket: Socket; readonly answered: Promise<string> } {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  t.after(() => socket.destroy());
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  return { socket, answered: once(socket, 'close').then(() => text) };
}

const head = (method: string, path: string, ...headers: readonly string[]) =>
  [`${method} ${path} HTTP/1.1`, 'Host: x', 'Authorization: Bearer admin', ...headers, '', ''].join('\r\n');

const events = (text: string) =>
  text
    .trim()
    .split('\n')
    .map(
      (line) => JSON.parse(line) as { type: string; object: { metadata: { name: string; resourceVersion: string } } },
    );

const CASES: Record<
  Exclude<keyof Limits, TestedBesideTheCode>,
  [behaviour: string, (t: TestContext) => Promise<void>]
> = {
  headerCount: [
    'a request with more headers is refused',
    async (t) => {
      const { call } = await testServer(t, { limits: { headerCount: 20 } });
      const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`x-${i}`, '1']));
      assert.equal((await call('GET', '/version', undefined, many)).code, 431);
      assert.equal((await call('GET', '/version')).code, 200);
    },
  ],
  headersTimeoutMs: [
    'a client that does not send its headers by then is cut off',
    async (t) => {
      const { url, call } = await testServer(t, { limits: { headersTimeoutMs: 100 } });
      const { socket, answered } = wire(t, url);
      socket.write('GET /version HTTP/1.1\r\nHost: x\r\nX-Slow: ');
      assert.match(await answered, /^HTTP\/1\.1 408 /);
      assert.equal((await call('GET', '/version')).code, 200);
    },
  ],
  requestTimeoutMs: [
    'a client that does not send its body by then is cut off',
    async (t) => {
      const { url, call } = await testServer(t, { limits: { headersTimeoutMs: 50, requestTimeoutMs: 100 } });
      const { socket, answered } = wire(t, url);
      socket.write(head('POST', PATH, 'Content-Type: application/json', 'Content-Length: 100'));
      socket.write('{"metadata":');
      assert.match(await answered, /^HTTP\/1\.1 408 /);
      assert.deepEqual((await call('GET', PATH)).body.items, []);
    },
  ],
  keepAliveMs: [
    'an idle connection is closed after it',
    async (t) => {
      const { url } = await testServer(t, { limits: { keepAliveMs: 50 } });
      const { socket, answered } = wire(t, url);
      socket.write(head('GET', '/version'));
      assert.match(await answered, /^HTTP\/1\.1 200 /);
    },
  ],
  historyBytes: [
    'watches from before what it holds end with 410',
    async (t) => {
      const { call } = await testServer(t, { limits: { historyBytes: 4_000 } });
      const before = (await call('GET', PATH)).body.metadata.resourceVersion;
      for (const name of ['a', 'b', 'c']) await call('POST', PATH, configMap(name, { text: 'x'.repeat(3_000) }));
      const watched = await call('GET', `${PATH}?watch=1&resourceVersion=${before}&timeoutSeconds=1`);
      assert.equal(JSON.parse(watched.text).object.code, 410);
    },
  ],
  resumedEvents: [
    'a watch goes on with a new server on the same store, from as far back as that',
    async (t) => {
      const store = memoryStore();
      const { server } = await testServer(t, { store });
      const client = server.client();
      const revisions: string[] = [];
      for (const name of ['a', 'b', 'c', 'd']) {
        const { metadata } = await client.create(CONFIG_MAPS, configMap(name));
        revisions.push(metadata.resourceVersion ?? '');
      }
      await server.close();
      const { call } = await testServer(t, { store, limits: { resumedEvents: 3 } });
      const watch = (from: string | undefined) =>
        call('GET', `${PATH}?watch=1&resourceVersion=${from}&timeoutSeconds=1`);
      const names = events((await watch(revisions[1])).text).map(({ object }) => object.metadata.name);
      assert.deepEqual(names, ['c', 'd']);
      assert.equal(JSON.parse((await watch('2')).text).object.code, 410);
      assert.equal((await call('GET', PATH)).body.items.length, 4);
    },
  ],
  futureRevisionWaitMs: [
    'a read of a revision that does not come is answered with 504',
    async (t) => {
      const { call } = await testServer(t, { limits: { futureRevisionWaitMs: 20 } });
      const { code, body, headers } = await call('GET', `${PATH}?resourceVersion=999999`);
      assert.equal(code, 504);
      assert.match(body.message, /^Timeout: Too large resource version: 999999, current: \d+$/);
      assert.equal(headers['retry-after'], '1');
    },
  ],
  bookmarkIntervalMs: [
    'a watch is told this often how far it is',
    async (t) => {
      const clock = fakeClock();
      const { server } = await testServer(t, { clock, limits: { bookmarkIntervalMs: 1_000 } });
      const stop = new AbortController();
      const options = { signal: stop.signal, allowWatchBookmarks: true, resourceVersion: '0' };
      const watch = server.client().watch(CONFIG_MAPS, options)[Symbol.asyncIterator]();
      const next = watch.next();
      await clock.advance(1_000);
      assert.equal((await next).value?.type, 'BOOKMARK');
      stop.abort();
    },
  ],
  lastBookmarkMs: [
    'a watch is told how far it is before it ends',
    async (t) => {
      const { call } = await testServer(t, { limits: { lastBookmarkMs: 950 } });
      const list = await call('GET', PATH);
      const { resourceVersion } = list.body.metadata;
      const query = `watch=1&allowWatchBookmarks=true&timeoutSeconds=1&resourceVersion=${resourceVersion}`;
      const last = events((await call('GET', `${PATH}?${query}`)).text).at(-1);
      assert.equal(last?.type, 'BOOKMARK');
      assert.ok(Number(last.object.metadata.resourceVersion) >= Number(resourceVersion));
    },
  ],
  watchTimeoutMs: [
    'a watch that names no end has one',
    async (t) => {
      const { call } = await testServer(t, { limits: { watchTimeoutMs: 20 } });
      await call('POST', PATH, configMap('a'));
      const { code, text } = await call('GET', `${PATH}?watch=1`);
      assert.equal(code, 200);
      assert.deepEqual(
        events(text).map(({ type }) => type),
        ['ADDED'],
      );
    },
  ],
  writeAttempts: [
    'a patch that always comes second is a conflict in the end',
    async (t) => {
      const { server } = await testServer(t, { limits: { writeAttempts: 1 } });
      const client = server.client();
      await client.create(CONFIG_MAPS, configMap('a'));
      const key = { namespace: 'default', name: 'a' };
      const patches = Array.from(
        { length: 20 },
        (_, i) => ({ type: 'merge', body: { data: { [`k${i}`]: '1' } } }) as const,
      );
      const results = await Promise.allSettled(patches.map((patch) => client.patch(CONFIG_MAPS, key, patch)));
      const refused = results.filter((result) => result.status === 'rejected');
      assert.ok(refused.length > 0 && refused.length < patches.length);
      assert.ok(refused.every(({ reason }) => hasReason(reason, 'Conflict')));
    },
  ],
  compactionIntervalMs: [
    'the store forgets what is older than one to two of them',
    async (t) => {
      const [clock, store] = [fakeClock(), memoryStore()];
      const { server } = await testServer(t, { clock, store, limits: { compactionIntervalMs: 1_000 } });
      const client = server.client();
      for (const name of ['a', 'b', 'c']) await client.create(CONFIG_MAPS, configMap(name));
      const then = await store.revision();
      await clock.advance(1_000);
      await client.create(CONFIG_MAPS, configMap('d'));
      await clock.advance(1_000);
      const compacted = await store.compacted();
      assert.ok(compacted >= then && compacted < (await store.revision()), `compacted up to ${compacted} of ${then}`);
    },
  ],
};

describe('A limit is kept:', () => {
  for (const [limit, [behaviour, test]] of Object.entries(CASES)) it(`${limit}: ${behaviour}`, test);
});
