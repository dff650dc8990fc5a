import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { clusters as clustersOf, installRegistry } from '#kpanda/registry/index.ts';
import { apiServer } from '#kube/apiserver/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { memoryStore } from '#kube/store/index.ts';
import { adoptInstance, instanceController, INSTANCES } from '../instances/index.ts';
import { installInstances } from '../instances/install.ts';
import { instances as instancesOf } from '../instances/kinds.ts';
import { eventually, run } from './testing.ts';
import { VIRTUAL_CLUSTER_FINALIZER, virtualClusterSyncController } from './virtual-cluster-sync-controller.ts';

async function globalCluster(t: TestContext): Promise<KubeClient> {
  const server = await apiServer({ store: memoryStore() });
  t.after(() => server.close());
  const client = server.client();
  const { signal } = new AbortController();
  await installInstances(client, systemClock, signal);
  await installRegistry(client, systemClock, signal);
  return client;
}

const adopt = (client: KubeClient, name: string) =>
  adoptInstance(client, { name, endpoint: 'https://127.0.0.1:1', kubeconfig: `of ${name}` });
const membersOf = async () => ({ names: [] });
const start = (client: KubeClient) => {
  const stops = [
    run(client, (informers) => virtualClusterSyncController({ client, informers })),
    run(client, (informers) => instanceController({ client, informers, clock: systemClock, membersOf })),
  ];
  return async () => void (await Promise.all(stops.map((stop) => stop())));
};

describe('R18, R21: the hidden cluster of an instance', () => {
  it('is there once, hidden, as soon as the instance can be reached', async (t) => {
    const client = await globalCluster(t);
    t.after(start(client));
    await adopt(client, 'prod');
    await adopt(client, 'prod');
    await eventually(async () => {
      const found = await clustersOf(client).list();
      assert.deepEqual(
        found.map(({ metadata, spec }) => [
          metadata.name,
          metadata.labels?.['kpanda.io/virtual-cluster'],
          spec.secretRef.name,
        ]),
        [['k-prod', 'true', 'prod-kubeconfig']],
      );
    });
  });

  it('goes with the instance, even if that was deleted while nobody watched', async (t) => {
    const client = await globalCluster(t);
    const stop = start(client);
    await adopt(client, 'prod');
    await eventually(async () => assert.equal((await clustersOf(client).list()).length, 1));
    await stop();
    await instancesOf(client).remove('prod');
    const held = await client.get(INSTANCES, { name: 'prod' });
    assert.deepEqual(held.metadata.finalizers, [VIRTUAL_CLUSTER_FINALIZER]);
    t.after(start(client));
    await eventually(async () => {
      assert.deepEqual(await clustersOf(client).list(), []);
      assert.deepEqual(await instancesOf(client).list(), []);
    });
  });
});
