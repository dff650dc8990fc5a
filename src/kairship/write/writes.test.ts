import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { apiServer } from '#kube/apiserver/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { memoryStore } from '#kube/store/index.ts';
import { manifestFrom } from './manifest.ts';
import { type Writes, writes } from './writes.ts';

const CONFIG_MAPS = { group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps' };
const DEPLOYMENT = { group: 'apps', version: 'v1', kind: 'Deployment' };

async function instance(t: TestContext): Promise<Writes> {
  const server = await apiServer({ store: memoryStore() });
  t.after(() => server.close());
  return writes(server.client());
}

describe('A manifest that was sent', () => {
  it('may be JSON or YAML, and leave to the path what the path says', async () => {
    const expected = { gvk: DEPLOYMENT, namespace: 'shop', name: 'web' };
    const whole = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'shop' }, spec: {} };
    assert.deepEqual(await manifestFrom('{"spec":{}}', expected), whole);
    assert.deepEqual(await manifestFrom('kind: Deployment\nmetadata:\n  name: web\nspec: {}\n', expected), whole);
  });

  const refused: readonly [string, string, RegExp][] = [
    ['is empty', ' ', /data is empty/],
    ['is no object', '[]', /must be one object, found a list/],
    ['is of another kind', 'kind: Service\nmetadata: {name: web}', /kind of the manifest is "Service".*"Deployment"/],
    ['is for another namespace', '{"metadata":{"name":"web","namespace":"bank"}}', /"bank".*"shop"/],
    ['has another name', '{"metadata":{"name":"other"}}', /metadata.name of the manifest is "other"/],
    ['cannot be read', 'a: [', /cannot be read/],
    ['has a number for a name', '{"metadata":{"name":1}}', /metadata.name must be text/],
  ];
  for (const [because, data, message] of refused) {
    it(`is refused when it ${because}`, async () => {
      const expected = { gvk: DEPLOYMENT, namespace: 'shop', name: 'web' };
      await assert.rejects(manifestFrom(data, expected), { message });
    });
  }

  it('is refused when nobody says what it is called', async () => {
    await assert.rejects(manifestFrom('{"data":{}}', { gvk: DEPLOYMENT, namespace: 'shop' }), { reason: 'Invalid' });
  });
});

describe('R38: writes', () => {
  it('create, replace, patch and remove, and tell the revision each made', async (t) => {
    const write = await instance(t);
    const at = { namespace: 'default', name: 'a' };
    const made = await write.create(CONFIG_MAPS, at, '{"data":{"x":"1"}}');
    assert.equal(JSON.parse(made.data).metadata.managedFields, undefined);
    const replaced = await write.replace(CONFIG_MAPS, at, '{"data":{"x":"2"}}');
    assert.ok(Number(replaced.resourceVersion) > Number(made.resourceVersion));
    const patched = await write.mergePatch(CONFIG_MAPS, at, '{"data":{"y":"3"}}');
    assert.deepEqual(JSON.parse(patched.data).data, { x: '2', y: '3' });
    await write.remove(CONFIG_MAPS, at);
    await assert.rejects(write.remove(CONFIG_MAPS, at), { reason: 'NotFound' });
  });

  it('leave nothing of a job behind, which by itself would keep what belongs to it', async (t) => {
    const write = await instance(t);
    const [kind, at] = [
      { group: 'batch', version: 'v1', kind: 'Job', resource: 'jobs' },
      { namespace: 'default', name: 'a' },
    ];
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } };
    await write.create(kind, at, JSON.stringify({ spec: { template } }));
    await write.remove(kind, at);
    await assert.rejects(write.remove(kind, at), { reason: 'NotFound' });
  });

  it('do not overwrite what somebody else changed since it was read', async (t) => {
    const write = await instance(t);
    const at = { namespace: 'default', name: 'a' };
    const { data } = await write.create(CONFIG_MAPS, at, '{"data":{"x":"1"}}');
    await write.mergePatch(CONFIG_MAPS, at, '{"data":{"x":"2"}}');
    await assert.rejects(write.replace(CONFIG_MAPS, at, data), { reason: 'Conflict' });
  });

  it('replace what controllers change at the same time, when no revision was named', async (t) => {
    const server = await apiServer({ store: memoryStore() });
    t.after(() => server.close());
    const client = server.client();
    const at = { namespace: 'default', name: 'a' };
    await writes(client).create(CONFIG_MAPS, at, '{"data":{"x":"1"}}');
    let meddling = 3;
    const get: KubeClient['get'] = async (...asked) => {
      const found = await client.get<never>(...asked);
      if (meddling-- > 0)
        await client.patch(CONFIG_MAPS, at, { type: 'merge', body: { metadata: { labels: { n: `${meddling}` } } } });
      return found;
    };
    const { data } = await writes({ ...client, get }).replace(CONFIG_MAPS, at, '{"data":{"x":"2"}}');
    assert.deepEqual(JSON.parse(data).data, { x: '2' });
  });

  it('hand on what the instance says of a bad manifest', async (t) => {
    const write = await instance(t);
    const at = { namespace: 'default', name: 'Bad_Name' };
    await assert.rejects(write.create(CONFIG_MAPS, at, '{}'), {
      reason: 'Invalid',
      message: /metadata.name: Invalid value/,
    });
    await assert.rejects(write.mergePatch(CONFIG_MAPS, { namespace: 'default', name: 'a' }, 'x'), {
      message: /no JSON/,
    });
  });
});
