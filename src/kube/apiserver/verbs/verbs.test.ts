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

describe('A change', () => {
  const json = { 'content-type': 'application/json-patch+json' };
  const strategic = { 'content-type': 'application/strategic-merge-patch+json' };

  it('cannot make an object one of another kind', async (t) => {
    const { call } = await testServer(t);
    await call('POST', PATH, configMap('a', { k: 'v' }));
    const patches: [Record<string, string>, unknown][] = [
      [merge, { kind: 'Secret' }],
      [merge, { apiVersion: 'v9' }],
      [json, [{ op: 'replace', path: '/kind', value: 'Pod' }]],
    ];
    for (const [type, patch] of patches) {
      const { code, body } = await call('PATCH', `${PATH}/a`, patch, type);
      assert.equal(code, 422);
      assert.match(body.message, /no kind ".*" is registered for version ".*" in scheme/);
    }
    assert.equal((await call('PATCH', `${PATH}/a`, { kind: 'Secret' }, strategic)).body.kind, 'ConfigMap');
    assert.equal((await call('PATCH', `${PATH}/a`, { kind: null }, merge)).body.kind, 'ConfigMap');
    assert.equal((await call('GET', `${PATH}/a`)).body.kind, 'ConfigMap');
  });

  it('of a custom object has to keep its type, and a new one has to say it', async (t) => {
    const { call } = await testServer(t);
    const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };
    const names = { plural: 'gizmos', kind: 'Gizmo' };
    await call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'gizmos.ex.io' },
      spec: { group: 'ex.io', scope: 'Cluster', names, versions: [version] },
    });
    const gizmos = '/apis/ex.io/v1/gizmos';
    const untyped = await call('POST', gizmos, { metadata: { name: 'g' } });
    const sent = '{"metadata":{"name":"g"}}';
    assert.equal(untyped.code, 400);
    assert.equal(
      untyped.body.message,
      `the object provided is unrecognized (must be of type Gizmo): Object 'Kind' is missing in '${sent}' (${sent})`,
    );
    await call('POST', gizmos, { apiVersion: 'ex.io/v1', kind: 'Gizmo', metadata: { name: 'g' } });
    const refusals: [unknown, string][] = [
      [{ kind: 'Other' }, 'Other.ex.io "g" is invalid: kind: Invalid value: "Other": must be Gizmo'],
      [{ apiVersion: 'v9' }, 'Gizmo.ex.io "g" is invalid: apiVersion: Invalid value: "v9": must be ex.io/v1'],
    ];
    for (const [patch, message] of refusals) {
      assert.equal((await call('PATCH', `${gizmos}/g`, patch, merge)).body.message, message);
    }
    assert.match(
      (await call('PATCH', `${gizmos}/g`, { kind: null }, merge)).body.message,
      /Object 'Kind' is missing in/,
    );
  });

  it('has to say the name, and may not say who it is or that it ends', async (t) => {
    const { call } = await testServer(t);
    await call('POST', PATH, configMap('a'));
    const message = 'the name of the object (a based on URL) was undeterminable: name must be provided';
    assert.equal((await call('PUT', `${PATH}/a`, { metadata: {} })).body.message, message);
    assert.equal((await call('PUT', '/api/v1/namespaces/default/endpoints/a', {})).body.message, message);
    assert.equal((await call('PATCH', `${PATH}/a`, { metadata: null }, merge)).body.message, message);
    const uid = await call('PATCH', `${PATH}/a`, { metadata: { uid: 'x' } }, merge);
    assert.equal(uid.body.message, 'ConfigMap "a" is invalid: metadata.uid: Invalid value: "x": field is immutable');
    const ending = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } };
    assert.match(
      (await call('PATCH', `${PATH}/a`, ending, merge)).body.message,
      /deletionTimestamp: .* field is immutable/,
    );
  });

  it('by apply is no race: whoever comes second adds to what the first made', async (t) => {
    // All of them have found nothing before any of them goes on.
    const together = Promise.withResolvers<void>();
    let arrived = 0;
    const gathering = {
      name: 'gathering',
      handles: ({ operation, gvr }: { operation: string; gvr: { resource: string } }) =>
        operation === 'CREATE' && gvr.resource === 'configmaps' && arrived < 20,
      mutate() {
        if (++arrived === 20) together.resolve();
        return together.promise;
      },
    };
    const { call } = await testServer(t, { admission: [gathering] });
    const apply = (manager: string) => {
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { [manager]: 'was here' } };
      const type = { 'content-type': 'application/apply-patch+yaml' };
      return call('PATCH', `${PATH}/a?fieldManager=${manager}`, body, type);
    };
    const managers = Array.from({ length: 20 }, (_, at) => `m${at}`);
    const answers = await Promise.all(managers.map(apply));
    assert.deepEqual(
      answers
        .map(({ code }) => code)
        .toSorted((a, b) => a - b)
        .slice(18),
      [200, 201],
    );
    const { body } = await call('GET', `${PATH}/a`);
    assert.deepEqual(Object.keys((body as unknown as { data: object }).data).toSorted(), managers.toSorted());
  });

  it('by apply has to be an object', async (t) => {
    const { call } = await testServer(t);
    const apply = async (body: string) =>
      (await call('PATCH', `${PATH}/a?fieldManager=m`, body, { 'content-type': 'application/apply-patch+yaml' })).body
        .message;
    const prefix = 'error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal';
    assert.equal(await apply('5'), `${prefix} number into Go value of type map[string]interface {}`);
    assert.equal(await apply('[]'), `${prefix} array into Go value of type map[string]interface {}`);
    assert.equal(await apply(''), 'invalid object type: /, Kind=');
    assert.match(await apply('a: b: c'), /^error decoding YAML: error converting YAML to JSON: yaml: /);
  });
});

describe('A deletion', () => {
  it('reads its options strictly', async (t) => {
    const { call } = await testServer(t);
    await call('POST', PATH, configMap('a'));
    const refusals: [unknown, string][] = [
      [{ dryRun: 'All' }, 'json: cannot unmarshal string into Go struct field DeleteOptions.dryRun of type []string'],
      [
        { preconditions: 'x' },
        'json: cannot unmarshal string into Go struct field DeleteOptions.preconditions of type v1.Preconditions',
      ],
      [
        { kind: 'Pod' },
        'no kind "Pod" is registered for version "meta.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"',
      ],
    ];
    for (const [options, message] of refusals) {
      const { code, body } = await call('DELETE', `${PATH}/a`, options);
      assert.deepEqual([code, body.message], [400, message]);
    }
    const nothing = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: null, propagationPolicy: null };
    assert.equal((await call('DELETE', `${PATH}/a`, nothing)).code, 200);
  });

  it('of a whole collection is one in one namespace, with valid options', async (t) => {
    const { call } = await testServer(t);
    await call('POST', PATH, configMap('a'));
    assert.equal((await call('DELETE', '/api/v1/configmaps')).code, 405);
    assert.equal((await call('POST', '/api/v1/configmaps', configMap('b'))).code, 405);
    assert.equal((await call('DELETE', `${PATH}?labelSelector=none&dryRun=Some`)).code, 422);
    assert.equal((await call('GET', `${PATH}/a`)).code, 200);
  });

  it('or an update never meets an object of another name', async (t) => {
    const { call } = await testServer(t);
    const message = 'the name of the object (b) does not match the name on the URL (a)';
    for (const resource of ['configmaps', 'events', 'endpoints']) {
      const path = `/api/v1/namespaces/default/${resource}`;
      assert.equal((await call('PUT', `${path}/a`, { metadata: { name: 'b' } })).body.message, message);
      assert.deepEqual((await call('GET', path)).body.items, []);
    }
  });
});
