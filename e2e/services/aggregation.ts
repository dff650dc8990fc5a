/** Workloads created with their policies in one call, all of it or none, seen from the other side. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ok, policyFor, SPACE, text } from './asking.ts';
import { eventually, type Stage } from './harness.ts';

const TOGETHER = `${SPACE}/aggregationresource`;
const CLUSTER_WIDE = '/instances/demo/aggregationresource';
const KINDS = 'deployments,configmaps,clusterroles,propagationpolicies,overridepolicies,clusterpropagationpolicies';

const settings = (name: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata: {a: b}\n`;
const pair = text({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'pair' },
  spec: {
    selector: { matchLabels: { app: 'pair' } },
    template: { metadata: { labels: { app: 'pair' } }, spec: { containers: [{ name: 'pair', image: 'nginx:1.27' }] } },
  },
});
const labelsIt = text({
  metadata: { name: 'pair' },
  spec: {
    resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'pair' }],
    overrideRules: [{ overriders: { labelsOverrider: [{ operator: 'add', value: { made: 'together' } }] } }],
  },
});
const popagrationpolicies = [policyFor('apps/v1', 'Deployment', 'pair', 'frankfurt')];

export function createdTogether(stage: Stage): void {
  describe('Objects created together', () => {
    const leavesNothing = async (path: string, data: object, expected: number, message: RegExp, more: object = {}) => {
      const before_ = await stage.contents(KINDS);
      const { status, json } = await stage.admin('POST', path, { data, ...more });
      assert.equal(status, expected, text(json));
      assert.match(json.message, message);
      assert.deepEqual(await stage.contents(KINDS), before_);
    };

    it('are none when one of them is refused, and say why', async () => {
      await leavesNothing(
        TOGETHER,
        { resources: [pair, settings('Not_A_Name')], popagrationpolicies },
        422,
        /Not_A_Name/,
      );
      await leavesNothing(TOGETHER, { resources: [pair], popagrationpolicies: [text({ metadata: {} })] }, 422, /name/);
      const twice = { resources: [settings('a'), pair, settings('a')], popagrationpolicies };
      await leavesNothing(TOGETHER, twice, 409, /already exists/);
      await leavesNothing(TOGETHER, { resources: [] }, 400, /nothing to create/);
      const gvr = [{ group: 'apps', version: 'v1', resource: 'daemonsets' }];
      await leavesNothing(TOGETHER, { resources: [pair] }, 400, /gvr says "daemonsets"/, { gvr });
      await leavesNothing(CLUSTER_WIDE, { resources: [pair] }, 400, /Deployment "pair" is of a namespace/);
    });

    it('are all there, and run as their policies say', async () => {
      const told = await ok(stage, 'POST', TOGETHER, {
        data: { resources: [pair, settings('a')], popagrationpolicies, overridepolicies: [labelsIt] },
        gvr: [{ group: 'apps', version: 'v1', resource: 'deployments' }],
      });
      assert.deepEqual(
        [told.resources, told.popagrationpolicies, told.overridepolicies].map((all: string[]) =>
          all.map((data) => JSON.parse(data).metadata.name),
        ),
        [['pair', 'a'], ['pair-deployment'], ['pair']],
      );
      await eventually(async () =>
        assert.equal(
          await stage.member('frankfurt', 'get', 'deployment', 'pair', '-o', 'jsonpath={.metadata.labels.made}'),
          'together',
        ),
      );
      await stage.instance('get', 'configmap', 'a', '-o', 'name');
    });

    it('may be of no namespace', async () => {
      const role = text({
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'looker' },
        rules: [],
      });
      await ok(stage, 'POST', CLUSTER_WIDE, {
        data: {
          resources: [role],
          clusterpopagrationpolicies: [policyFor('rbac.authorization.k8s.io/v1', 'ClusterRole', 'looker')],
        },
      });
      await eventually(
        async () => void (await stage.member('singapore', 'get', 'clusterrole', 'looker', '-o', 'name')),
      );
      await leavesNothing(TOGETHER, { resources: [role] }, 400, /ClusterRole "looker" has no namespace/);
      const { attempts } = await ok(stage, 'GET', '/instances/demo/explanations/looker-clusterrole');
      assert.deepEqual(
        attempts
          .at(-1)
          .clusters.map(({ name }: { name: string }) => name)
          .toSorted(),
        ['frankfurt', 'singapore'],
      );
    });

    it('are refused to those who have no rights there', async () => {
      const nobody = await stage.person('nobody');
      await stage.refusesAll(nobody, KINDS, [
        ['POST', TOGETHER, { data: { resources: [settings('b')] } }],
        ['POST', CLUSTER_WIDE, { data: { resources: [settings('b')] } }],
      ]);
    });
  });
}
