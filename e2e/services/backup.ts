/** An instance is backed up while it works, loses things, and gets them back; nothing is taken from its members. */
import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ok, policyFor, SPACE, text } from './asking.ts';
import { eventually, type Stage } from './harness.ts';

const BACKUPS = '/instances/demo/backups';

export function backups(stage: Stage): void {
  describe('R48: backups of an instance', () => {
    const configMap = (name: string) =>
      ok(stage, 'POST', `${SPACE}/configmaps`, { data: text({ metadata: { name }, data: { a: '1' } }) });
    const fileOf = (name: string) => join(stage.directory, 'backups', `${name}.db`);
    let before = '';

    it('are made while it goes on, and read again before they count', async () => {
      for (const name of ['kept', 'changed']) {
        await configMap(name);
        await ok(stage, 'POST', `${SPACE}/propagationpolicies`, {
          data: policyFor('v1', 'ConfigMap', name, 'frankfurt'),
        });
        await eventually(() => stage.member('frankfurt', 'get', 'configmap', name, '-o', 'name'));
      }
      before = await stage.instance('get', 'configmap', 'kept', '-o', 'jsonpath={.metadata.resourceVersion}');
      const made = await ok(stage, 'POST', BACKUPS, { backup: 'first', note: 'before the trouble' });
      assert.deepEqual([made.name, made.phase, made.note], ['first', 'Completed', 'before the trouble']);
      assert.ok(Number(made.objects) > 10 && Number(made.bytes) > 0);
      assert.equal(statSync(fileOf('first')).mode & 0o777, 0o600);
      assert.deepEqual(
        (await ok(stage, 'GET', BACKUPS)).items.map(({ name }: { name: string }) => name),
        ['first'],
      );
      const read = await ok(stage, 'GET', `${BACKUPS}/first`);
      assert.deepEqual([read.name, read.objects, read.bytes], ['first', made.objects, made.bytes]);
      assert.equal((await stage.admin('POST', BACKUPS, { backup: 'first' })).status, 409);
    });

    it('bring back what is gone and what was changed, and leave in members what came since', async () => {
      await ok(stage, 'DELETE', `${SPACE}/configmaps/kept`);
      await eventually(async () =>
        assert.doesNotMatch(await stage.member('frankfurt', 'get', 'configmaps', '-o', 'name'), /kept/),
      );
      await stage.instance('patch', 'configmap', 'changed', '--type=merge', '-p', '{"data":{"a":"2"}}');
      await configMap('since');
      await ok(stage, 'POST', `${SPACE}/propagationpolicies`, {
        data: policyFor('v1', 'ConfigMap', 'since', 'frankfurt'),
      });
      await eventually(() => stage.member('frankfurt', 'get', 'configmap', 'since', '-o', 'name'));

      const asked = await ok(stage, 'POST', '/instances/demo:restore', { backup: 'first', dryRun: true });
      const told = asked.changes.map((one: Record<string, string>) => `${one['change']} ${one['kind']} ${one['name']}`);
      for (const change of ['created ConfigMap kept', 'changed ConfigMap changed', 'deleted ConfigMap since'])
        assert.ok(told.includes(change), told.join());
      assert.ok(asked.created >= 1 && asked.changed >= 1 && asked.deleted >= 1);
      assert.match(await stage.instance('get', 'configmaps', '-o', 'name'), /since/);

      const { phase, message } = await ok(stage, 'POST', '/instances/demo:restore', { backup: 'first' });
      assert.equal(phase, 'Completed', message);
      await eventually(() => stage.member('frankfurt', 'get', 'configmap', 'kept', '-o', 'name'));
      await eventually(async () =>
        assert.equal(await stage.member('frankfurt', 'get', 'configmap', 'changed', '-o', 'jsonpath={.data.a}'), '1'),
      );
      assert.doesNotMatch(await stage.instance('get', 'configmaps', '-o', 'name'), /since/);
      assert.match(await stage.member('frankfurt', 'get', 'configmaps', '-o', 'name'), /configmap\/since/);
      // And the index knows it too.
      await eventually(async () => {
        const { items } = await ok(stage, 'GET', `${SPACE}/configmaps`);
        const names = items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
        assert.ok(names.includes('kept') && !names.includes('since'), names.join());
      });
    });

    it('bring back a part, which takes nothing away', async () => {
      await ok(stage, 'DELETE', `${SPACE}/configmaps/kept`);
      await configMap('later');
      const part = { backup: 'first', namespaces: ['default'] };
      const { changes } = await ok(stage, 'POST', '/instances/demo:restore', { ...part, dryRun: true });
      assert.deepEqual(
        changes.filter((one: Record<string, string>) => one['change'] === 'deleted'),
        [],
      );
      const { phase, message } = await ok(stage, 'POST', '/instances/demo:restore', part);
      assert.equal(phase, 'Completed', message);
      await eventually(() => stage.instance('get', 'configmap', 'kept', 'later', '-o', 'name'));
      await eventually(() => stage.member('frankfurt', 'get', 'configmap', 'kept', '-o', 'name'));
      const nothing = await ok(stage, 'POST', '/instances/demo:restore', {
        backup: 'first',
        namespaces: ['nowhere'],
        dryRun: true,
      });
      assert.deepEqual([nothing.changes, nothing.created], [[], 0]);
    });

    it('let nobody go on from what is no more: who watches is told to list again', async () => {
      const path = `/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=5&resourceVersion=${before}`;
      const said = await stage.instance('get', '--raw', path).catch((error: Error) => error.message);
      assert.match(said, /410|Expired|too old resource version/);
    });

    it('bring into another instance what people wrote, and no cluster: two never write to one unasked', async () => {
      await ok(stage, 'POST', '/instances', { data: { metadata: { name: 'other' } } });
      const runs = () =>
        eventually(async () =>
          assert.equal((await ok(stage, 'GET', '/instances/other')).status.state, 'INSTANCE_STATE_RUNNING'),
        );
      await runs();
      const other = (...args: readonly string[]) => stage.instanceNamed('other', ...args);
      const identity = ['get', 'namespace', 'kube-system', '-o', 'jsonpath={.metadata.uid}'] as const;
      const before_ = await other(...identity);
      const { phase, message } = await ok(stage, 'POST', '/instances/other:restore', { backup: 'first' });
      assert.equal(phase, 'Completed');
      assert.match(message, /no clusters were taken from the backup/);
      await eventually(() => other('get', 'configmap/kept', 'propagationpolicy/kept-configmap', '-o', 'name'));
      assert.equal(await other('get', 'clusters,works', '-A', '-o', 'name'), '');
      assert.equal(await other(...identity), before_);
      assert.match(await stage.instance('get', 'clusters', '-o', 'name'), /frankfurt[^]*singapore/);
      await runs();
      await ok(stage, 'DELETE', '/instances/other');
    });

    it('are refused when their file has changed, and when there is none', async () => {
      await ok(stage, 'POST', BACKUPS, { backup: 'second' });
      writeFileSync(fileOf('second'), 'something else');
      const { phase, message } = await ok(stage, 'POST', '/instances/demo:restore', { backup: 'second' });
      assert.equal(phase, 'Failed');
      assert.match(message, /has changed since/);
      assert.equal((await stage.admin('POST', '/instances/demo:restore', { backup: 'none' })).status, 404);
      assert.equal((await stage.admin('GET', `${BACKUPS}/none`)).status, 404);
      for (const list of ['backups', 'deployments', 'namespaces/default/configmaps', 'propagationpolicies'])
        assert.equal((await stage.admin('GET', `/instances/none/${list}`)).status, 404, list);
      assert.ok(await stage.instance('get', 'configmap', 'kept', '-o', 'name'));
    });

    it('go with their file', async () => {
      for (const name of ['first', 'second']) await ok(stage, 'DELETE', `${BACKUPS}/${name}`);
      await eventually(async () => {
        assert.deepEqual((await ok(stage, 'GET', BACKUPS)).items, []);
        for (const name of ['first', 'second']) assert.throws(() => statSync(fileOf(name)), { code: 'ENOENT' });
      });
    });

    it('are for those who manage the instance', async () => {
      const nobody = await stage.person('no-backups');
      await stage.refusesAll(nobody, 'configmaps', [
        ['POST', BACKUPS, {}],
        ['GET', BACKUPS],
        ['DELETE', `${BACKUPS}/first`],
        ['POST', '/instances/demo:restore', { backup: 'first' }],
      ]);
    });

    it('are honestly refused where somebody else keeps the data', async () => {
      const secretRef = { namespace: 'kairship-system', name: 'none' };
      const data = { metadata: { name: 'foreign' }, spec: { mode: 'external', secretRef } };
      const manifest = { apiVersion: 'kairship.io/v1alpha1', kind: 'Instance', ...data };
      const path = join(stage.directory, 'foreign.json');
      writeFileSync(path, JSON.stringify(manifest));
      await stage.global('create', '-f', path);
      const { status, json } = await stage.admin('POST', '/instances/foreign/backups', {});
      assert.equal(status, 409);
      assert.match(json.message, /somebody else runs it/);
      await stage.global('delete', 'instance', 'foreign');
    });
  });
}
