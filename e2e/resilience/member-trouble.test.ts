/** One member in trouble, the others as ever: nobody waits for it, and it gets what it missed when the trouble is over. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CLUSTER, type Cluster, PROPAGATION_POLICY } from '#karmada/apis/index.ts';
import {
  appears,
  CONFIG_MAP,
  configMap,
  policy,
  register,
  startMember,
  type TestPlane,
  testPlane,
} from '#karmada/engine/testing.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { eventually } from '../platform.ts';
import { type Trouble, type TroubledLink, troubledLink } from './troubled-link.ts';

const BATCH = 15;
/** A member that is waited for costs a time-out, a hundred times what a batch takes. */
const MUCH_LONGER = 20;
const ENGINE = {
  clusterStatus: { everyMs: 50, probeTimeoutMs: 1_000, thresholds: { successMs: 0, failureMs: 0 } },
};

const isReady = ({ status }: Cluster) =>
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
const key = (name: string) => ({ namespace: 'default', name });
const namesOf = (batch: string) => Array.from({ length: BATCH }, (_, n) => `${batch}-${n}`);

describe('while a member', () => {
  const ends: (() => unknown)[] = [];
  let plane: TestPlane;
  let bad: KubeClient;
  let link: TroubledLink;

  before(async () => {
    const t = { after: (end: () => unknown) => void ends.push(end) };
    plane = await testPlane(t, ['m1', 'm2'], { engine: ENGINE });
    const member = await startMember(t);
    bad = member.client;
    link = await troubledLink(member.url);
    t.after(() => link.close());
    await register(plane.client, 'bad', link.url);
    await appears<Cluster>(plane.client, CLUSTER, { name: 'bad' }, isReady);
    const placement = { clusterTolerations: [{ operator: 'Exists' }] };
    await plane.client.create(PROPAGATION_POLICY, policy('everywhere', { placement }));
  });
  after(async () => {
    for (const end of ends) await end();
  });

  const healthy = () => ['m1', 'm2'].map((name) => plane.member(name).client);

  /** How long it takes until the healthy members have a batch, in milliseconds. */
  async function propagate(batch: string): Promise<number> {
    const started = performance.now();
    const names = namesOf(batch);
    await Promise.all(names.map((name) => plane.client.create(CONFIG_MAP, configMap(name))));
    await Promise.all(names.flatMap((name) => healthy().map((member) => appears(member, CONFIG_MAP, name))));
    return performance.now() - started;
  }

  async function have(members: readonly KubeClient[], prefix: string, expected: readonly string[]): Promise<void> {
    await eventually(async () => {
      for (const member of members) {
        const managed = { namespace: 'default', labelSelector: 'karmada.io/managed=true' };
        const { items } = await member.list(CONFIG_MAP, managed);
        const own = items.filter(({ metadata }) => metadata.name.startsWith(prefix));
        const found = own.map(({ metadata, ...object }) => `${metadata.name} ${JSON.stringify(object['data'])}`);
        assert.deepEqual(found.sort(), expected.toSorted());
      }
    });
  }

  for (const trouble of ['killed', 'hung', 'lost', 'slow'] as const satisfies readonly Trouble[]) {
    it(`is ${trouble} the others are as quick as ever, and it catches up by itself`, async () => {
      const usual = Math.max(await propagate(`${trouble}-gone`), await propagate(`${trouble}-changed`));
      await Promise.all(namesOf(`${trouble}-changed`).map((name) => appears(bad, CONFIG_MAP, name)));

      await link.set(trouble);
      const during = Math.min(await propagate(`${trouble}-new`), await propagate(`${trouble}-newer`));
      for (const name of namesOf(`${trouble}-gone`)) await plane.client.delete(CONFIG_MAP, key(name));
      for (const name of namesOf(`${trouble}-changed`)) {
        await plane.client.patch(CONFIG_MAP, key(name), { type: 'merge', body: { data: { key: 'changed' } } });
      }
      const created = [...namesOf(`${trouble}-new`), ...namesOf(`${trouble}-newer`)];
      const all = [
        ...created.map((name) => `${name} {"key":"value"}`),
        ...namesOf(`${trouble}-changed`).map((name) => `${name} {"key":"changed"}`),
      ];
      await have(healthy(), `${trouble}-`, all);
      if (trouble === 'lost') await appears<Cluster>(plane.client, CLUSTER, { name: 'bad' }, (one) => !isReady(one));
      await link.set('none');

      assert.ok(during < usual * MUCH_LONGER, `${during} ms with a member ${trouble}, ${usual} ms before`);
      await have([bad, ...healthy()], `${trouble}-`, all);
      await appears<Cluster>(plane.client, CLUSTER, { name: 'bad' }, isReady);
    });
  }
});
