import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { indexedObject } from '#kpanda/index/indexed-object.ts';
import type { IndexWriter } from '#kpanda/index/store/index-store.ts';
import { prepareIndex } from '#kpanda/index/store/open-index.ts';
import { sqlIndexReader } from '#kpanda/index/store/sql-index-reader.ts';
import { sqlIndexWriter } from '#kpanda/index/store/sql-index-writer.ts';
import { sqliteDatabase } from '#kpanda/index/store/sqlite-database.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { EVERYWHERE, reads, type Reads } from './reads.ts';

const DEPLOYMENTS = {
  group: 'apps',
  version: 'v1',
  resource: 'deployments',
  kind: 'Deployment',
  namespaced: true,
  singular: 'deployment',
  shortNames: [],
  categories: [],
  verbs: ['get', 'list', 'watch'],
  subresources: [],
};
const deployments = { group: 'apps', resource: 'deployments' };
const prod = { instance: 'prod' };

async function index(t: TestContext): Promise<{ readonly writer: IndexWriter; readonly read: Reads }> {
  const directory = await mkdtemp(join(tmpdir(), 'kairship-reads-'));
  const database = sqliteDatabase({ file: join(directory, 'index.db') });
  t.after(async () => {
    await database.close();
    await rm(directory, { recursive: true, force: true });
  });
  await prepareIndex(database);
  return { writer: await sqlIndexWriter(database), read: reads(sqlIndexReader(database), systemClock) };
}

function deployment(namespace: string, name: string, rv: number): KubeObject {
  const creationTimestamp = new Date(Date.UTC(2026, 0, 1, 0, 0, rv)).toISOString();
  const uid = `${namespace}-${name}`;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace, name, uid, resourceVersion: String(rv), creationTimestamp, labels: { app: name } },
  };
}

async function keep(writer: IndexWriter, cluster: string, position: string, ...objects: readonly KubeObject[]) {
  const kind = await writer.kind(DEPLOYMENTS);
  const at = Date.now();
  const state = { phase: 'Following', position, changedAt: at, message: '' } as const;
  const kept = objects.map((object) => indexedObject(cluster, object));
  await writer.saySources([{ name: cluster, identity: cluster, reachable: true, heardAt: at, message: '' }]);
  await writer.commit([{ cluster, kind, objects: kept, deleted: [], state, at }]);
}

const names = ({ objects }: { readonly objects: readonly KubeObject[] }) =>
  objects.map(({ metadata }) => metadata.name);

describe('R38: reads', () => {
  it('show an instance from its virtual cluster, newest first, in pages', async (t) => {
    const { writer, read } = await index(t);
    const shown = ['a', 'b', 'c', 'd', 'e'].map((name, at) => deployment('shop', name, at + 1));
    await keep(writer, 'k-prod', '5', ...shown);
    await keep(writer, 'k-other', '1', deployment('shop', 'foreign', 1));
    const request = { place: prod, resource: deployments, reach: EVERYWHERE, pageSize: 2 };
    const first = await read.list(request);
    assert.deepEqual([names(first), first.total, first.freshness.fresh], [['e', 'd'], 5, true]);
    assert.deepEqual(names(await read.list({ ...request, page: 3 })), ['a']);
    assert.deepEqual(names(await read.list({ ...request, sortBy: 'name', descending: false })), ['a', 'b']);
    assert.deepEqual(names(await read.list({ ...request, labelSelector: 'app=c' })), ['c']);
    assert.deepEqual(names(await read.list({ ...request, fuzzyName: 'b' })), ['b']);
    assert.equal(await read.count(request), 5);
  });

  it('find nothing that the caller may not see', async (t) => {
    const { writer, read } = await index(t);
    await keep(writer, 'k-prod', '2', deployment('shop', 'a', 1), deployment('bank', 'b', 2));
    const some = {
      all: false,
      instances: [],
      namespaces: [{ type: 'Namespace', instance: 'prod', namespace: 'shop' }],
    } as const;
    const seen = await read.list({ place: prod, resource: deployments, reach: some });
    assert.deepEqual([names(seen), seen.total], [['a'], 1]);
    const nowhere = { all: false, instances: ['other'], namespaces: [] };
    assert.equal(await read.count({ place: prod, resource: deployments, reach: nowhere }), 0);
  });

  it('show a member under its own name', async (t) => {
    const { writer, read } = await index(t);
    await keep(writer, 'frankfurt', '1', deployment('shop', 'a', 1));
    const found = await read.get({ ...prod, cluster: 'frankfurt' }, deployments, { namespace: 'shop', name: 'a' });
    assert.equal(found?.metadata.uid, 'shop-a');
    assert.equal(await read.get(prod, deployments, { namespace: 'shop', name: 'a' }), undefined);
  });

  it('R20: still answer when the source is gone, and say so', async (t) => {
    const { writer, read } = await index(t);
    await keep(writer, 'k-prod', '1', deployment('shop', 'a', 1));
    await writer.saySources([{ name: 'k-prod', identity: 'k-prod', reachable: false, heardAt: 7, message: 'refused' }]);
    const { freshness, ...page } = await read.list({ place: prod, resource: deployments, reach: EVERYWHERE });
    assert.deepEqual(names(page), ['a']);
    assert.deepEqual([freshness.fresh, freshness.heardAt], [false, 7]);
    assert.match(freshness.why, /cannot be reached/);
  });

  it('R39: wait for what the reader has just written, and not for ever', async (t) => {
    const { writer, read } = await index(t);
    await keep(writer, 'k-prod', '1', deployment('shop', 'a', 1));
    const waiting = read.wait(prod, deployments, '2', 5_000);
    await keep(writer, 'k-prod', '2', deployment('shop', 'b', 2));
    assert.equal(await waiting, true);
    assert.equal(await read.wait(prod, deployments, '3', 30), false);
  });
});
