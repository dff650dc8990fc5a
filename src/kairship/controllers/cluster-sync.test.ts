import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { type Cluster, CLUSTER } from '#karmada/apis/index.ts';
import { installCrds } from '#karmada/engine/install-crds.ts';
import { type Connection, clusters as clustersOf, installRegistry } from '#kpanda/registry/index.ts';
import { apiServer } from '#kube/apiserver/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { memoryStore } from '#kube/store/index.ts';
import { installInstances } from '../instances/install.ts';
import { instances as instancesOf } from '../instances/kinds.ts';
import type { PlatformClients } from '../proxy/instance-client.ts';
import { joinInstance } from '../write/join.ts';
import { generationOf } from '../write/member-access.ts';
import { clusterSyncController } from './cluster-sync-controller.ts';
import { eventually, run } from './testing.ts';

const { signal } = new AbortController();
const CREDENTIAL = '1';
const ACCESS = { id: 'uid', generation: generationOf(CREDENTIAL), token: 'dA==', impersonatorToken: 'aQ==' };
const secretRef = { namespace: 'x', name: 'x' };

async function server(t: TestContext): Promise<KubeClient> {
  const one = await apiServer({ store: memoryStore() });
  t.after(() => one.close());
  return one.client();
}

/** A platform with two instances, and a cluster of the inventory in both. */
async function platform(t: TestContext) {
  const [client, member, prod, lab] = await Promise.all([server(t), server(t), server(t), server(t)]);
  await installInstances(client, systemClock, signal);
  await installRegistry(client, systemClock, signal);
  const inside: Readonly<Record<string, KubeClient>> = { prod, lab };
  const inventory = clustersOf(client);
  const cluster = await inventory.create({
    metadata: { name: 'edge', labels: { env: 'test' } },
    spec: { provider: 'aws', region: 'eu', zone: 'eu-1', apiEndpoint: 'https://edge.example', secretRef },
  });
  const reached = { server: 'https://edge.example' } as Connection['reached'];
  for (const [name, control] of Object.entries(inside)) {
    await installCrds(control, systemClock, signal);
    await instancesOf(client).create({ metadata: { name }, spec: { mode: 'external', secretRef } });
    await joinInstance(control, cluster, ACCESS, reached);
  }
  const connect = async () => ({ client: member, version: CREDENTIAL, reached }) as unknown as Connection;
  const members = { connect, forget: () => undefined, close: () => undefined };
  const instances = ((name: string) => inside[name]) as PlatformClients;
  const start = () =>
    run(client, (informers) => clusterSyncController({ client, informers, instances, members, clock: systemClock }));
  const copies = () => Promise.all([prod, lab].map((control) => control.get<Cluster>(CLUSTER, { name: 'edge' })));
  return { inventory, start, copies, inside };
}

const told = ({ metadata, spec }: Cluster) => ({ labels: metadata.labels, ...spec });

describe('a cluster of the inventory', () => {
  it('R44: is in an instance what the inventory says of it, field by field', async (t) => {
    const { copies } = await platform(t);
    for (const copy of await copies()) {
      const { labels, provider, region, zones, apiEndpoint, id, secretRef: secret } = told(copy);
      assert.deepEqual(
        { labels, provider, region, zones, apiEndpoint, id },
        {
          labels: { env: 'test' },
          provider: 'aws',
          region: 'eu',
          zones: ['eu-1'],
          apiEndpoint: 'https://edge.example',
          id: 'uid',
        },
      );
      assert.equal(secret?.name, 'edge');
    }
  });

  it('R45: that changes is changed in every instance that has it, also when nobody watched', async (t) => {
    const { inventory, start, copies, inside } = await platform(t);
    const are = (env: string, zone: string) =>
      eventually(async () => {
        const found = (await copies()).map(told).map(({ labels, zones }) => [labels?.['env'], zones?.[0]]);
        assert.deepEqual(found, [
          [env, zone],
          [env, zone],
        ]);
      });
    const stop = start();
    await inventory.modify('edge', (draft) => {
      draft.metadata.labels = { env: 'prod' };
      draft.spec.zone = 'eu-2';
    });
    await are('prod', 'eu-2');
    await stop();
    await inventory.modify('edge', (draft) => {
      draft.spec.zone = 'eu-3';
    });
    // What people wrote beside it in one instance stays theirs.
    const body = { metadata: { labels: { mine: 'yes' } } };
    await inside['lab']?.patch(CLUSTER, { name: 'edge' }, { type: 'merge', body });
    t.after(start());
    await are('prod', 'eu-3');
    assert.equal((await copies())[1]?.metadata.labels?.['mine'], 'yes');
  });
});
