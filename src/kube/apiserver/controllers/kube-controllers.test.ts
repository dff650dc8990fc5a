import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { fakeClock, rfc3339 } from '#base/clock.ts';
import { hasReason } from '#base/status-error.ts';
import type { Namespace } from '#gen/kube/types.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject, ObjectKey } from '#kube/meta/object.ts';
import { memoryStore } from '#kube/store/index.ts';
import { apiServer } from '../api-server.ts';
import { runKubeControllers } from './kube-controllers.ts';

const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps' } as const;
const NAMESPACES = { group: '', version: 'v1', resource: 'namespaces' } as const;
const EVENTS = { group: '', version: 'v1', resource: 'events' } as const;

async function cluster(t: TestContext): Promise<KubeClient> {
  const server = await apiServer({ store: memoryStore() });
  const stop = new AbortController();
  const running = runKubeControllers({ client: server.client(), server }, stop.signal);
  t.after(async () => {
    stop.abort();
    await running;
    await server.close();
  });
  return server.client();
}

function configMap(name: string, owner?: KubeObject, finalizers: readonly string[] = []): KubeObject {
  const { uid = '', name: ownerName } = owner?.metadata ?? { name: '' };
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: ownerName, uid, blockOwnerDeletion: true };
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default', finalizers, ...(owner ? { ownerReferences: [reference] } : {}) },
  };
}

/** Resolves when the object is as wanted, which may be gone (undefined). */
async function until(
  client: KubeClient,
  gvr: Gvr,
  key: ObjectKey,
  wanted: (object: KubeObject | undefined) => boolean,
): Promise<void> {
  const stop = new AbortController();
  for await (const _ of client.watch(gvr, {
    signal: stop.signal,
    sendInitialEvents: true,
    resourceVersionMatch: 'NotOlderThan',
    allowWatchBookmarks: true,
  })) {
    const object = await client.get(gvr, key).catch((error: unknown) => {
      if (!hasReason(error, 'NotFound')) throw error;
      return undefined;
    });
    if (wanted(object)) stop.abort();
  }
}

const isGone = (object: KubeObject | undefined) => object === undefined;

describe('The garbage collector', () => {
  it('deletes dependents after their owner', async (t) => {
    const client = await cluster(t);
    const owner = await client.create(CONFIG_MAPS, configMap('owner'));
    await client.create(CONFIG_MAPS, configMap('dependent', owner));
    await client.delete(CONFIG_MAPS, { namespace: 'default', name: 'owner' });
    await until(client, CONFIG_MAPS, { namespace: 'default', name: 'dependent' }, isGone);
  });

  it('deletes what names an owner that never was', async (t) => {
    const client = await cluster(t);
    const nobody = { ...configMap('nobody'), metadata: { name: 'nobody', uid: 'no-such-uid' } };
    await client.create(CONFIG_MAPS, configMap('dependent', nobody));
    await until(client, CONFIG_MAPS, { namespace: 'default', name: 'dependent' }, isGone);
  });

  it('keeps an owner deleted in the foreground until its dependents are gone', async (t) => {
    const client = await cluster(t);
    const owner = await client.create(CONFIG_MAPS, configMap('owner'));
    await client.create(CONFIG_MAPS, configMap('dependent', owner, ['ex.io/hold']));
    await client.delete(CONFIG_MAPS, { namespace: 'default', name: 'owner' }, { propagationPolicy: 'Foreground' });
    const dependent = { namespace: 'default', name: 'dependent' };
    await until(client, CONFIG_MAPS, dependent, (object) => object?.metadata.deletionTimestamp !== undefined);
    assert.ok((await client.get(CONFIG_MAPS, { namespace: 'default', name: 'owner' })).metadata.deletionTimestamp);
    await client.patch(CONFIG_MAPS, dependent, { type: 'merge', body: { metadata: { finalizers: null } } });
    await until(client, CONFIG_MAPS, { namespace: 'default', name: 'owner' }, isGone);
  });

  it('sets dependents free of an owner deleted as an orphaning one', async (t) => {
    const client = await cluster(t);
    const owner = await client.create(CONFIG_MAPS, configMap('owner'));
    await client.create(CONFIG_MAPS, configMap('dependent', owner));
    await client.delete(CONFIG_MAPS, { namespace: 'default', name: 'owner' }, { propagationPolicy: 'Orphan' });
    await until(client, CONFIG_MAPS, { namespace: 'default', name: 'owner' }, isGone);
    const dependent = await client.get(CONFIG_MAPS, { namespace: 'default', name: 'dependent' });
    assert.equal(dependent.metadata.ownerReferences, undefined);
  });
});

describe('The namespace controller', () => {
  it('empties a deleted namespace and lets it go', async (t) => {
    const client = await cluster(t);
    await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'old' } });
    await client.create(CONFIG_MAPS, { ...configMap('a'), metadata: { name: 'a', namespace: 'old' } });
    await client.delete(NAMESPACES, { name: 'old' });
    await until(client, NAMESPACES, { name: 'old' }, isGone);
    assert.deepEqual((await client.list(CONFIG_MAPS, { namespace: 'old' })).items, []);
  });

  it('tells what still holds a namespace', async (t) => {
    const client = await cluster(t);
    await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'old' } });
    const held = { name: 'a', namespace: 'old', finalizers: ['ex.io/hold'] };
    await client.create(CONFIG_MAPS, { ...configMap('a'), metadata: held });
    await client.delete(NAMESPACES, { name: 'old' });
    const told = (object: KubeObject | undefined) =>
      JSON.stringify(object?.['status'] ?? {}).includes('ex.io/hold in 1');
    await until(client, NAMESPACES, { name: 'old' }, told);
    const key = { namespace: 'old', name: 'a' };
    await client.patch(CONFIG_MAPS, key, { type: 'merge', body: { metadata: { finalizers: null } } });
    await until(client, NAMESPACES, { name: 'old' }, isGone);
  });

  it('tells that nothing is left in a namespace that somebody else holds', async (t) => {
    const client = await cluster(t);
    const spec = { finalizers: ['ex.io/hold'] };
    await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'old' }, spec });
    await client.delete(NAMESPACES, { name: 'old' });
    const left = (object: KubeObject | undefined) =>
      JSON.stringify(object?.['spec'] ?? {}) === JSON.stringify({ finalizers: ['ex.io/hold'] });
    await until(client, NAMESPACES, { name: 'old' }, left);
    const { status } = await client.get<Namespace>(NAMESPACES, { name: 'old' });
    const told = (status?.conditions ?? []).map((one) => `${one.type} ${one.status} ${one.reason}`);
    assert.deepEqual(told.slice(3), [
      'NamespaceContentRemaining False ContentRemoved',
      'NamespaceFinalizersRemaining False ContentHasNoFinalizers',
    ]);
  });
});

describe('Events', () => {
  it('are deleted an hour after they were last seen', async (t) => {
    const clock = fakeClock();
    const server = await apiServer({ store: memoryStore(), clock });
    const stop = new AbortController();
    const client = server.client();
    const running = runKubeControllers({ client, server, clock }, stop.signal);
    t.after(async () => {
      stop.abort();
      await Promise.all([running, clock.advance(60_000)]);
      await server.close();
    });
    await clock.advance(100);
    const metadata = { name: 'e', namespace: 'default' };
    const involvedObject = { namespace: 'default', kind: 'Pod', name: 'p' };
    const lastTimestamp = rfc3339(clock.now());
    await client.create(EVENTS, { apiVersion: 'v1', kind: 'Event', metadata, involvedObject, lastTimestamp });
    await clock.advance(3_500_000);
    assert.equal((await client.list(EVENTS)).items.length, 1);
    await clock.advance(200_000);
    assert.equal((await client.list(EVENTS)).items.length, 0);
  });
});
