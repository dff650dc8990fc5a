import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { StatusError } from '#base/status-error.ts';
import { type Ending, ofSuite } from '#base/testing.ts';
import { call, firstEvents } from '#kube/apiserver/testing.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Access } from '../query/access.ts';
import { CONFIG_MAPS, eventually, names, PODS_GVR, serveIndex, testCluster, testIndex } from '../testing.ts';

const ONLY = {
  include: [
    'pods',
    'configmaps',
    'namespaces',
    'deployments.apps',
    'events',
    'customresourcedefinitions.apiextensions.k8s.io',
  ],
};
const pod = (name: string, labels: Record<string, string> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', labels },
  spec: { containers: [{ name: 'c', image: 'nginx:1' }] },
});

/** Two clusters: `a` with web-1 and web-2, `b` with web-1 and db. */
async function twoClusters(t: Ending, accessOf?: () => Promise<Access>) {
  const index = await testIndex(t);
  const a = (await testCluster(t)).client();
  const b = (await testCluster(t)).client();
  for (const name of ['web-1', 'web-2']) await a.create(PODS_GVR, pod(name, { app: 'web' }));
  await b.create(PODS_GVR, pod('web-1', { app: 'web' }));
  await b.create(PODS_GVR, pod('db', { app: 'db' }));
  await index.collector.follow('a', a, ONLY);
  await index.collector.follow('b', b, ONLY);
  await eventually(index.reader, async () => (await names(index.reader, 'pods')).length === 4);
  await eventually(index.reader, async () => {
    const kinds = (await index.reader.kinds()).map(({ id }) => id);
    const { total, fresh } = await index.reader.freshness({ kinds }, 'everything');
    return total === 12 && fresh === 12;
  });
  const url = await serveIndex(t, index.reader, accessOf);
  const get = (path: string, accept?: string) =>
    call(url, 'GET', path, undefined, accept === undefined ? {} : { accept });
  return { ...index, a, b, url, get };
}

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
const named = (items: readonly KubeObject[]) =>
  items.map(({ metadata }) => `${metadata.annotations?.['shadow.clusterpedia.io/cluster-name']}/${metadata.name}`);

describe('the index over HTTP', () => {
  const suite = ofSuite();
  let two: Awaited<ReturnType<typeof twoClusters>>;
  before(async () => {
    two = await twoClusters(suite);
  });

  it('lists all clusters, one cluster, one namespace, and says how fresh it is', async () => {
    const { get } = two;
    const all = await get('/resources/api/v1/pods');
    assert.equal(all.body.kind, 'PodList');
    assert.deepEqual(named(all.body.items), ['a/web-1', 'a/web-2', 'b/db', 'b/web-1']);
    assert.deepEqual([all.body.sources.total, all.body.sources.fresh], [2, 2]);
    assert.deepEqual(
      all.body.sources.streams.map((each: { cluster: string }) => each.cluster),
      ['a', 'b'],
    );
    assert.deepEqual(named((await get('/resources/clusters/b/api/v1/namespaces/default/pods')).body.items), [
      'b/db',
      'b/web-1',
    ]);
    assert.deepEqual(named((await get('/resources/api/v1/pods?labelSelector=app%3Ddb')).body.items), ['b/db']);
    assert.deepEqual(named((await get('/resources/api/v1/pods?clusters=a&fuzzyName=-2')).body.items), ['a/web-2']);
    assert.equal((await get('/resources/clusters/c/api/v1/pods')).code, 404);
  });

  it('pages with a token, and counts what remains', async () => {
    const { get } = two;
    const first = await get('/resources/api/v1/pods?limit=3&withRemainingCount=true');
    assert.deepEqual([first.body.items.length, first.body.metadata.remainingItemCount], [3, 1]);
    const second = await get(`/resources/api/v1/pods?limit=3&continue=${first.body.metadata.continue}`);
    assert.deepEqual(named(second.body.items), ['b/web-1']);
    assert.equal(second.body.metadata.continue, undefined);
  });

  it('answers for one object where it is in one cluster, and names the clusters where it is in several', async () => {
    const { get } = two;
    assert.equal((await get('/resources/api/v1/namespaces/default/pods/db')).body.metadata.name, 'db');
    const several = await get('/resources/api/v1/namespaces/default/pods/web-1');
    assert.equal(several.code, 400);
    assert.match(several.body.message, /is in several clusters \(a, b\)/);
    assert.equal((await get('/resources/clusters/a/api/v1/namespaces/default/pods/web-1')).code, 200);
    assert.equal((await get('/resources/clusters/a/api/v1/namespaces/default/pods/none')).code, 404);
  });

  it('gives tables with the columns of the kind, and the cluster when there may be several', async () => {
    const { get } = two;
    const all = (await get('/resources/api/v1/pods', TABLE)).body;
    assert.equal(all.kind, 'Table');
    assert.deepEqual(
      all.columnDefinitions.slice(0, 3).map((each: { name: string }) => each.name),
      ['Cluster', 'Name', 'Ready'],
    );
    assert.deepEqual(all.rows[0].cells.slice(0, 3), ['a', 'web-1', '0/1']);
    const one = (await get('/resources/clusters/a/api/v1/pods', TABLE)).body;
    assert.equal(one.columnDefinitions[0].name, 'Name');
  });

  it('gives metadata alone to whoever wants no more', async () => {
    const { get } = two;
    const { body } = await get(
      '/resources/api/v1/pods',
      'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
    );
    assert.equal(body.kind, 'PartialObjectMetadataList');
    assert.equal(body.items[0].spec, undefined);
    const only = await get('/resources/api/v1/pods?onlyMetadata=true');
    assert.deepEqual([only.body.items[0].kind, only.body.items[0].spec], ['Pod', undefined]);
  });

  it('gives several kinds as one collection', async () => {
    const { get } = two;
    const { body } = await get(
      '/collectionresources/any?resources=/pods,/namespaces&clusters=b&limit=2&withRemainingCount=true',
    );
    assert.equal(body.kind, 'CollectionResource');
    assert.deepEqual(
      body.resourceTypes.map((each: { resource: string }) => each.resource),
      ['namespaces', 'pods'],
    );
    assert.equal(body.items.length, 2);
    assert.ok(body.continue && body.remainingItemCount > 0);
    assert.equal((await get('/collectionresources/any')).code, 400);
    assert.equal((await get('/collectionresources')).body.items.length, 3);
    assert.equal((await get('/collectionresources/workloads')).code, 200);
  });

  it('watches from the state on when no revision is given, and refuses revisions that are not its own', async () => {
    const { url } = two;
    const events = await firstEvents(url, '/resources/api/v1/pods?watch=1&allowWatchBookmarks=true', 5);
    assert.deepEqual(
      events.map(({ type }) => type),
      ['ADDED', 'ADDED', 'ADDED', 'ADDED', 'BOOKMARK'],
    );
    const [refused] = await firstEvents(url, '/resources/api/v1/pods?watch=1&resourceVersion=17', 1);
    assert.equal(refused.object.reason, 'Expired');
  });

  const hostile: readonly string[] = [
    "/resources/api/v1/pods?names=x'%20OR%201=1--",
    '/resources/api/v1/pods?search=%27%3B%20DROP%20TABLE%20objects%3B--',
    "/resources/clusters/a'%20OR%20'1'='1/api/v1/pods",
    '/resources/api/v1/pods?orderby=name%3BDROP%20TABLE%20objects',
    "/resources/api/v1/pods?fieldSelector=metadata['a%22'%20OR%201]=1",
    '/resources/api/v1/pods?continue=WyJuYW1lOyBEUk9QIiwxLDJd',
    '/resources/api/v1/pods?continue=%00%FF',
    '/resources/api/v1/pods?limit=999999999',
    '/resources/api/v1/pods?whereSQL=1%3D1',
  ];

  it('finds nothing, or refuses, whatever is smuggled into a query', async () => {
    const { get, reader } = two;
    for (const path of hostile) {
      const { code, body } = await get(path);
      assert.ok(code === 400 || code === 404 || (code === 200 && body.items.length === 0), `${path}: ${code}`);
    }
    assert.equal((await names(reader, 'pods')).length, 4);
  });
});

describe('the index over HTTP, while something changes', () => {
  it('sends a list without a limit piece by piece', async (t) => {
    const { get, b, reader } = await twoClusters(t);
    const maps = Array.from({ length: 620 }, (_, n) =>
      b.create(CONFIG_MAPS, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: `c-${n}`, namespace: 'default' },
      }),
    );
    await Promise.all(maps);
    await eventually(
      reader,
      async () => (await names(reader, 'configmaps')).filter((name) => name.includes('/c-')).length === 620,
    );
    const { body } = await get('/resources/clusters/b/api/v1/namespaces/default/configmaps?fuzzyName=c-');
    assert.equal(body.items.length, 620);
    assert.equal(body.metadata.continue, undefined);
  });

  it('waits for a revision, and says when it has not come', async (t) => {
    const { get, a } = await twoClusters(t);
    const made = await a.create(PODS_GVR, pod('new'));
    const seen = await get(`/resources/clusters/a/api/v1/pods?minRevision=${made.metadata.resourceVersion}&names=new`);
    assert.deepEqual(named(seen.body.items), ['a/new']);
    assert.equal(seen.body.sources.behind, undefined);
    const late = await get('/resources/clusters/a/api/v1/pods?minRevision=99999&minRevisionTimeout=20ms');
    assert.equal(late.code, 200);
    assert.equal(late.body.sources.behind[0].minRevision, '99999');
    assert.match(String(late.headers['warning']), /not yet 99999/);
    assert.equal((await get('/resources/api/v1/pods?minRevision=5')).code, 400);
  });

  it('warns of a cluster that cannot be reached', async (t) => {
    const { get, writer, collector } = await twoClusters(t);
    // It hears of the cluster at any moment, and would say so.
    await collector.close();
    await writer.saySources([
      { name: 'b', identity: 'x', reachable: false, heardAt: Date.UTC(2026, 0, 1), message: 'gone' },
    ]);
    const { headers, body } = await get('/resources/api/v1/pods');
    assert.match(String(headers['warning']), /cluster b cannot be reached since 2026-01-01T00:00:00Z/);
    assert.equal(body.items.length, 4);
    assert.equal(body.sources.fresh, 1);
  });

  it('watches any query, from a list on', async (t) => {
    const { get, url, a, b } = await twoClusters(t);
    const { body } = await get('/resources/api/v1/pods?labelSelector=app%3Dweb');
    const path = `/resources/api/v1/pods?watch=1&labelSelector=app%3Dweb&resourceVersion=${body.metadata.resourceVersion}`;
    const events = firstEvents(url, path, 3);
    await a.create(PODS_GVR, pod('web-3', { app: 'web' }));
    await b.create(PODS_GVR, pod('other', { app: 'other' }));
    const unlabel = { type: 'merge', body: { metadata: { labels: { app: 'not' } } } } as const;
    await b.patch(PODS_GVR, { namespace: 'default', name: 'web-1' }, unlabel);
    await a.delete(PODS_GVR, { namespace: 'default', name: 'web-2' }, { gracePeriodSeconds: 0 });
    const told = (await events).map(({ type, object }) => `${type} ${object.metadata.name}`);
    assert.deepEqual(told.toSorted(), ['ADDED web-3', 'DELETED web-1', 'DELETED web-2']);
  });

  it('shows callers only what they may read, and ends their watch when that changes', async (t) => {
    const access: Access = [{ cluster: 'b', namespace: 'default' }];
    let looksLeft = Number.POSITIVE_INFINITY;
    const { get, url } = await twoClusters(t, () => Promise.resolve(looksLeft-- > 0 ? access : []));
    assert.deepEqual(named((await get('/resources/api/v1/pods')).body.items), ['b/db', 'b/web-1']);
    assert.deepEqual(named((await get('/resources/api/v1/namespaces')).body.items), ['b/default']);
    assert.equal((await get('/resources/clusters/a/api/v1/namespaces/default/pods/web-1')).code, 404);
    assert.deepEqual(
      (await get('/resources/api/v1/pods')).body.sources.streams.map((each: { cluster: string }) => each.cluster),
      ['b'],
    );
    looksLeft = 1;
    const events = await firstEvents(url, '/resources/api/v1/pods?watch=1&clusters=b', 3);
    assert.equal(events.at(-1).object.reason, 'Expired');
  });

  it('refuses whom it does not know, and whoever wants to write', async (t) => {
    const { get, url } = await twoClusters(t, () => Promise.reject(new StatusError('Unauthorized', 'Unauthorized')));
    assert.equal((await get('/resources/api/v1/pods')).code, 401);
    assert.equal((await call(url, 'POST', '/resources/api/v1/namespaces/default/pods', pod('x'))).code, 405);
  });
});
