import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { StatusError } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { indexCollector } from './collector.ts';
import { sqlIndexWriter } from '../store/sql-index-writer.ts';
import { CONFIG_MAPS, eventually, kindNamed, names, testCluster, testIndex } from '../testing.ts';

const ONLY = { include: ['configmaps', 'secrets', 'customresourcedefinitions.apiextensions.k8s.io', '*.example.io'] };
const configMap = (name: string, data: Record<string, string> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data,
});

async function filled(t: TestContext) {
  const index = await testIndex(t);
  const server = await testCluster(t);
  const client = server.client();
  await client.create(CONFIG_MAPS, configMap('one'));
  await index.collector.follow('a', client, ONLY);
  const holds = (...expected: readonly string[]) =>
    eventually(index.reader, async () => {
      const found = (await names(index.reader, 'configmaps')).filter((name) => !name.includes('kube-'));
      return found.join() === expected.join();
    });
  await holds('a/default/one');
  return { ...index, client, holds };
}

/** A client whose watches can be cut and whose lists are counted. */
function cutting(client: KubeClient) {
  const cuts = new Set<AbortController>();
  let lists = 0;
  let dead = false;
  const refuse = () => {
    if (dead) throw new StatusError('ServiceUnavailable', 'cannot be reached');
  };
  const wrapped: KubeClient = {
    ...client,
    async list(gvr, options) {
      refuse();
      if (gvr.resource === 'configmaps') lists++;
      return client.list(gvr, options);
    },
    async *watch(gvr, options) {
      refuse();
      const cut = new AbortController();
      cuts.add(cut);
      yield* client.watch(gvr, { ...options, signal: AbortSignal.any([options.signal, cut.signal]) });
    },
    async get(gvr, key, options) {
      refuse();
      return client.get(gvr, key, options);
    },
  };
  return {
    client: wrapped,
    lists: () => lists,
    isWatched: () => cuts.size > 0,
    die: (value: boolean) => {
      dead = value;
      for (const cut of cuts) cut.abort();
      cuts.clear();
    },
  };
}

describe('R17: the collector', () => {
  it('follows what is made, changed and deleted', async (t) => {
    const { client, holds, reader } = await filled(t);
    await client.create(CONFIG_MAPS, configMap('two'));
    await holds('a/default/one', 'a/default/two');
    await client.patch(
      CONFIG_MAPS,
      { namespace: 'default', name: 'two' },
      { type: 'merge', body: { data: { x: '1' } } },
    );
    await eventually(reader, async () => {
      const { objects } = await reader.page(
        { kinds: [await kindNamed(reader, 'configmaps')], names: ['two'] },
        'everything',
      );
      return objects[0]?.body.includes('"x":"1"') ?? false;
    });
    await client.delete(CONFIG_MAPS, { namespace: 'default', name: 'one' });
    await holds('a/default/two');
  });

  it('goes on where it stopped, without listing again', async (t) => {
    const { client, collector, holds, reader } = await filled(t);
    await collector.leave('a');
    await client.create(CONFIG_MAPS, configMap('two'));
    await client.delete(CONFIG_MAPS, { namespace: 'default', name: 'one' });
    const counted = cutting(client);
    await collector.follow('a', counted.client, ONLY);
    await holds('a/default/two');
    assert.equal(counted.lists(), 0);
    assert.equal(
      (await reader.stream({ cluster: 'a', kind: await kindNamed(reader, 'configmaps') }))?.phase,
      'Following',
    );
  });

  it('repairs by difference when the server no longer knows where it stopped', async (t) => {
    const { client, collector, holds, reader } = await filled(t);
    await client.create(CONFIG_MAPS, configMap('two'));
    await holds('a/default/one', 'a/default/two');
    await collector.leave('a');
    await client.delete(CONFIG_MAPS, { namespace: 'default', name: 'one' });
    await client.create(CONFIG_MAPS, configMap('three'));
    const kind = await kindNamed(reader, 'configmaps');
    const before = (await reader.page({ kinds: [kind], names: ['two'] }, 'everything')).objects[0]?.revision;
    const forgetful: KubeClient = {
      ...client,
      async *watch(gvr, options) {
        if (refusals-- > 0) throw new StatusError('Expired', 'too old resource version');
        yield* client.watch(gvr, options);
      },
    };
    let refusals = 3;
    await collector.follow('a', forgetful, ONLY);
    await holds('a/default/three', 'a/default/two');
    const after = (await reader.page({ kinds: [kind], names: ['two'] }, 'everything')).objects[0]?.revision;
    assert.equal(after, before, 'what did not differ was not written');
  });

  it('takes a cluster that has another identity for another cluster', async (t) => {
    const { collector, holds } = await filled(t);
    const other = (await testCluster(t)).client();
    await other.create(CONFIG_MAPS, configMap('elsewhere'));
    await collector.follow('a', other, ONLY);
    await holds('a/default/elsewhere');
  });

  it('says of a dead cluster that it cannot be reached, keeps its rows, and delays no other', async (t) => {
    const { client, collector, reader, holds } = await filled(t);
    const other = (await testCluster(t)).client();
    const mortal = cutting(client);
    await collector.follow('a', mortal.client, ONLY);
    // What is held may be from before: one that dies earlier is never followed, and its kinds fail at nothing.
    await eventually(reader, () => Promise.resolve(mortal.isWatched()));
    await holds('a/default/one');
    mortal.die(true);
    await collector.follow('b', other, ONLY);
    await other.create(CONFIG_MAPS, configMap('alive'));
    await holds('a/default/one', 'b/default/alive');
    await eventually(reader, async () =>
      (await reader.freshness({ kinds: [await kindNamed(reader, 'configmaps')] }, 'everything')).streams.some(
        ({ cluster, phase }) => cluster === 'a' && phase === 'Failing',
      ),
    );
    await client.create(CONFIG_MAPS, configMap('meanwhile'));
    mortal.die(false);
    await holds('a/default/meanwhile', 'a/default/one', 'b/default/alive');
  });

  it('never stores the value of a Secret', async (t) => {
    const { client, reader, database } = await filled(t);
    const SECRETS = { group: '', version: 'v1', resource: 'secrets' };
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's', namespace: 'default' },
      stringData: { key: 'hunter2' },
    };
    await client.create(SECRETS, secret);
    await client.create(CONFIG_MAPS, { ...configMap('work'), data: { plain: 'kept' } });
    await eventually(reader, async () => (await names(reader, 'secrets')).includes('a/default/s'));
    const [rows = []] = await database.read([{ text: 'SELECT body FROM bodies', params: [] }]);
    const everything = rows.map((row) => String(row['body'])).join('\n');
    assert.ok(everything.includes('"data":{"key":""}'));
    assert.ok(!everything.includes(Buffer.from('hunter2').toString('base64')) && !everything.includes('hunter2'));
  });

  it('finds kinds that come with a definition, and forgets them when it goes', async (t) => {
    const { client, reader } = await filled(t);
    const CRDS = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
    const THINGS = { group: 'example.io', version: 'v1', resource: 'things' };
    await client.create(CRDS, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.example.io' },
      spec: {
        group: 'example.io',
        scope: 'Cluster',
        names: { plural: 'things', kind: 'Thing' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    });
    await eventually(reader, async () => (await reader.kinds('a')).some(({ resource }) => resource === 'things'));
    await client.create(THINGS, { apiVersion: 'example.io/v1', kind: 'Thing', metadata: { name: 'it' } });
    await eventually(reader, async () => (await names(reader, 'things')).join() === 'a//it');
    await client.delete(CRDS, { name: 'things.example.io' });
    await eventually(reader, async () => !(await reader.kinds('a')).some(({ resource }) => resource === 'things'));
  });

  it('leaves nothing of a cluster that is forgotten, alive or dead', async (t) => {
    const { client, collector, reader, database } = await filled(t);
    const mortal = cutting(client);
    await collector.follow('a', mortal.client, ONLY);
    mortal.die(true);
    await collector.forget('a');
    for (const table of ['objects', 'bodies', 'labels', 'streams', 'sources'] as const) {
      const [rows = []] = await database.read([{ text: `SELECT * FROM ${table}`, params: [] }]);
      assert.equal(rows.length, 0, table);
    }
    assert.deepEqual(await reader.sources(), []);
  });

  it('ends when another process has taken the index over', async (t) => {
    const { client, database, writer } = await filled(t);
    const collector = indexCollector({ writer });
    t.after(() => collector.close());
    const lost = new Promise<void>((resolve) => collector.lost.addEventListener('abort', () => resolve()));
    await collector.follow('b', client, ONLY);
    await sqlIndexWriter(database);
    await client.create(CONFIG_MAPS, configMap('late'));
    await lost;
  });
});
