import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { countingIds } from '#base/ids.ts';
import { hasReason } from '#base/status-error.ts';
import { LIMITS } from './limits.ts';
import { testServer } from './testing.ts';

const PATH = '/api/v1/namespaces/default/configmaps';
const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps' } as const;

function configMap(name: string, data: Record<string, string> = {}) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data };
}

describe('The limit on', () => {
  it('a body is that of Kubernetes, whether announced or found out', async (t) => {
    const { call, url } = await testServer(t);
    const large = `{"metadata":{"name":"a"},"data":{"x":"${'x'.repeat(LIMITS.bodyBytes)}"}}`;
    assert.equal((await call('POST', PATH, large)).body.message, 'Request entity too large: limit is 3145728');
    const code = await new Promise((resolve) => {
      const asked = request(`${url}${PATH}`, { method: 'POST', headers: { authorization: 'Bearer admin' } });
      asked.on('response', (response) => resolve(response.resume().statusCode));
      asked.on('error', () => undefined);
      asked.write(large);
      asked.end();
    });
    assert.equal(code, 413);
  });

  it('headers refuses requests that have too large ones', async (t) => {
    const { call } = await testServer(t, { limits: { headerBytes: 16_384 } });
    assert.equal((await call('GET', '/version', undefined, { 'x-large': 'x'.repeat(20_000) })).code, 431);
  });

  it('connections refuses more of them', async (t) => {
    const { url, call } = await testServer(t, { limits: { connections: 1 } });
    const first = connect(Number(new URL(url).port), '127.0.0.1');
    await new Promise((resolve) => first.once('connect', resolve));
    await assert.rejects(call('GET', '/version'));
    first.destroy();
  });

  it('watches answers further ones with 429', async (t) => {
    const { server, call } = await testServer(t, { limits: { watchers: 1 } });
    const stop = new AbortController();
    const watch = server.client().watch(CONFIG_MAPS, {
      signal: stop.signal,
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: true,
    });
    await watch[Symbol.asyncIterator]().next();
    const refused = await call('GET', `${PATH}?watch=1`);
    stop.abort();
    assert.equal(refused.code, 429);
    assert.equal(refused.headers['retry-after'], '1');
  });

  it('what a slow watcher leaves unread drops it', async (t) => {
    const { url, call, server } = await testServer(t, { limits: { watcherBufferBytes: 100_000 } });
    await call('POST', PATH, configMap('a'));
    const asked = request(`${url}${PATH}?watch=1`, { headers: { authorization: 'Bearer admin' } });
    t.after(() => asked.destroy());
    // The answer begins, and is not read any further.
    const begun = new Promise((resolve) => asked.on('response', (response) => resolve(response.pause())));
    asked.on('error', () => undefined);
    asked.end();
    await begun;
    const watchers = async () => /^apiserver_watchers (\d+)$/m.exec(await server.client().getText('/metrics'))?.[1];
    const large = 'x'.repeat(500_000);
    for (let i = 0; i < 200 && (await watchers()) !== '0'; i++) {
      await server.client().update(CONFIG_MAPS, configMap('a', { x: large, i: String(i) }));
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(await watchers(), '0');
  });

  it('what an in-process watcher leaves unread ends it with 410', async (t) => {
    const { server } = await testServer(t, { limits: { watcherQueueEvents: 5 } });
    const client = server.client();
    const watch = client.watch(CONFIG_MAPS, {
      signal: new AbortController().signal,
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: true,
    });
    const events = watch[Symbol.asyncIterator]();
    await events.next();
    const reading = events.next();
    for (let i = 0; i < 10; i++) await client.create(CONFIG_MAPS, configMap(`c${i}`));
    await reading;
    const drain = async () => {
      for (;;) if ((await events.next()).done) return;
    };
    await assert.rejects(drain(), (error) => hasReason(error, 'Expired'));
  });

  it('history ends watches and lists that start before it', async (t) => {
    const { call } = await testServer(t, { limits: { historyEvents: 2 } });
    const before = (await call('GET', PATH)).body.metadata.resourceVersion;
    for (const name of ['a', 'b', 'c']) await call('POST', PATH, configMap(name));
    const watched = await call('GET', `${PATH}?watch=1&resourceVersion=${before}&timeoutSeconds=1`);
    assert.equal(JSON.parse(watched.text).object.reason, 'Expired');
    assert.equal((await call('GET', `${PATH}?resourceVersion=${before}&resourceVersionMatch=Exact`)).code, 410);
  });

  it('history offers a page that has expired a token to go on with', async (t) => {
    const { call } = await testServer(t, { limits: { historyEvents: 2 } });
    for (const name of ['a', 'b', 'c', 'd']) await call('POST', PATH, configMap(name));
    const first = await call('GET', `${PATH}?limit=2`);
    for (const name of ['e', 'f', 'g']) await call('POST', PATH, configMap(name));
    const expired = await call('GET', `${PATH}?limit=2&continue=${first.body.metadata.continue}`);
    assert.equal(expired.code, 410);
    const rest = await call('GET', `${PATH}?limit=9&continue=${expired.body.metadata.continue}`);
    const names = rest.body.items.map((item: { metadata: { name: string } }) => item.metadata.name);
    assert.deepEqual(names, ['c', 'd', 'e', 'f', 'g']);
  });

  it('operations of a JSON patch refuses longer ones', async (t) => {
    const { call } = await testServer(t, { limits: { patchOperations: 2 } });
    await call('POST', PATH, configMap('a'));
    const operation = { op: 'add', path: '/data', value: {} };
    const patched = await call('PATCH', `${PATH}/a`, [operation, operation, operation], {
      'content-type': 'application/json-patch+json',
    });
    assert.equal(patched.code, 413);
  });

  it('generated names gives up when all of them are taken', async (t) => {
    const { server } = await testServer(t, { ids: { ...countingIds(), suffix: () => 'same5' } });
    const client = server.client();
    const unnamed = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'a-', namespace: 'default' } };
    assert.equal((await client.create(CONFIG_MAPS, unnamed)).metadata.name, 'a-same5');
    await assert.rejects(client.create(CONFIG_MAPS, unnamed), (error) => hasReason(error, 'AlreadyExists'));
  });
});
