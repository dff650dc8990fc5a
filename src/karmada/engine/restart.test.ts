/** A control plane that ended at any moment goes on where it was, and writes nothing that is already there. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PROPAGATION_POLICY, RESOURCE_BINDING, type ResourceBinding, WORK } from '#karmada/apis/index.ts';
import { memoryStore } from '#kube/store/index.ts';
import { karmadaApiServer } from './karmada-api-server.ts';
import {
  appears,
  CONFIG_MAP,
  configMap,
  DEPLOYMENT,
  deployment,
  disappears,
  eventually,
  policy,
  register,
  startKarmada,
  startMember,
} from './testing.ts';

const key = (name: string) => ({ namespace: 'default', name });

it('what was under way when the engine ended is finished by the next one', async (t) => {
  const store = memoryStore();
  const members = [await startMember(t), await startMember(t)];
  const names = Array.from({ length: 20 }, (_, n) => `a-${n}`);
  // Ended again and again, a little later each time, so that every step is once the last one.
  for (let round = 0; round < 4; round++) {
    const karmada = await karmadaApiServer({ store });
    await karmada.ready;
    if (round === 0) {
      for (const [n, { url }] of members.entries()) await register(karmada.client, `m${n + 1}`, url);
      await karmada.client.create(PROPAGATION_POLICY, policy('p'));
      await Promise.all(names.map((name) => karmada.client.create(CONFIG_MAP, configMap(name))));
    }
    await new Promise((resolve) => setTimeout(resolve, round * 6));
    await karmada.close();
  }
  const { client } = await startKarmada(t, store);
  await Promise.all(members.flatMap((member) => names.map((name) => appears(member.client, CONFIG_MAP, name))));
  await client.delete(CONFIG_MAP, key('a-0'));
  await Promise.all(members.map((member) => disappears(member.client, CONFIG_MAP, 'a-0')));
});

it('a restart without news writes nothing', async (t) => {
  const store = memoryStore();
  const member = await startMember(t);
  const first = await karmadaApiServer({ store });
  await first.ready;
  await register(first.client, 'm1', member.url);
  await first.client.create(PROPAGATION_POLICY, policy('p'));
  await first.client.create(CONFIG_MAP, configMap('a'));
  await first.client.create(DEPLOYMENT, deployment('web', 3));
  const settled = ({ status }: ResourceBinding) => status?.aggregatedStatus?.[0]?.applied === true;
  await appears(first.client, RESOURCE_BINDING, 'a-configmap', settled);
  await appears(first.client, RESOURCE_BINDING, 'web-deployment', settled);
  const versions = async (client: typeof first.client) => {
    const lists = await Promise.all(
      [CONFIG_MAP, DEPLOYMENT, PROPAGATION_POLICY, RESOURCE_BINDING, WORK].map((gvr) => client.list(gvr)),
    );
    return lists.flatMap(({ items }) =>
      items.map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.resourceVersion}`),
    );
  };
  await eventually(async () => {
    const before = await versions(first.client);
    await new Promise((resolve) => setTimeout(resolve, 50));
    return JSON.stringify(before) === JSON.stringify(await versions(first.client));
  }, 'the first run to settle');
  const before = await versions(first.client);
  await first.close();

  const { client } = await startKarmada(t, store);
  // Something new goes all the way through: by then everything old has been looked at.
  await client.create(CONFIG_MAP, configMap('b'));
  await appears(client, RESOURCE_BINDING, 'b-configmap', settled);
  const after = new Set(await versions(client));
  assert.deepEqual(
    before.filter((each) => !after.has(each)),
    [],
  );
});
