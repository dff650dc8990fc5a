/** An instance itself: listed, read and changed, each change seen in the global cluster. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { edit, ok, text } from './asking.ts';
import { eventually, INSTANCE, type Stage } from './harness.ts';

const ONE = `/instances/${INSTANCE}`;
const GONE = '/instances/other';

export function settings(stage: Stage): void {
  describe('R1: an instance', () => {
    const spec = (path: string) => stage.global('get', 'instance', INSTANCE, '-o', `jsonpath={.spec.${path}}`);

    it('is listed, and edited as its manifest', async () => {
      const { items } = await ok(stage, 'GET', '/instances?name=dem');
      assert.deepEqual(
        items.map(({ metadata }: { metadata: { name: string } }) => metadata.name),
        [INSTANCE],
      );
      await edit(stage, ONE, (manifest) => (manifest.spec.alias = 'The first'));
      assert.equal(await spec('alias'), 'The first');
      const whole = JSON.parse((await ok(stage, 'GET', `${ONE}/json`)).data);
      whole.spec.mode = 'external';
      assert.equal((await stage.admin('PUT', ONE, { data: text(whole) })).status, 400);
      assert.equal(await spec('mode'), 'embedded');
    });

    it('tells of its parts how each is', async () => {
      await eventually(async () => {
        const { items } = await ok(stage, 'GET', `${ONE}/components`);
        const told = (items as { name: string; type: string; ready: boolean }[]).map(
          ({ name, type, ready }) => `${type} ${name} ${ready}`,
        );
        for (const part of ['Server ping true', 'Controller scheduler true'])
          assert.ok(told.includes(part), told.join());
      });
    });

    it('has settings that reach whoever runs it', async () => {
      await ok(stage, 'PUT', `${ONE}/failover`, { enabled: true, timeout: { clusterFailureThreshold: 7 } });
      await ok(stage, 'PUT', `${ONE}/descheduler`, { enabled: true, timeout: { deschedulingInterval: 60 } });
      await ok(stage, 'PUT', `${ONE}/metricsadapter`, { enabled: true });
      assert.deepEqual(
        [await spec('failover.clusterFailureThreshold'), await spec('descheduler.deschedulingInterval')],
        ['7', '60'],
      );
      assert.equal(await spec('metricsAdapter.enabled'), 'true');
      const [failover, descheduler, adapter] = [
        await ok(stage, 'GET', `${ONE}/failover`),
        await ok(stage, 'GET', `${ONE}/descheduler`),
        await ok(stage, 'GET', `${ONE}/metricsadapter`),
      ];
      assert.deepEqual([failover.enabled, failover.timeout.clusterFailureThreshold], [true, '7']);
      assert.deepEqual([descheduler.enabled, descheduler.timeout.deschedulingInterval], [true, '60']);
      assert.equal(adapter.enabled, true);
      // As the community's resource says it, which the operator runs the instance by.
      await eventually(async () =>
        assert.match(
          await stage.global('get', 'karmada', INSTANCE, '-n', 'kairship-system', '-o', 'json'),
          /"cluster-failure-threshold": ?"7s"/,
        ),
      );
      for (const each of ['descheduler', 'metricsadapter'])
        await ok(stage, 'PUT', `${ONE}/${each}`, { enabled: false });
      assert.equal(`${await spec('descheduler')}${await spec('metricsAdapter')}`, '');
      const impossible = await stage.admin('PUT', `${ONE}/failover`, { timeout: { clusterFailureThreshold: -1 } });
      assert.equal(impossible.status, 400);
      await eventually(async () => {
        const { status } = await ok(stage, 'GET', ONE);
        assert.equal(status.state, 'INSTANCE_STATE_RUNNING');
      });
    });

    it('that ran and was deleted leaves nothing behind', async () => {
      // The one that a backup was brought into.
      assert.ok(stage.asked.some(({ method, path, status }) => method === 'DELETE' && path === GONE && status === 200));
      await eventually(async () => {
        assert.equal((await stage.admin('GET', GONE)).status, 404);
        const kinds = 'instances,karmadas,clusters.kpanda.io,resourceregistrations,secrets';
        assert.doesNotMatch(await stage.global('get', kinds, '-A', '-o', 'name'), /\/\S*\bother\b/);
        assert.equal(existsSync(join(stage.directory, 'instances', 'other')), false);
      });
      assert.equal((await stage.admin('GET', `${GONE}/deployments`)).status, 404);
    });
  });
}
