/**
 * Failover on a real Karmada and on ours, both with everything switched on that is off by default.
 *
 *     SCENARIO=evict npm run test:real
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { FAILOVER_POLICY, failoverSyncController } from '#kairship/controllers/failover-sync-controller.ts';
import { run } from '#kairship/controllers/testing.ts';
import { INSTANCES, installInstances } from '#kairship/instances/index.ts';
import { instances } from '#kairship/instances/kinds.ts';
import { CLUSTER_TAINT_POLICY } from '#karmada/apis/index.ts';
import { apiServer } from '#kube/apiserver/index.ts';
import { memoryStore } from '#kube/store/index.ts';
import { eventually } from '../platform.ts';
import { compare } from './compare.ts';
import { realMissing } from './real-kube.ts';
import { FAILOVER } from './scenarios/failover.ts';
import { ourSide, realSide, type Side } from './side.ts';

const only = process.env['SCENARIO'] ?? '';

describe('failover of a real Karmada and ours', { skip: realMissing() ?? false }, () => {
  let directory = '';
  let real: Side;
  let ours: Side;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'real-failover-'));
    const options = { failover: true };
    [real, ours] = await Promise.all([realSide(directory, options), ourSide(directory, options)]);
  });
  after(async () => {
    await Promise.all([real?.stop(), ours?.stop()]);
    rmSync(directory, { recursive: true, force: true });
  });

  for (const scenario of FAILOVER.filter(({ name }) => name.startsWith(only))) {
    it(`${scenario.name}: ${scenario.about}`, () => compare(real, ours, scenario));
  }

  it('is what the switch of an instance gives to the one that the community’s operator runs, and takes back', async (t) => {
    const server = await apiServer({ store: memoryStore() });
    t.after(() => server.close());
    const client = server.client();
    await installInstances(client, systemClock, t.signal);
    const named = { name: 'prod' };
    await instances(client).create({ metadata: named, spec: { mode: 'operator', failover: { enabled: true } } });
    const running = { type: 'merge', body: { status: { state: 'RUNNING' } } } as const;
    await client.patch(INSTANCES, named, running, { subresource: 'status' });
    t.after(run(client, (informers) => failoverSyncController({ informers, instances: () => real.control.client })));
    // The scenarios before it leave policies of their own behind.
    const isThere = async () =>
      (await real.control.client.list(CLUSTER_TAINT_POLICY)).items.some(
        ({ metadata }) => metadata.name === FAILOVER_POLICY,
      );
    await eventually(async () => assert.equal(await isThere(), true));
    await instances(client).modify(named, (draft) => void (draft.spec.failover = { enabled: false }));
    await eventually(async () => assert.equal(await isThere(), false));
  });
});
