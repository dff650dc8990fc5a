import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../testing.ts';

const PATH = '/api/v1/namespaces/default/configmaps';
const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps' } as const;
const merge = { 'content-type': 'application/merge-patch+json' };

function configMap(name: string, data: Record<string, string> = {}) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data };
}

const names = (body: { items: { metadata: { name: string } }[] }) => body.items.map(({ metadata }) => metadata.name);

describe('A list', () => {
  it('shows the same moment on all its pages, whatever happens between them', async (t) => {
    const { call } = await testServer(t);
    for (const name of ['a', 'b', 'c', 'd']) await call('POST', PATH, configMap(name));
    const first = (await call('GET', `${PATH}?limit=2`)).body;
    assert.deepEqual([names(first), first.metadata.remainingItemCount], [['a', 'b'], 2]);
    await call('DELETE', `${PATH}/c`);
    await call('POST', PATH, configMap('aa'));
    const second = (await call('GET', `${PATH}?limit=2&continue=${first.metadata.continue}`)).body;
    assert.deepEqual(names(second), ['c', 'd']);
    assert.equal(second.metadata.resourceVersion, first.metadata.resourceVersion);
    assert.equal(second.metadata.continue, undefined);
  });

  it('of all namespaces pages through them in order', async (t) => {
    const { call } = await testServer(t);
    for (const namespace of ['a', 'a-b']) await call('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    for (const namespace of ['a', 'a-b']) {
      await call('POST', `/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name: 'x' } });
    }
    const found: string[] = [];
    let token = '';
    do {
      const { body } = await call('GET', `/api/v1/configmaps?limit=1${token && `&continue=${token}`}`);
      found.push(...body.items.map((item: { metadata: { namespace: string } }) => item.metadata.namespace));
      token = body.metadata.continue ?? '';
    } while (token !== '');
    assert.deepEqual(found, ['a-b', 'a']);
  });
});

describe('Concurrent writes', () => {
  it('all land when they are patches', async (t) => {
    const { server } = await testServer(t);
    const client = server.client();
    await client.create(CONFIG_MAPS, configMap('a'));
    const key = { namespace: 'default', name: 'a' };
    const patches = Array.from({ length: 20 }, (_, i) => ({ data: { [`k${i}`]: '1' } }));
    await Promise.all(patches.map((body) => client.patch(CONFIG_MAPS, key, { type: 'merge', body })));
    const { data } = await client.get<ReturnType<typeof configMap> & { metadata: { name: string } }>(CONFIG_MAPS, key);
    assert.equal(Object.keys(data).length, 20);
  });

  it('fail but one when they name the version they saw', async (t) => {
    const { server } = await testServer(t);
    const client = server.client();
    const seen = await client.create(CONFIG_MAPS, configMap('a'));
    const updates = Array.from({ length: 5 }, (_, i) =>
      client.update(CONFIG_MAPS, { ...seen, data: { i: String(i) } }),
    );
    const results = await Promise.allSettled(updates);
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  it('create a name once', async (t) => {
    const { server } = await testServer(t);
    const client = server.client();
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () => client.create(CONFIG_MAPS, configMap('a'))),
    );
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
  });
});

describe('Objects in the cache', () => {
  it('are the same ones for everybody who asks', async (t) => {
    const { server } = await testServer(t);
    const client = server.client();
    await client.create(CONFIG_MAPS, configMap('a'));
    const got = await client.get(CONFIG_MAPS, { namespace: 'default', name: 'a' });
    const { items } = await client.list(CONFIG_MAPS, { namespace: 'default' });
    assert.equal(items[0], got);
  });

  it('are not changed by whoever changes what they sent', async (t) => {
    const { server } = await testServer(t);
    const client = server.client();
    const sent = configMap('a', { x: '1' });
    await client.create(CONFIG_MAPS, sent);
    sent.data['x'] = '2';
    const got = await client.get(CONFIG_MAPS, { namespace: 'default', name: 'a' });
    assert.deepEqual(got['data'], { x: '1' });
  });
});

describe('Two versions of one kind', () => {
  it('show the same events', async (t) => {
    const { call } = await testServer(t);
    const involvedObject = { kind: 'Pod', namespace: 'default', name: 'p' };
    const event = { metadata: { name: 'e' }, involvedObject, reason: 'R', message: 'told', type: 'Normal' };
    assert.equal((await call('POST', '/api/v1/namespaces/default/events', event)).code, 201);
    const { body } = await call('GET', '/apis/events.k8s.io/v1/namespaces/default/events/e');
    assert.deepEqual([body.apiVersion, body.note, body.regarding.name], ['events.k8s.io/v1', 'told', 'p']);
  });

  it('tell each other’s watchers', async (t) => {
    const { server } = await testServer(t);
    const client = server.client();
    const v2 = { group: 'autoscaling', version: 'v2', resource: 'horizontalpodautoscalers' };
    const stop = new AbortController();
    const watch = client.watch(v2, { signal: stop.signal });
    const first = watch[Symbol.asyncIterator]().next();
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
    const spec = { scaleTargetRef, maxReplicas: 3, targetCPUUtilizationPercentage: 50 };
    const metadata = { name: 'h', namespace: 'default' };
    await client.create(
      { ...v2, version: 'v1' },
      { apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler', metadata, spec },
    );
    const { value } = await first;
    stop.abort();
    assert.equal(value?.object.apiVersion, 'autoscaling/v2');
    assert.equal(JSON.stringify(value?.object['spec']).includes('"averageUtilization":50'), true);
  });
});

describe('A subresource', () => {
  it('changes its own part and nothing else', async (t) => {
    const { call } = await testServer(t);
    const path = '/apis/apps/v1/namespaces/default/deployments';
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const spec = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template };
    await call('POST', path, { metadata: { name: 'd' }, spec });
    const status = await call('PATCH', `${path}/d/status`, { spec: { replicas: 9 }, status: { replicas: 5 } }, merge);
    assert.deepEqual(
      [status.body.spec.replicas, status.body.status.replicas, status.body.metadata.generation],
      [1, 5, 1],
    );
    const scale = await call('PUT', `${path}/d/scale`, { metadata: { name: 'd' }, spec: { replicas: 4 } });
    assert.deepEqual([scale.body.kind, scale.body.spec.replicas, scale.body.status.replicas], ['Scale', 4, 5]);
    assert.equal((await call('PUT', `${path}/d/scale`, { spec: { replicas: -1 } })).code, 422);
    assert.equal((await call('GET', `${path}/d/nonsense`)).code, 404);
  });
});

describe('A dry run', () => {
  it('answers as if it had been written, and writes nothing', async (t) => {
    const { call } = await testServer(t);
    const created = await call('POST', `${PATH}?dryRun=All`, configMap('a'));
    assert.deepEqual([created.code, created.body.metadata.resourceVersion], [201, undefined]);
    await call('POST', PATH, configMap('b', { x: '1' }));
    const changed = await call('PUT', `${PATH}/b?dryRun=All`, configMap('b', { x: '2' }));
    assert.deepEqual(changed.body.data, { x: '2' });
    assert.equal((await call('DELETE', `${PATH}/b?dryRun=All`)).code, 200);
    const { body } = await call('GET', PATH);
    assert.deepEqual([names(body), body.items[0].data], [['b'], { x: '1' }]);
  });
});
