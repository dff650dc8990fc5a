import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { ghippoClients, installGhippo, instanceScope, namespaceScope } from '#ghippo/apis/index.ts';
import { apiServer } from '#kube/apiserver/index.ts';
import type { Informers } from '#kube/runtime/index.ts';
import { memoryStore } from '#kube/store/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { installInstances } from '../instances/install.ts';
import { instances } from '../instances/kinds.ts';
import { globalResourceRegistryController } from './global-resource-registry-controller.ts';
import { instanceRegistryController } from './instance-registry-controller.ts';
import { eventually, run } from './testing.ts';

async function globalCluster(t: TestContext): Promise<KubeClient> {
  const server = await apiServer({ store: memoryStore() });
  t.after(() => server.close());
  const client = server.client();
  const { signal } = new AbortController();
  await installInstances(client, systemClock, signal);
  await installGhippo(client, { signal });
  return client;
}

describe('R10, R25: the registries', () => {
  it('tell the identity module what Kairship can do, and again when that is changed or lost', async (t) => {
    const client = await globalCluster(t);
    t.after(run(client, () => globalResourceRegistryController({ client })));
    const { products } = ghippoClients(client);
    const isThere = () =>
      eventually(async () => assert.ok(((await products.find('kairship'))?.spec.permissions.length ?? 0) > 50));
    await isThere();
    await products.modify('kairship', (draft) => {
      draft.spec.permissions = [];
    });
    await isThere();
    await products.remove('kairship');
    await isThere();
  });

  it('register every instance, also those that were there before, and forget those deleted meanwhile', async (t) => {
    const client = await globalCluster(t);
    const { registrations, bindings, workspaceResources } = ghippoClients(client);
    const make = (shared: Informers) => instanceRegistryController({ client, informers: shared });
    const names = async () => (await registrations.list()).map(({ metadata }) => metadata.name).sort();
    const secretRef = { namespace: 'kairship-system', name: 'x' };
    const create = (name: string) =>
      instances(client).create({
        metadata: { name },
        spec: { mode: 'external', alias: name.toUpperCase(), secretRef },
      });

    await create('old');
    const stop = run(client, make);
    await create('young');
    await eventually(async () => assert.deepEqual(await names(), ['instance-old', 'instance-young']));
    assert.equal((await registrations.get('instance-old')).spec.displayName, 'OLD');

    const subjects = [{ kind: 'User' as const, name: 'alice' }];
    await bindings.create({
      metadata: { name: 'on-old' },
      spec: { role: 'instance-admin', scope: instanceScope('old'), subjects },
    });
    await bindings.create({
      metadata: { name: 'in-young' },
      spec: { role: 'namespace-admin', scope: namespaceScope('young', 'shop'), subjects },
    });
    await workspaceResources.create({
      metadata: { name: 'instance-old' },
      spec: { workspace: 'w', resource: instanceScope('old') },
    });
    await stop();
    await instances(client).remove('old');
    t.after(run(client, make));
    await eventually(async () => {
      assert.deepEqual(await names(), ['instance-young']);
      assert.deepEqual(
        (await bindings.list()).map(({ metadata }) => metadata.name),
        ['in-young'],
      );
      assert.deepEqual(await workspaceResources.list(), []);
    });
  });
});
