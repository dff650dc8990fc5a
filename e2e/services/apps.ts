/** Deployments through the API, each call seen from the other side too. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { edit, lists, ok, policyFor, SPACE, text } from './asking.ts';
import { eventually, type Stage } from './harness.ts';

const PAGES = `${SPACE}/deployments/pages`;
const FRANKFURT = '/instances/demo/member-clusters/frankfurt';

const deployment = (replicas: number, image = 'nginx:1.27') =>
  text({
    metadata: { name: 'pages' },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'pages' } },
      template: { metadata: { labels: { app: 'pages' } }, spec: { containers: [{ name: 'pages', image }] } },
    },
  });

export function deployments(stage: Stage): void {
  describe('R5, R34, R36: deployments of an instance', () => {
    const spec = (path: string) => stage.instance('get', 'deployment', 'pages', '-o', `jsonpath={.spec.${path}}`);

    it('are created, and run where their policy puts them', async () => {
      const { data } = await ok(stage, 'POST', `${SPACE}/deployments`, { data: deployment(2) });
      assert.equal(JSON.parse(data).metadata.namespace, 'default');
      await ok(stage, 'POST', `${SPACE}/propagationpolicies`, { data: policyFor('apps/v1', 'Deployment', 'pages') });
      await eventually(async () =>
        assert.equal(
          await stage.member('frankfurt', 'get', 'deployment', 'pages', '-o', 'jsonpath={.spec.replicas}'),
          '2',
        ),
      );
    });

    it('are listed and read with how and where they are', async () => {
      await lists(stage, '/instances/demo/deployments?name=pages', 'pages');
      await lists(stage, `${SPACE}/deployments?name=page`, 'pages');
      await lists(stage, `${SPACE}/deployments?name=none`);
      await eventually(async () => {
        const { status } = await ok(stage, 'GET', PAGES);
        assert.equal(status.state, 'WORKLOAD_STATE_RUNNING');
        const clusters = status.clusters.map(({ name, applied }: { name: string; applied: boolean }) => [
          name,
          applied,
        ]);
        assert.deepEqual(clusters.sort(), [
          ['frankfurt', true],
          ['singapore', true],
        ]);
      });
      await lists(stage, '/instances/demo/deployments?phase=Running&name=pages', 'pages');
      await lists(stage, '/instances/demo/deployments?phase=Stopped');
      assert.equal((await stage.admin('GET', '/instances/demo/deployments?phase=Flying')).status, 400);
      assert.equal((await stage.admin('GET', `${SPACE}/deployments/none`)).status, 404);
    });

    it('are edited as their manifest, and patched', async () => {
      const { data: old } = await ok(stage, 'GET', `${PAGES}/json`);
      await edit(stage, PAGES, (manifest) => (manifest.spec.replicas = 3));
      assert.equal(await spec('replicas'), '3');
      assert.equal((await stage.admin('PUT', PAGES, { data: old })).status, 409);
      await ok(stage, 'PATCH', PAGES, { data: text({ spec: { replicas: 1 } }) });
      assert.equal(await spec('replicas'), '1');
    });

    it('are paused, resumed and restarted', async () => {
      await ok(stage, 'POST', `${PAGES}:pause`, {});
      assert.equal(await spec('paused'), 'true');
      await ok(stage, 'POST', `${PAGES}:resume`, {});
      assert.notEqual(await spec('paused'), 'true');
      const { deployment: told } = await ok(stage, 'POST', `${PAGES}:restart`, {});
      assert.equal(told.metadata.name, 'pages');
      assert.match(await spec('template.metadata.annotations'), /restartedAt/);
    });

    it('of a member are promoted with what they need, and run on', async () => {
      const member = (...args: readonly string[]) => stage.member('frankfurt', ...args);
      await member('create', 'configmap', 'settings', '--from-literal=a=b');
      await member('create', 'deployment', 'old', '--image=nginx:1.27');
      await member('set', 'env', 'deployment/old', '--from=configmap/settings');
      await member('expose', 'deployment', 'old', '--port=80');
      await member('rollout', 'status', 'deployment/old', '--timeout=60s');
      const pods = () => member('get', 'pods', '-l', 'app=old', '-o', 'jsonpath={.items[*].metadata.uid}');
      // The one before the change of its environment goes after the rollout has ended.
      const before_ = await eventually(async () => {
        const uids = await pods();
        assert.doesNotMatch(uids, / /);
        return uids;
      });
      await eventually(async () => {
        const { items } = await ok(stage, 'GET', `${FRANKFURT}/namespaces/default/deployments?name=old`);
        assert.equal(items.length, 1);
      });
      await eventually(async () => {
        const { items } = await ok(stage, 'GET', `${FRANKFURT}/deployments?name=old`);
        assert.equal(items.length, 1);
      });
      await ok(stage, 'POST', `${FRANKFURT}/namespaces/default/deployments/old:promote`, { services: ['old'] });
      assert.match(
        await stage.instance('get', 'deployment/old', 'configmap/settings', 'service/old', '-o', 'name'),
        /old[^]*settings[^]*old/,
      );
      await eventually(async () =>
        assert.match(
          await member('get', 'deployment', 'old', '-o', 'jsonpath={.metadata.labels}'),
          /karmada\.io\/managed/,
        ),
      );
      assert.equal(await pods(), before_);
    });

    it('of a member are promoted wholly or not at all, and run on either way', async () => {
      const member = (...args: readonly string[]) => stage.member('frankfurt', ...args);
      await member('create', 'configmap', 'both', '--from-literal=a=b');
      const names = ['left', 'right'];
      for (const name of names) {
        await member('create', 'deployment', name, '--image=nginx:1.27');
        await member('set', 'env', `deployment/${name}`, '--from=configmap/both');
        await member('rollout', 'status', `deployment/${name}`, '--timeout=60s');
      }
      // Of two that need the same at the same time one is refused, at the beginning or when much is done already.
      const answers = await Promise.all(
        names.map((name) => stage.admin('POST', `${FRANKFURT}/namespaces/default/deployments/${name}:promote`, {})),
      );
      assert.deepEqual(
        answers.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, 409],
        JSON.stringify(answers),
      );
      const refused = answers[0]?.status === 409 ? 'left' : 'right';
      // A policy ends when the engine has let go of what it claimed, which may take a moment.
      await eventually(async () => {
        const held = await stage.instance('get', 'deployments,propagationpolicies', '-o', 'name');
        assert.doesNotMatch(held, new RegExp(`/${refused}`));
      });
      await eventually(async () => {
        const left = JSON.parse(await member('get', 'deployment', refused, '-o', 'json'));
        assert.equal(left.metadata.labels['karmada.io/managed'], undefined);
        assert.equal(left.status.readyReplicas, 1);
      });
    });

    it('are deleted, with what ran in the members', async () => {
      await ok(stage, 'DELETE', PAGES);
      await eventually(async () => {
        assert.doesNotMatch(await stage.instance('get', 'deployments', '-o', 'name'), /\/pages$/m);
        assert.doesNotMatch(await stage.member('singapore', 'get', 'deployments', '-o', 'name'), /\/pages$/m);
      });
    });

    it('are nothing to those who have no rights there', async () => {
      const nobody = await stage.person('nobody');
      const data = deployment(9);
      await stage.refusesAll(nobody, 'deployments,propagationpolicies', [
        ['GET', '/instances/demo/deployments'],
        ['GET', `${SPACE}/deployments`],
        ['GET', `${FRANKFURT}/deployments`],
        ['GET', `${FRANKFURT}/namespaces/default/deployments`],
        ['GET', `${SPACE}/deployments/old`],
        ['GET', `${SPACE}/deployments/old/json`],
        ['POST', `${SPACE}/deployments`, { data }],
        ['PUT', `${SPACE}/deployments/old`, { data }],
        ['PATCH', `${SPACE}/deployments/old`, { data: text({ spec: { replicas: 9 } }) }],
        ['DELETE', `${SPACE}/deployments/old`],
        ['POST', `${SPACE}/deployments/old:pause`, {}],
        ['POST', `${SPACE}/deployments/old:resume`, {}],
        ['POST', `${SPACE}/deployments/old:restart`, {}],
        ['POST', `${FRANKFURT}/namespaces/default/deployments/old:promote`, {}],
      ]);
    });
  });
}
