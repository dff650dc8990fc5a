import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { type Cluster, CLUSTER, CLUSTER_TAINT_POLICY } from '#karmada/apis/index.ts';
import { installCrds } from '#karmada/engine/install-crds.ts';
import { apiServer } from '#kube/apiserver/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { memoryStore } from '#kube/store/index.ts';
import { INSTANCES } from '../instances/index.ts';
import { installInstances } from '../instances/install.ts';
import { instances as instancesOf } from '../instances/kinds.ts';
import { FAILOVER_POLICY, failoverSyncController } from './failover-sync-controller.ts';
import { eventually, run } from './testing.ts';

async function server(t: TestContext): Promise<KubeClient> {
  const one = await apiServer({ store: memoryStore() });
  t.after(() => one.close());
  return one.client();
}

/** A platform with a running instance. */
async function platform(t: TestContext, mode: 'embedded' | 'operator' | 'external' = 'embedded') {
  const [client, inside] = await Promise.all([server(t), server(t)]);
  const { signal } = new AbortController();
  await installInstances(client, systemClock, signal);
  await installCrds(inside, systemClock, signal);
  await instancesOf(client).create({
    metadata: { name: 'prod' },
    spec: { mode, ...(mode === 'external' ? { secretRef: { namespace: 'x', name: 'x' } } : {}) },
  });
  await client.patch(
    INSTANCES,
    { name: 'prod' },
    { type: 'merge', body: { status: { state: 'RUNNING' } } },
    { subresource: 'status' },
  );
  t.after(run(client, (informers) => failoverSyncController({ informers, instances: () => inside })));
  const turn = (enabled: boolean) =>
    client.patch(INSTANCES, { name: 'prod' }, { type: 'merge', body: { spec: { failover: { enabled } } } });
  return { inside, turn };
}

const policies = async (inside: KubeClient) =>
  (await inside.list(CLUSTER_TAINT_POLICY)).items.map(({ metadata }) => metadata.name);

describe('failover of an instance', () => {
  it('drives work out of lost clusters when it is on, and leaves nothing behind when it is off again', async (t) => {
    const { inside, turn } = await platform(t);
    await turn(true);
    await eventually(async () => assert.deepEqual(await policies(inside), [FAILOVER_POLICY]));
    const taints = [
      { key: 'cluster.karmada.io/not-ready', effect: 'NoSchedule' },
      { key: 'cluster.karmada.io/not-ready', effect: 'NoExecute' },
      { key: 'mine', effect: 'NoExecute' },
    ];
    const lost = {
      apiVersion: CLUSTER.apiVersion,
      kind: CLUSTER.kind,
      metadata: { name: 'lost' },
      spec: { syncMode: 'Push', taints },
    };
    await inside.create(CLUSTER, lost);
    await turn(false);
    await eventually(async () => assert.deepEqual(await policies(inside), []));
    const { spec } = await inside.get<Cluster>(CLUSTER, { name: 'lost' });
    assert.deepEqual(
      spec.taints?.map(({ key, effect }) => `${key}:${effect}`),
      ['cluster.karmada.io/not-ready:NoSchedule', 'mine:NoExecute'],
    );
  });

  it('is kept as well where the community’s operator runs it, and is not touched where somebody else does', async (t) => {
    const [ours, theirs] = [await platform(t, 'operator'), await platform(t, 'external')];
    await theirs.turn(true);
    await ours.turn(true);
    await eventually(async () => assert.deepEqual(await policies(ours.inside), [FAILOVER_POLICY]));
    assert.deepEqual(await policies(theirs.inside), []);
    await ours.turn(false);
    await eventually(async () => assert.deepEqual(await policies(ours.inside), []));
  });
});
