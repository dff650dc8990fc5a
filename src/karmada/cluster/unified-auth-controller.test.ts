import { describe, it } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { CLUSTER, WORK } from '#karmada/apis/index.ts';
import { installCrds } from '#karmada/engine/install-crds.ts';
import { eventually } from '#karmada/engine/testing.ts';
import { controlPlane } from '#kube/control-plane/index.ts';
import { informers, manager } from '#kube/runtime/index.ts';
import { memoryStore } from '#kube/store/index.ts';
import { unifiedAuthController } from './unified-auth-controller.ts';

const NAMESPACE = { group: '', version: 'v1', resource: 'namespaces' };

describe('The roles of those who may use the proxy to a cluster', () => {
  it('wait, without complaint, until there is a place for what is to be done in the cluster', async (t) => {
    const server = await controlPlane({ store: memoryStore() });
    t.after(() => server.close());
    const client = server.client();
    await installCrds(client, systemClock, t.signal);
    const stop = new AbortController();
    const shared = informers(client, { signal: stop.signal });
    const events = { normal: () => undefined, warning: () => undefined };
    const controller = unifiedAuthController({ client, informers: shared, events });
    const ended = manager({ client, controllers: [controller], informers: shared }).start(stop.signal);
    t.after(async () => {
      stop.abort();
      await ended;
    });
    const impersonatorSecretRef = { namespace: 'karmada-cluster', name: 'm1-impersonator' };
    const spec = { syncMode: 'Push', impersonatorSecretRef };
    await client.create(CLUSTER, { apiVersion: CLUSTER.apiVersion, kind: 'Cluster', metadata: { name: 'm1' }, spec });
    await eventually(() => shared(CLUSTER).list().length === 1, 'the cluster to be heard of');
    await controller.reconcile({ key: 'm1' } as Parameters<typeof controller.reconcile>[0]);
    await client.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'karmada-es-m1' } });
    await eventually(async () => (await client.list(WORK)).items.length === 2, 'both works');
  });
});
