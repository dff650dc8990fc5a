import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { hasReason } from '#base/status-error.ts';
import { installRegistry } from '#kpanda/registry/index.ts';
import { apiServer } from '#kube/apiserver/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { findCondition } from '#kube/meta/condition.ts';
import { memoryStore } from '#kube/store/index.ts';
import type { HttpClient } from '#kube/client/http-client.ts';
import { eventually, run } from '../controllers/testing.ts';
import { virtualClusterSyncController } from '../controllers/virtual-cluster-sync-controller.ts';
import { type PlatformClients, platformClients } from '../proxy/instance-client.ts';
import { clustersOf } from '../read/clusters-of.ts';
import { adoptInstance } from './adopt.ts';
import { installInstances } from './install.ts';
import { CLUSTERS_REMAIN, instanceController } from './instance-controller.ts';
import { karmadas, instances } from './kinds.ts';
import { clustersRemain, FORCE_DELETE, instanceDeletion } from './remaining-clusters.ts';

const EVENTS = { group: '', version: 'v1', resource: 'events' };

/** A global cluster whose instances have these clusters; with the check of the platform's own, or without. */
async function globalCluster(t: TestContext, { asks }: { readonly asks: boolean }) {
  const clusters = ['berlin', 'oslo'];
  const membersOf = async () => ({ names: [...clusters] });
  const server = await apiServer({ store: memoryStore(), admission: asks ? [instanceDeletion(membersOf)] : [] });
  t.after(() => server.close());
  const client = server.client();
  const { signal } = new AbortController();
  await installInstances(client, systemClock, signal);
  await installRegistry(client, systemClock, signal);
  const start = () => {
    t.after(run(client, (informers) => instanceController({ client, informers, clock: systemClock, membersOf })));
    t.after(run(client, (informers) => virtualClusterSyncController({ client, informers })));
  };
  return { client, clusters, start };
}

const force = (client: KubeClient) =>
  instances(client).modify('prod', ({ metadata }) => void (metadata.annotations = { [FORCE_DELETE]: 'true' }));
const isGone = (client: KubeClient) =>
  eventually(async () => assert.equal(await instances(client).find('prod'), undefined));
const held = (client: KubeClient) =>
  eventually(async () => assert.ok((await instances(client).get('prod')).metadata.finalizers?.length));
const saidOf = async (client: KubeClient) =>
  findCondition((await instances(client).get('prod')).status?.conditions, CLUSTERS_REMAIN);
const waits = (client: KubeClient, clusters: RegExp) =>
  eventually(async () => {
    const said = await saidOf(client);
    assert.equal(said?.status, 'True');
    assert.match(said.message ?? '', clusters);
  });

describe('An instance with clusters', () => {
  it('is not deleted in the platform’s own global cluster: whoever tries is told what to do first', async (t) => {
    const { client, clusters } = await globalCluster(t, { asks: true });
    await instances(client).create({ metadata: { name: 'prod' }, spec: { mode: 'embedded' } });
    await assert.rejects(instances(client).remove('prod'), (error: Error) => {
      assert.ok(hasReason(error, 'Conflict'));
      assert.match(
        error.message,
        /2 worker clusters \(berlin, oslo\).*kairship cluster remove berlin oslo --instance prod/,
      );
      return true;
    });
    assert.equal((await instances(client).get('prod')).metadata.deletionTimestamp, undefined);
    clusters.length = 0;
    await instances(client).remove('prod');
    await isGone(client);
  });

  it('is let go where somebody says that it shall', async (t) => {
    const { client } = await globalCluster(t, { asks: true });
    await instances(client).create({ metadata: { name: 'prod' }, spec: { mode: 'embedded' } });
    await force(client);
    await instances(client).remove('prod');
    await isGone(client);
  });

  it('waits for them in a global cluster of others, says so, and goes on when they are gone', async (t) => {
    const { client, clusters, start } = await globalCluster(t, { asks: false });
    start();
    await instances(client).create({ metadata: { name: 'prod' }, spec: { mode: 'embedded' } });
    await held(client);
    await instances(client).remove('prod');
    await waits(client, /berlin, oslo/);
    assert.equal((await karmadas(client).list()).length, 1);
    await eventually(async () => {
      const { items } = await client.list(EVENTS);
      assert.deepEqual(
        items.map((event) => event['reason']),
        [CLUSTERS_REMAIN],
      );
    });
    clusters.length = 0;
    await isGone(client);
    assert.deepEqual(await karmadas(client).list(), []);
  });

  it('waits as well where somebody else runs it, until it is let go by force', async (t) => {
    const { client, start } = await globalCluster(t, { asks: false });
    start();
    await adoptInstance(client, { name: 'prod', endpoint: 'https://127.0.0.1:1', kubeconfig: 'of prod' });
    await held(client);
    await instances(client).remove('prod');
    await waits(client, /berlin, oslo/);
    await force(client);
    await isGone(client);
  });

  it('is asked once: what was emptied is not held by what is remembered of it', async (t) => {
    const { client, clusters, start } = await globalCluster(t, { asks: false });
    clusters.length = 0;
    start();
    await instances(client).create({ metadata: { name: 'prod' }, spec: { mode: 'embedded' } });
    await held(client);
    await karmadas(client).modify({ namespace: 'kairship-system', name: 'prod' }, ({ metadata }) => {
      metadata.finalizers = ['test/operator'];
    });
    await instances(client).remove('prod');
    await eventually(async () => assert.equal((await saidOf(client))?.status, 'False'));
    clusters.push('berlin');
    await karmadas(client).modify({ namespace: 'kairship-system', name: 'prod' }, ({ metadata }) => {
      metadata.finalizers = [];
    });
    await isGone(client);
  });
});

describe('The clusters of an instance', () => {
  const indexed = ['berlin'].map((name) => ({ apiVersion: 'v1', kind: 'Cluster', metadata: { name } }));
  const reads = { all: async () => indexed } as unknown as Parameters<typeof clustersOf>[0];

  it('are those that it tells itself, also one that joined just now', async () => {
    const client = { list: async () => ({ items: ['oslo', 'berlin'].map((name) => ({ metadata: { name } })) }) };
    const found = await clustersOf(reads, () => client as unknown as HttpClient)('prod');
    assert.deepEqual(found, { names: ['berlin', 'oslo'] });
  });

  it('are those that were known last while it does not answer, and that is said', async () => {
    const silent: PlatformClients = platformClients(() => undefined);
    const found = await clustersOf(reads, silent)('prod');
    assert.deepEqual(found.names, ['berlin']);
    assert.match(
      clustersRemain('prod', found),
      /does not answer now \(.*cannot be reached.*\) and had, when it last did, 1/,
    );
  });
});
