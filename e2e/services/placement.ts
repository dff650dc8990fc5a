/** Why here, what if, how far: asked of the platform as anybody would. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { eventually, INSTANCE, type Stage } from './harness.ts';

export function placements(stage: Stage): void {
  describe('The placement, trace, search and watch services', () => {
    before(async () => {
      await eventually(async () => {
        const { json } = await stage.admin('GET', `/instances/${INSTANCE}/deployments`);
        assert.equal(json.items[0]?.status.state, 'WORKLOAD_STATE_RUNNING');
        // In all of its clusters.
        assert.equal(
          await stage.instance('get', 'deployment', 'storefront', '-o', 'jsonpath={.status.readyReplicas}'),
          '6',
        );
      });
    });

    it('say why something runs where it runs, by its binding or by itself', async () => {
      const path = `/instances/${INSTANCE}`;
      const byBinding = await stage.admin('GET', `${path}/namespaces/default/explanations/storefront-deployment`);
      assert.equal(byBinding.status, 200, JSON.stringify(byBinding.json));
      assert.deepEqual(
        byBinding.json.attempts
          .at(-1)
          .clusters.map(({ name }: { name: string }) => name)
          .toSorted(),
        ['frankfurt', 'singapore'],
      );
      const query = 'resource.kind=Deployment&resource.name=storefront&resource.namespace=default';
      const byItself = await stage.admin('GET', `${path}/explanation?${query}`);
      assert.deepEqual(byItself.json, byBinding.json);
      const { json } = await stage.admin('GET', `${path}/decisions?${query}`);
      assert.ok(json.pagination.total >= 1);
      assert.equal((await stage.admin('GET', `${path}/namespaces/default/explanations/none`)).status, 404);
      assert.equal((await stage.admin('GET', `${path}/explanation`)).status, 400);
    });

    it('say what would happen if a cluster were lost, and change nothing', async () => {
      const before_ = await stage.contents('deployments,resourcebindings');
      const { status, json } = await stage.admin('POST', `/instances/${INSTANCE}/simulations`, { lose: ['frankfurt'] });
      assert.equal(status, 200, JSON.stringify(json));
      const effect = json.bindings.find(
        ({ template }: { template: { name: string } }) => template.name === 'storefront',
      );
      assert.equal(effect.verdict, 'moved');
      assert.deepEqual(
        effect.after.map(({ name }: { name: string }) => name),
        ['singapore'],
      );
      assert.ok(json.summary.changed >= 1);
      assert.deepEqual(await stage.contents('deployments,resourcebindings'), before_);
      const wrong = await stage.admin('POST', `/instances/${INSTANCE}/simulations`, { lose: ['atlantis'] });
      assert.equal(wrong.status, 422);
      assert.match(wrong.json.message, /spec.lose\[0\]: Not found: "atlantis"/);
    });

    it('follow a change until it runs', async () => {
      const query = 'resource.kind=Deployment&resource.name=storefront&resource.namespace=default';
      const json = await eventually(async () => {
        const { json: traced } = await stage.admin('GET', `/instances/${INSTANCE}/trace?${query}`);
        // On a slow machine something may have set off another run since, which has nothing to do.
        assert.ok(
          traced.runs.some(({ state }: { state: string }) => state === 'Ready'),
          JSON.stringify(traced),
        );
        return traced;
      });
      assert.equal(json.template.name, 'storefront');
      const listed = await stage.admin('GET', `/instances/${INSTANCE}/traces?kind=deployment`);
      assert.deepEqual(
        listed.json.items.map(({ template }: { template: { uid: string } }) => template.uid),
        [json.template.uid],
      );
      const found = await stage.admin('GET', `/instances/${INSTANCE}/traces/${json.template.uid}`);
      assert.equal(found.json.template.uid, json.template.uid);
      for (const path of [`traces/${json.template.uid}:watch`, `trace:watch?${query}`]) {
        const lines = stage.lines(`/instances/${INSTANCE}/${path}`);
        const { value } = await lines.next();
        assert.equal(value.result.trace.template.uid, json.template.uid, JSON.stringify(value));
        await lines.return(undefined);
      }
    });

    it('find what people look for, everywhere they may look', async () => {
      const path = '/search?query=kind:deployment%20storefront&includeObjects=true';
      await eventually(async () => {
        const { status, json } = await stage.admin('GET', path);
        assert.equal(status, 200, JSON.stringify(json));
        const control = json.items.filter(({ cluster }: { cluster: string }) => cluster === '');
        assert.deepEqual(
          [control[0].instance, control[0].resource.name, control[0].status],
          [INSTANCE, 'storefront', '6/3'],
        );
        assert.equal(control[0].object.kind, 'Deployment');
        assert.ok(json.freshness.length > 0);
      });
      const here = await stage.admin('GET', `/instances/${INSTANCE}/search?query=kind:deployment%20cluster:-`);
      assert.deepEqual(
        here.json.items.map(({ resource }: { resource: { name: string } }) => resource.name),
        ['storefront'],
      );
      const refused = await stage.admin('GET', '/search?query=color:red');
      assert.equal(refused.status, 400);
      const viewer = await stage.person('elsewhere', {
        role: 'namespace-viewer',
        scope: { type: 'Namespace', instance: INSTANCE, namespace: 'elsewhere' },
      });
      assert.equal((await viewer('GET', '/search?query=storefront')).json.pagination.total, 0);
    });

    it('run a script of the interpreter as the engine would, and write nothing', async () => {
      const customization = {
        apiVersion: 'config.karmada.io/v1alpha1',
        kind: 'ResourceInterpreterCustomization',
        metadata: { name: 'tried' },
        spec: {
          target: { apiVersion: 'apps/v1', kind: 'Deployment' },
          customizations: {
            replicaResource: { luaScript: 'function GetReplicas(obj) return obj.spec.replicas * 2, nil end' },
          },
        },
      };
      const desired = JSON.parse(await stage.instance('get', 'deployment', 'storefront', '-o', 'json'));
      const ask = (customizations: readonly object[]) =>
        stage.admin('POST', `/instances/${INSTANCE}/interpretations`, {
          customizations,
          operation: 'InterpretReplica',
          desired,
        });
      const { status, json } = await ask([customization]);
      assert.equal(status, 200, JSON.stringify(json));
      assert.equal(
        json.results.find(({ name }: { name: string }) => name === 'replica')?.value,
        6,
        JSON.stringify(json),
      );
      assert.equal(await stage.instance('get', 'resourceinterpretercustomizations', '-o', 'name'), '');
    });

    it('tell what is there, and then every change of it', async () => {
      const path = `/instances/${INSTANCE}/objects:watch?apiVersion=apps/v1&kind=Deployment`;
      const lines = stage.lines(path);
      const next = async () => (await lines.next()).value?.result;
      const first = await next();
      assert.deepEqual([first.type, first.object.metadata.name], ['CHANGE_TYPE_ADDED', 'storefront']);
      assert.equal((await next()).type, 'CHANGE_TYPE_BOOKMARK');
      await stage.instance('label', 'deployment', 'storefront', 'seen=yes');
      for (;;) {
        const { type, object } = await next();
        if (type === 'CHANGE_TYPE_MODIFIED' && object.metadata.labels.seen === 'yes') break;
      }
      await lines.return(undefined);
      const instances = stage.lines('/instances:watch');
      assert.equal((await instances.next()).value?.result.instance.metadata.name, INSTANCE);
      await instances.return(undefined);
    });

    it('tell nothing to those who have no rights there', async () => {
      const nobody = await stage.person('nobody');
      await stage.refusesAll(nobody, 'deployments', [
        ['GET', `/instances/${INSTANCE}/namespaces/default/explanations/storefront-deployment`],
        ['POST', `/instances/${INSTANCE}/simulations`, { lose: ['frankfurt'] }],
        ['GET', `/instances/${INSTANCE}/traces`],
      ]);
    });
  });
}
