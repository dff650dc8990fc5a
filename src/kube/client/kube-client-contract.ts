/**
 * What every {@link KubeClient} promises, as a suite that runs on each of them.
 *
 * It needs a server with the built-in kinds and an empty namespace `default`; it writes ConfigMaps and Deployments there.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { KubeClient } from './kube-client.ts';
import { INITIAL_EVENTS_END, type KubeObject, type WatchEvent } from '#kube/meta/object.ts';

export interface OpenedClient {
  readonly client: KubeClient;
  close(): Promise<void>;
}

const configMaps = { group: '', version: 'v1', resource: 'configmaps' };
const deployments = { group: 'apps', version: 'v1', resource: 'deployments' };
const namespace = 'default';

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

export function kubeClientContract(name: string, open: () => Promise<OpenedClient>): void {
  describe(`${name} as a KubeClient`, () => {
    let opened: OpenedClient;
    let client: KubeClient;
    before(async () => {
      opened = await open();
      ({ client } = opened);
    });
    after(() => opened.close());

    const configMap = (name: string, data: Record<string, string> = {}, labels: Record<string, string> = {}) =>
      client.create<ConfigMap>(configMaps, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { namespace, name, labels },
        data,
      });

    describe('writing', () => {
      it('creates, reads, replaces and deletes an object', async () => {
        const created = await configMap('life', { a: '1' });
        assert.equal(created.metadata.name, 'life');
        assert.ok(created.metadata.uid);
        assert.deepEqual(await client.get(configMaps, { namespace, name: 'life' }), created);
        const updated = await client.update<ConfigMap>(configMaps, { ...created, data: { a: '2' } });
        assert.deepEqual(updated.data, { a: '2' });
        assert.notEqual(updated.metadata.resourceVersion, created.metadata.resourceVersion);
        await client.delete(configMaps, { namespace, name: 'life' });
        await assert.rejects(client.get(configMaps, { namespace, name: 'life' }), {
          reason: 'NotFound',
          code: 404,
          message: 'configmaps "life" not found',
        });
      });

      it('does not change what it was given', async () => {
        const given = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'given' }, data: { a: '1' } };
        const before = structuredClone(given);
        const created = await client.create<ConfigMap>(configMaps, given);
        assert.deepEqual(given, before);
        const copy = structuredClone(created);
        await client.update(configMaps, { ...created, data: { a: '2' } });
        assert.deepEqual(created, copy);
      });

      it('makes names for those who give only a beginning', async () => {
        const metadata = { namespace, generateName: 'made-' };
        const created = await client.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
        assert.match(created.metadata.name, /^made-[a-z0-9]{5}$/);
      });

      it('refuses a second object of a name, and a write on top of one not seen', async () => {
        const first = await configMap('twice', { a: '1' });
        await assert.rejects(configMap('twice'), { reason: 'AlreadyExists', code: 409 });
        await client.update(configMaps, { ...first, data: { a: '2' } });
        await assert.rejects(client.update(configMaps, { ...first, data: { a: '3' } }), {
          reason: 'Conflict',
          code: 409,
        });
      });

      it('says what is wrong with an invalid object', async () => {
        const error = await configMap('Not_A_Name').catch((error: unknown) => error);
        assert.ok(error instanceof Error && 'details' in error && 'reason' in error);
        assert.equal(error.reason, 'Invalid');
        assert.equal((error.details as { causes: { field: string }[] }).causes[0]?.field, 'metadata.name');
      });

      it('patches in every way', async () => {
        await configMap('patched', { a: '1', b: '1' });
        const at = { namespace, name: 'patched' };
        const merged = await client.patch<ConfigMap>(configMaps, at, {
          type: 'merge',
          body: { data: { a: null, c: '3' } },
        });
        assert.deepEqual(merged.data, { b: '1', c: '3' });
        const strategic = await client.patch<ConfigMap>(configMaps, at, {
          type: 'strategic',
          body: { data: { d: '4' } },
        });
        assert.deepEqual(strategic.data, { b: '1', c: '3', d: '4' });
        const json = await client.patch<ConfigMap>(configMaps, at, {
          type: 'json',
          body: [
            { op: 'test', path: '/data/b', value: '1' },
            { op: 'remove', path: '/data/b' },
          ],
        });
        assert.deepEqual(json.data, { c: '3', d: '4' });
      });

      it('applies with ownership of fields', async () => {
        const base = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'applied' } };
        await client.apply(configMaps, { ...base, data: { a: '1', b: '1' } }, { fieldManager: 'one' });
        await assert.rejects(client.apply(configMaps, { ...base, data: { a: '2' } }, { fieldManager: 'two' }), {
          reason: 'Conflict',
        });
        const forced = await client.apply<ConfigMap>(
          configMaps,
          { ...base, data: { a: '2' } },
          { fieldManager: 'two', force: true },
        );
        assert.deepEqual(forced.data, { a: '2', b: '1' });
        const dropped = await client.apply<ConfigMap>(configMaps, { ...base, data: {} }, { fieldManager: 'one' });
        assert.deepEqual(dropped.data, { a: '2' });
      });

      it('keeps nothing of a dry run', async () => {
        const metadata = { namespace, name: 'dry' };
        await client.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata }, { dryRun: true });
        await assert.rejects(client.get(configMaps, metadata), { reason: 'NotFound' });
      });

      it('writes status apart from the rest', async () => {
        const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
        const created = await client.create(deployments, {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { namespace, name: 'web' },
          spec: { selector: { matchLabels: { a: 'b' } }, template },
        });
        const status = { replicas: 1, observedGeneration: 1 };
        const written = await client.update(deployments, { ...created, spec: {}, status }, { subresource: 'status' });
        assert.deepEqual(written['spec'], created['spec']);
        assert.equal((written['status'] as { replicas: number }).replicas, 1);
        assert.equal(written.metadata.generation, created.metadata.generation);
      });

      it('deletes only the object that was meant', async () => {
        const { metadata } = await configMap('precise');
        const at = { namespace, name: 'precise' };
        await assert.rejects(client.delete(configMaps, at, { preconditions: { uid: 'other' } }), {
          reason: 'Conflict',
        });
        await client.delete(configMaps, at, { preconditions: { uid: metadata.uid ?? '' } });
        await assert.rejects(client.delete(configMaps, at), { reason: 'NotFound' });
      });

      it('keeps an object until its finalizers are gone', async () => {
        const created = await configMap('held');
        const finalizers = ['example.com/hold'];
        const held = await client.update(configMaps, { ...created, metadata: { ...created.metadata, finalizers } });
        await client.delete(configMaps, { namespace, name: 'held' });
        const going = await client.get(configMaps, { namespace, name: 'held' });
        assert.ok(going.metadata.deletionTimestamp);
        assert.equal(going.metadata.uid, held.metadata.uid);
        await client.update(configMaps, { ...going, metadata: { ...going.metadata, finalizers: [] } });
        await assert.rejects(client.get(configMaps, { namespace, name: 'held' }), { reason: 'NotFound' });
      });

      it('deletes a selection', async () => {
        await configMap('many-1', {}, { group: 'many' });
        await configMap('many-2', {}, { group: 'many' });
        await client.deleteCollection(configMaps, { namespace, labelSelector: 'group=many' });
        assert.deepEqual((await client.list(configMaps, { namespace, labelSelector: 'group=many' })).items, []);
      });
    });

    describe('listing', () => {
      before(async () => {
        for (const name of ['l1', 'l2', 'l3']) await configMap(name, {}, { suite: 'list', name });
      });

      it('selects by labels and fields, with kind and version on every item', async () => {
        const { items } = await client.list(configMaps, { namespace, labelSelector: 'suite=list,name in (l1, l3)' });
        assert.deepEqual(
          items.map(({ apiVersion, kind, metadata }) => [apiVersion, kind, metadata.name]),
          [
            ['v1', 'ConfigMap', 'l1'],
            ['v1', 'ConfigMap', 'l3'],
          ],
        );
        const byField = await client.list(configMaps, { namespace, fieldSelector: 'metadata.name=l2' });
        assert.deepEqual(
          byField.items.map(({ metadata }) => metadata.name),
          ['l2'],
        );
      });

      it('comes in pages of one moment', async () => {
        const options = { namespace, labelSelector: 'suite=list', limit: 2 };
        const first = await client.list(configMaps, options);
        assert.equal(first.items.length, 2);
        const token = first.metadata.continue;
        assert.ok(token);
        await client.delete(configMaps, { namespace, name: 'l3' });
        const second = await client.list(configMaps, { ...options, continue: token });
        assert.deepEqual(
          second.items.map(({ metadata }) => metadata.name),
          ['l3'],
        );
        assert.equal(second.metadata.resourceVersion, first.metadata.resourceVersion);
        assert.equal(second.metadata.continue || undefined, undefined);
      });
    });

    describe('watching', () => {
      const told = ({ type, object }: WatchEvent) => `${type} ${object.metadata.name}`;

      it('tells what happens after a revision, selected, until the reader has enough', async () => {
        const { metadata } = await client.list(configMaps, { namespace });
        await configMap('w1', { a: '1' }, { suite: 'watch' });
        await configMap('unseen');
        await client.patch(configMaps, { namespace, name: 'w1' }, { type: 'merge', body: { data: { a: '2' } } });
        const moved = { metadata: { labels: { suite: 'other' } } };
        await client.patch(configMaps, { namespace, name: 'w1' }, { type: 'merge', body: moved });
        const seen: string[] = [];
        const { resourceVersion } = metadata;
        const { signal } = new AbortController();
        for await (const event of client.watch(configMaps, {
          namespace,
          labelSelector: 'suite=watch',
          resourceVersion,
          signal,
        })) {
          seen.push(told(event));
          if (seen.length === 3) break;
        }
        assert.deepEqual(seen, ['ADDED w1', 'MODIFIED w1', 'DELETED w1']);
      });

      it('streams the state first when asked to, marks its end, and goes on', async () => {
        await configMap('s1', {}, { suite: 'stream' });
        const stop = new AbortController();
        const seen: string[] = [];
        for await (const event of client.watch(configMaps, {
          namespace,
          labelSelector: 'suite=stream',
          sendInitialEvents: true,
          resourceVersionMatch: 'NotOlderThan',
          allowWatchBookmarks: true,
          signal: stop.signal,
        })) {
          if (event.type !== 'BOOKMARK') seen.push(told(event));
          if (event.type === 'BOOKMARK') {
            seen.push(`end ${event.object.metadata.annotations?.[INITIAL_EVENTS_END]}`);
            await configMap('s2', {}, { suite: 'stream' });
          }
          if (seen.length === 3) stop.abort();
        }
        assert.deepEqual(seen, ['ADDED s1', 'end true', 'ADDED s2']);
      });

      it('ends quietly when aborted while nothing happens, and when aborted before', async () => {
        const stop = new AbortController();
        const { metadata } = await client.list(configMaps, { namespace });
        const options = { namespace, resourceVersion: metadata.resourceVersion, signal: stop.signal };
        const quiet = Array.fromAsync(client.watch(configMaps, options));
        setImmediate(() => stop.abort());
        assert.deepEqual(await quiet, []);
        assert.deepEqual(await Array.fromAsync(client.watch(configMaps, options)), []);
      });
    });

    describe('asking about the server', () => {
      it('discovers resources with their names, scope and subresources', async () => {
        const found = (await client.discover()).find(
          ({ group, resource }) => group === 'apps' && resource === 'deployments',
        );
        assert.ok(found);
        const { kind, version, namespaced, singular, shortNames, subresources } = found;
        assert.deepEqual(
          { kind, version, namespaced, singular, shortNames, subresources: [...subresources].sort() },
          {
            kind: 'Deployment',
            version: 'v1',
            namespaced: true,
            singular: 'deployment',
            shortNames: ['deploy'],
            subresources: ['scale', 'status'],
          },
        );
        assert.ok(found.verbs.includes('watch'));
      });

      it('reads plain paths, and says when there is none', async () => {
        assert.equal(await client.getText('/readyz'), 'ok');
        assert.match(await client.getText('/version'), /"gitVersion"/);
        await assert.rejects(client.getText('/nothing/here'), { reason: 'NotFound' });
      });

      it('says that a resource is not served', async () => {
        const unknown = { group: 'example.com', version: 'v1', resource: 'things' };
        await assert.rejects(client.list(unknown), { reason: 'NotFound' });
      });
    });
  });
}
