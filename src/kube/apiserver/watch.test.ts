import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { fakeClock } from '#base/clock.ts';
import type { KubeClient, WatchOptions } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { memoryStore } from '#kube/store/index.ts';
import { apiServer } from './api-server.ts';
import { firstEvents, testServer } from './testing.ts';

const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps' } as const;
const PATH = '/api/v1/namespaces/default/configmaps';

function configMap(name: string, tier: string, x = '') {
  const metadata = { name, namespace: 'default', labels: { tier } };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { x } };
}

/** What a watcher knows of the world, from what it was told alone. */
function watcher(client: KubeClient, options: Omit<WatchOptions, 'signal'>) {
  const stop = new AbortController();
  const state = new Map<string, KubeObject>();
  const done = (async () => {
    for await (const { type, object } of client.watch(CONFIG_MAPS, { ...options, signal: stop.signal })) {
      const { name } = object.metadata;
      if (type === 'ADDED') assert.equal(state.has(name), false, `${name} was added twice`);
      if (type === 'MODIFIED' || type === 'DELETED') assert.equal(state.has(name), true, `${name} was not known`);
      if (type === 'DELETED') state.delete(name);
      else if (type !== 'BOOKMARK') state.set(name, object);
    }
  })();
  return { state, done, stop: () => stop.abort() };
}

describe('Watchers', () => {
  it('come to know exactly what there is, whenever they began and whatever they select', async () => {
    const step = fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      act: fc.constantFrom('put', 'put', 'delete', 'watch'),
      tier: fc.constantFrom('x', 'y'),
      initial: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const server = await apiServer({ store: memoryStore() });
        const client = server.client();
        const watchers: { readonly tier: string; readonly of: ReturnType<typeof watcher> }[] = [];
        for (const [index, { name, act, tier, initial }] of steps.entries()) {
          const key = { namespace: 'default', name };
          if (act === 'delete') await client.delete(CONFIG_MAPS, key).catch(() => undefined);
          else if (act === 'put') {
            const wanted = configMap(name, tier, String(index));
            await client.update(CONFIG_MAPS, wanted).catch(() => client.create(CONFIG_MAPS, wanted));
          } else {
            const match = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' } as const;
            const options = initial ? { ...match, allowWatchBookmarks: true } : {};
            watchers.push({ tier, of: watcher(client, { ...options, labelSelector: `tier=${tier}` }) });
          }
        }
        await new Promise((resolve) => setImmediate(resolve));
        for (const { tier, of } of watchers) {
          const { items } = await client.list(CONFIG_MAPS, { labelSelector: `tier=${tier}` });
          assert.deepEqual([...of.state.values()].sort(byName), items);
          of.stop();
          await of.done;
        }
        await server.close();
      }),
      { seed: 1, numRuns: 30 },
    );
  });

  it('over HTTP are told all of a busy turn, in order', async (t) => {
    const { server, url } = await testServer(t);
    const client = server.client();
    const { metadata } = await client.list(CONFIG_MAPS);
    const watching = firstEvents(url, `${PATH}?watch=1&resourceVersion=${metadata.resourceVersion}`, 50);
    await client.create(CONFIG_MAPS, configMap('a', 'x'));
    for (let i = 1; i < 50; i++) await client.update(CONFIG_MAPS, configMap('a', 'x', String(i)));
    const events = await watching;
    assert.deepEqual(
      events.map(({ object }) => object.data?.x ?? ''),
      Array.from({ length: 50 }, (_, i) => (i === 0 ? '' : String(i))),
    );
  });
});

describe('A bookmark', () => {
  it('tells every minute how far the watch has come', async (t) => {
    const clock = fakeClock();
    const { server } = await testServer(t, { clock });
    const client = server.client();
    const stop = new AbortController();
    const watch = client.watch(CONFIG_MAPS, { signal: stop.signal, allowWatchBookmarks: true });
    const events = watch[Symbol.asyncIterator]();
    const first = events.next();
    await clock.advance(0);
    const secrets = { group: '', version: 'v1', resource: 'secrets' } as const;
    const metadata = { name: 's', namespace: 'default' };
    const other = await client.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata });
    await clock.advance(60_000);
    const { value } = await first;
    stop.abort();
    assert.equal(value?.type, 'BOOKMARK');
    assert.equal(value?.object.metadata.resourceVersion, other.metadata.resourceVersion);
  });
});

function byName(a: KubeObject, b: KubeObject): number {
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
