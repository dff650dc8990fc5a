import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ApiServer, apiServer } from '#kube/apiserver/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { memoryStore } from '#kube/store/memory-store.ts';
import type { KubeClient } from './kube-client.ts';
import { covers, overlay } from './overlay.ts';
import { type TypedClient, typed } from './typed-client.ts';

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string | null>>;
}
interface Deployment extends KubeObject {
  readonly spec: { readonly replicas?: number; readonly selector: unknown; readonly template: unknown };
  readonly status?: { readonly replicas?: number };
}

describe('a typed client', () => {
  let server: ApiServer;
  let client: KubeClient;
  let maps: TypedClient<ConfigMap>;
  const writes: string[] = [];
  before(async () => {
    server = await apiServer({ store: memoryStore() });
    const inner = server.client();
    client = {
      ...inner,
      create: (...args) => (writes.push('create'), inner.create(...args)),
      update: (...args) => (writes.push('update'), inner.update(...args)),
    };
    const gvr = { group: '', version: 'v1', resource: 'configmaps' };
    maps = typed<ConfigMap>(client, { gvr, kind: 'ConfigMap', namespaced: true });
  });
  after(() => server.close());

  const desired = (name: string, data: Record<string, string | null>) => ({
    metadata: { namespace: 'default', name },
    data,
  });

  it('finds what is there and nothing else', async () => {
    await maps.create(desired('found', {}));
    assert.equal((await maps.find('default/found'))?.kind, 'ConfigMap');
    assert.equal((await maps.find({ namespace: 'default', name: 'found' }))?.metadata.name, 'found');
    assert.equal(await maps.find('default/missing'), undefined);
    await assert.rejects(maps.get('default/missing'), { reason: 'NotFound' });
  });

  it('ensures what is stated, leaves the rest alone, and writes only for a difference', async () => {
    assert.equal(await maps.ensure(desired('ensured', { a: '1' })), 'created');
    await maps.modify('default/ensured', ({ metadata, data }) => {
      metadata.labels = { mine: 'yes' };
      if (data) data['other'] = 'kept';
    });
    writes.length = 0;
    assert.equal(await maps.ensure(desired('ensured', { a: '1' })), 'unchanged');
    assert.deepEqual(writes, []);
    assert.equal(await maps.ensure(desired('ensured', { a: '2', gone: null })), 'updated');
    const { metadata, data } = await maps.get('default/ensured');
    assert.deepEqual([metadata.labels, data], [{ mine: 'yes' }, { a: '2', other: 'kept' }]);
    assert.equal(await maps.ensure(desired('ensured', { other: null })), 'updated');
    assert.deepEqual((await maps.get('default/ensured')).data, { a: '2' });
  });

  it('is content with the defaults a server fills in, also within lists', async () => {
    const gvr = { group: 'apps', version: 'v1', resource: 'deployments' };
    const deployments = typed<Deployment>(client, { gvr, kind: 'Deployment', namespaced: true });
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const web = {
      metadata: { namespace: 'default', name: 'web' },
      spec: { selector: { matchLabels: { a: 'b' } }, template },
    };
    assert.equal(await deployments.ensure(web), 'created');
    assert.equal(await deployments.ensure(web), 'unchanged');
    const read = await deployments.get('default/web');
    const changed = await deployments.updateStatus(read, { replicas: 3 });
    writes.length = 0;
    assert.equal(await deployments.updateStatus(changed, changed.status), changed);
    assert.deepEqual(writes, []);
    await assert.rejects(deployments.updateStatus(read, { replicas: 4 }), { reason: 'Conflict' });
  });

  it('modifies what is there at the moment of writing', async () => {
    await maps.create(desired('counted', { n: '0' }));
    const count = () =>
      maps.modify('default/counted', ({ data }) => {
        if (data) data['n'] = String(Number(data['n']) + 1);
      });
    await Promise.all([count(), count(), count()]);
    assert.equal((await maps.get('default/counted')).data?.['n'], '3');
    assert.equal(await maps.modify('default/missing', () => undefined), undefined);
  });

  it('adds and drops finalizers, also from an old view, and never from a successor of the same name', async () => {
    const old = await maps.create(desired('held', {}));
    await maps.modify('default/held', (draft) => {
      draft.metadata.labels = { newer: 'yes' };
    });
    const held = await maps.addFinalizer(old, 'example.com/hold');
    assert.deepEqual([held.metadata.finalizers, held.metadata.labels], [['example.com/hold'], { newer: 'yes' }]);
    assert.equal(
      (await maps.addFinalizer(held, 'example.com/hold')).metadata.resourceVersion,
      held.metadata.resourceVersion,
    );
    await maps.remove('default/held');
    await maps.dropFinalizer(old, 'example.com/hold');
    assert.equal(await maps.find('default/held'), undefined);
    await maps.dropFinalizer(old, 'example.com/hold');
    const successor = await maps.addFinalizer(await maps.create(desired('held', {})), 'example.com/hold');
    await maps.dropFinalizer(held, 'example.com/hold');
    assert.deepEqual((await maps.get('default/held')).metadata.finalizers, successor.metadata.finalizers);
  });

  it('removes what is there, and what is not', async () => {
    await maps.create(desired('removed', {}));
    await maps.remove('default/removed');
    await maps.remove('default/removed');
    assert.deepEqual(await maps.list({ namespace: 'default', fieldSelector: 'metadata.name=removed' }), []);
  });
});

describe('a partial statement', () => {
  const cases: [because: string, current: unknown, stated: unknown, covered: boolean, result: unknown][] = [
    ['leaves free what it leaves out', { a: 1, b: 2 }, { a: 1 }, true, { a: 1, b: 2 }],
    ['is about nested fields', { a: { b: 1, c: 2 } }, { a: { b: 3 } }, false, { a: { b: 3, c: 2 } }],
    ['states absence by null', { a: 1 }, { a: null }, false, {}],
    ['is content with absence where null is stated', {}, { a: null }, true, {}],
    ['takes undefined as left out', { a: 1 }, { a: undefined }, true, { a: 1 }],
    ['allows items of lists to be partial', { a: [{ n: 1, d: 2 }] }, { a: [{ n: 1 }] }, true, { a: [{ n: 1 }] }],
    ['states the length of a list', { a: [1, 2] }, { a: [1] }, false, { a: [1] }],
    ['takes an absent list for an empty one', {}, { a: [] }, true, { a: [] }],
    ['takes an absent map for an empty one', {}, { a: {} }, true, { a: {} }],
    ['replaces what is of another type', { a: 'x' }, { a: { b: 1 } }, false, { a: { b: 1 } }],
  ];
  for (const [because, current, stated, covered, result] of cases) {
    it(because, () => {
      assert.equal(covers(current, stated), covered);
      assert.deepEqual(overlay(current, stated), result);
    });
  }
});
