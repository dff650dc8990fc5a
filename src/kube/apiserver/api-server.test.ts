import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fakeClock } from '#base/clock.ts';
import { memoryStore, type Store } from '#kube/store/index.ts';
import { apiServer } from './api-server.ts';
import { firstEvents, testServer } from './testing.ts';

const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps' } as const;

function configMap(name: string, data: Record<string, string> = {}) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data };
}

describe('An API server', () => {
  it('has the system namespaces from the start', async (t) => {
    const { call } = await testServer(t);
    const { body } = await call('GET', '/api/v1/namespaces');
    assert.deepEqual(
      body.items.map((item: { metadata: { name: string } }) => item.metadata.name),
      ['default', 'kube-node-lease', 'kube-public', 'kube-system'],
    );
    assert.deepEqual(body.items[0].spec, { finalizers: ['kubernetes'] });
  });

  it('shows what one client wrote to the other, over HTTP and in-process', async (t) => {
    const { server, call } = await testServer(t);
    const created = await call('POST', '/api/v1/namespaces/default/configmaps', configMap('a', { x: '1' }));
    assert.equal(created.code, 201);
    const seen = await server.client().get(CONFIG_MAPS, { namespace: 'default', name: 'a' });
    assert.deepEqual(seen, created.body);
    await server.client().update(CONFIG_MAPS, { ...seen, data: { x: '2' } });
    const got = await call('GET', '/api/v1/namespaces/default/configmaps/a');
    assert.deepEqual(got.body.data, { x: '2' });
  });

  it('refuses a create that names a version, a missing namespace, or a name in use', async (t) => {
    const { call } = await testServer(t);
    const path = '/api/v1/namespaces/default/configmaps';
    assert.equal((await call('POST', path, configMap('a'))).code, 201);
    assert.equal((await call('POST', path, configMap('a'))).body.message, 'configmaps "a" already exists');
    const versioned = { ...configMap('b'), metadata: { name: 'b', resourceVersion: '5' } };
    assert.equal((await call('POST', path, versioned)).code, 500);
    const missing = await call('POST', '/api/v1/namespaces/none/configmaps', { metadata: { name: 'x' } });
    assert.equal(missing.body.message, 'namespaces "none" not found');
  });

  it('deletes at once, or marks what a finalizer holds until the last one is gone', async (t) => {
    const { call } = await testServer(t);
    const path = '/api/v1/namespaces/default/configmaps';
    const held = { ...configMap('held'), metadata: { name: 'held', finalizers: ['ex.io/a'] } };
    await call('POST', path, held);
    const marked = await call('DELETE', `${path}/held`);
    assert.ok(marked.body.metadata.deletionTimestamp);
    const merge = { 'content-type': 'application/merge-patch+json' };
    assert.equal((await call('PATCH', `${path}/held`, { metadata: { finalizers: null } }, merge)).code, 200);
    assert.equal((await call('GET', `${path}/held`)).code, 404);
    await call('POST', path, configMap('free'));
    assert.equal((await call('DELETE', `${path}/free`)).body.status, 'Success');
  });

  it('leaves the version alone when a write changes nothing', async (t) => {
    const { call } = await testServer(t);
    const path = '/api/v1/namespaces/default/configmaps';
    const { body } = await call('POST', path, configMap('a', { x: '1' }));
    const again = await call('PUT', `${path}/a`, configMap('a', { x: '1' }));
    assert.equal(again.body.metadata.resourceVersion, body.metadata.resourceVersion);
  });
});

describe('A watch', () => {
  it('tells in-process what there is, then what happens', async (t) => {
    const { server } = await testServer(t);
    const client = server.client();
    await client.create(CONFIG_MAPS, configMap('a'));
    const stop = new AbortController();
    const seen: string[] = [];
    const options = {
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: true,
    } as const;
    for await (const { type, object } of client.watch(CONFIG_MAPS, { ...options, signal: stop.signal })) {
      seen.push(`${type} ${object.metadata.name ?? ''}`.trim());
      if (type === 'BOOKMARK') await client.create(CONFIG_MAPS, configMap('b'));
      if (seen.length === 3) await client.delete(CONFIG_MAPS, { namespace: 'default', name: 'a' });
      if (seen.length === 4) stop.abort();
    }
    assert.deepEqual(seen, ['ADDED a', 'BOOKMARK', 'ADDED b', 'DELETED a']);
  });

  it('tells over HTTP what was missed since a version, and of objects that leave a selection', async (t) => {
    const { call, url } = await testServer(t);
    const path = '/api/v1/namespaces/default/configmaps';
    const before = (await call('GET', path)).body.metadata.resourceVersion;
    await call('POST', path, { ...configMap('a'), metadata: { name: 'a', labels: { tier: 'x' } } });
    await call('PUT', `${path}/a`, { ...configMap('a'), metadata: { name: 'a', labels: { tier: 'y' } } });
    const events = await firstEvents(url, `${path}?watch=1&resourceVersion=${before}&labelSelector=tier%3Dx`, 2);
    assert.deepEqual(
      events.map(({ type, object }) => [type, object.metadata.labels.tier]),
      [
        ['ADDED', 'x'],
        ['DELETED', 'x'],
      ],
    );
  });
});

describe('A server that runs for long', () => {
  it('has its store forget what is older than an interval', async (t) => {
    const store = memoryStore();
    const clock = fakeClock();
    const { server } = await testServer(t, { store, clock, limits: { compactionIntervalMs: 1000 } });
    const client = server.client();
    const { metadata } = await client.create(CONFIG_MAPS, configMap('a'));
    await clock.advance(1000);
    await client.create(CONFIG_MAPS, configMap('b'));
    await clock.advance(1000);
    assert.equal(await store.compacted(), Number(metadata.resourceVersion));
  });

  it('serves what a store already holds', async (t) => {
    const store = memoryStore();
    const first = await apiServer({ store });
    await first.client().create(CONFIG_MAPS, configMap('a', { x: '1' }));
    await first.close();
    const { call } = await testServer(t, { store });
    const { body } = await call('GET', '/api/v1/namespaces/default/configmaps/a');
    assert.deepEqual(body.data, { x: '1' });
    assert.deepEqual(Object.keys(body.metadata).slice(0, 4), ['name', 'namespace', 'uid', 'resourceVersion']);
  });

  it('shows what another server wrote to the same store', async (t) => {
    const store = memoryStore();
    const [one, other] = [await testServer(t, { store }), await testServer(t, { store })];
    const { metadata } = await one.server.client().create(CONFIG_MAPS, configMap('a'));
    const path = `/api/v1/namespaces/default/configmaps/a?resourceVersion=${metadata.resourceVersion}`;
    assert.equal((await other.call('GET', path)).code, 200);
  });
});

it('ends a write that is under way when it closes, with an error', async () => {
  const store = memoryStore();
  const stored = Promise.withResolvers<void>();
  const late: Store = {
    ...store,
    async put(...write) {
      if (write[0].endsWith('/late')) await stored.promise;
      return store.put(...write);
    },
  };
  const server = await apiServer({ store: late });
  const write = server.client().create(CONFIG_MAPS, configMap('late'));
  await server.close();
  stored.resolve();
  await assert.rejects(write, /the server is closing/);
});
