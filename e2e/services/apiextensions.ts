/** Custom resource definitions and their objects through the API, each change seen in the instance. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { instanceScope } from '#ghippo/apis/scope.ts';
import { edit, ok as asked, text } from './asking.ts';
import { eventually, type Request, type Stage } from './harness.ts';

const BASE = '/instances/demo';
const CRDS = `${BASE}/customresourcedefinitions`;
const GVR = `${BASE}/gvr/shop.example/v1`;
const CARTS = `${GVR}/namespaces/default/carts`;
const AISLES = `${GVR}/aisles`;

const names = (items: readonly { name?: string; metadata?: { name: string } }[]) =>
  items.map((item) => item.name ?? item.metadata?.name ?? '').toSorted();

const definition = (plural: string, kind: string, scope: string) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.shop.example` },
  spec: {
    group: 'shop.example',
    scope,
    names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});

export function customResources(stage: Stage): void {
  describe('Custom resources of an instance', () => {
    const ok = (...request: Request) => asked(stage, ...request);
    const lists = (path: string, ...expected: readonly string[]) =>
      eventually(async () => assert.deepEqual(names((await ok('GET', path)).items), expected));
    const cart = async (path: string) => stage.instance('get', 'carts', 'c1', '-o', `jsonpath={${path}}`);

    before(async () => {
      await ok('POST', CRDS, { data: text(definition('carts', 'Cart', 'Namespaced')) });
      await ok('POST', CRDS, { data: text(definition('aisles', 'Aisle', 'Cluster')) });
    });

    it('have definitions, found by group and state', async () => {
      await lists(`${CRDS}?group=shop.example`, 'aisles.shop.example', 'carts.shop.example');
      await lists(`${CRDS}?fuzzyName=carts&status=Established`, 'carts.shop.example');
      await eventually(async () => assert.ok((await ok('GET', `${BASE}/crd-groups`)).items.includes('shop.example')));
      const one = `${CRDS}/carts.shop.example`;
      const json = await ok('GET', one);
      assert.deepEqual([json.spec.scope, json.spec.names.kind], ['NAMESPACED', 'Cart']);
      await edit(stage, one, (manifest) => (manifest.spec.names.shortNames = ['ct']));
      assert.match(await stage.instance('get', 'crd', 'carts.shop.example', '-o', 'yaml'), /shortNames:\n +- ct/);
    });

    it('are written and read in a namespace', async () => {
      const labels = { app: 'shop' };
      await eventually(async () =>
        ok('POST', CARTS, { data: text({ metadata: { name: 'c1', labels }, spec: { size: 1 } }) }),
      );
      await lists(CARTS, 'c1');
      const one = `${CARTS}/c1`;
      const json = await ok('GET', one);
      assert.deepEqual(
        [json.kind, json.apiVersion, json.namespace, json.labels],
        ['Cart', 'shop.example/v1', 'default', labels],
      );
      await edit(stage, one, (manifest) => (manifest.spec = { size: 2 }));
      assert.equal(await cart('.spec.size'), '2');
    });

    it('are patched in every way Kubernetes knows', async () => {
      const one = `${CARTS}/c1`;
      const patch = (patchType: string, body: unknown, subResources: readonly string[] = []) =>
        stage.admin('PATCH', one, { patchType, data: text(body), subResources });
      const fine = async (...args: Parameters<typeof patch>) => {
        const { status, json } = await patch(...args);
        assert.equal(status, 200, text(json));
      };
      await fine('PATCH_TYPE_JSON', [{ op: 'replace', path: '/spec/size', value: 3 }]);
      assert.equal(await cart('.spec.size'), '3');
      await fine('PATCH_TYPE_MERGE', { spec: { colour: 'red' } });
      assert.equal(await cart('.spec.colour'), 'red');
      await fine('PATCH_TYPE_APPLY', { metadata: {}, spec: { wheels: 4 } });
      assert.equal(await cart('.spec.wheels'), '4');
      await fine('PATCH_TYPE_MERGE', { status: { full: true } }, ['status']);
      assert.equal(await cart('.status.full'), 'true');

      assert.equal((await patch('PATCH_TYPE_STRATEGIC_MERGE', { spec: { size: 9 } })).status, 415);
      const unknown = await patch('PATCH_TYPE_MERGE', {}, ['scale']);
      assert.deepEqual(
        [unknown.status, unknown.json.message],
        [404, 'carts.shop.example have no part "scale": it has status'],
      );
      assert.equal((await patch('PATCH_TYPE_JSON', { spec: {} })).status, 400);
    });

    it('are written and read without a namespace', async () => {
      await eventually(async () =>
        ok('POST', AISLES, { data: text({ metadata: { name: 'a1' }, spec: { length: 1 } }) }),
      );
      await lists(AISLES, 'a1');
      await lists(`${AISLES}?kind=Aisle`, 'a1');
      const one = `${AISLES}/a1`;
      assert.equal((await ok('GET', one)).kind, 'Aisle');
      await edit(stage, one, (manifest) => (manifest.spec = { length: 2 }));
      assert.equal(await stage.instance('get', 'aisles', 'a1', '-o', 'jsonpath={.spec.length}'), '2');
      await ok('DELETE', one);
      assert.doesNotMatch(await stage.instance('get', 'aisles', '-o', 'name'), /a1/);
    });

    it('tell where they have gone, and by which policy', async () => {
      const policies = `${BASE}/gvr/policy.karmada.io/v1alpha1`;
      const placement = { clusterAffinity: { clusterNames: ['singapore'] } };
      const policy = (name: string, selector: object) => ({
        data: text({ metadata: { name }, spec: { resourceSelectors: [selector], placement } }),
      });
      const crd = {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        name: 'carts.shop.example',
      };
      await ok('POST', `${policies}/clusterpropagationpolicies`, policy('carts', crd));
      const selector = { apiVersion: 'shop.example/v1', kind: 'Cart' };
      await ok('POST', `${policies}/namespaces/default/propagationpolicies`, policy('carts', selector));
      await eventually(async () => {
        const json = await ok('GET', `${CARTS}/c1`);
        assert.deepEqual(json.propagationpolicies, ['carts']);
        assert.equal(json.clusters[0].name, 'singapore');
      });
    });

    it('say clearly what an instance does not have', async () => {
      const message = async (path: string, status: number) => {
        const answer = await stage.admin('GET', path);
        assert.equal(answer.status, status, `${path}: ${text(answer.json)}`);
        return String(answer.json.message);
      };
      assert.match(await message(`${BASE}/gvr/no.example/v1/things`, 404), /no resource "things" in no\.example\/v1/);
      assert.match(await message(`${GVR}/things`, 404), /of that version it has .*carts/);
      assert.match(await message(`${GVR}/carts`, 400), /carts\.shop\.example are in namespaces/);
      assert.match(await message(`${GVR}/namespaces/default/aisles`, 400), /are in no namespace/);
      assert.match(await message(`${AISLES}?kind=Cart`, 400), /are of kind "Aisle"/);
      assert.match(await message(`${BASE}/gvr/cluster.karmada.io/v1alpha1/clusters`, 400), /operations of their own/);
    });

    it('are written by those who may change workloads', async () => {
      const writer = await stage.person('writer', { role: 'instance-editor', scope: instanceScope('demo') });
      await eventually(async () => {
        const { status, json } = await writer('POST', CARTS, {
          data: text({ metadata: { name: 'theirs' }, spec: { size: 1 } }),
        });
        assert.equal(status, 200, text(json));
      });
      assert.equal(await stage.instance('get', 'carts', 'theirs', '-o', 'jsonpath={.spec.size}'), '1');
      assert.equal((await writer('DELETE', `${CARTS}/theirs`)).status, 200);
    });

    it('are refused to people without rights, before the instance hears of it', async () => {
      const nobody = await stage.person('nobody');
      const data = text({ metadata: { name: 'c1' } });
      const each = (path: string, name: string): Request[] => [
        ['GET', path],
        ['POST', path, { data }],
        ['GET', `${path}/${name}`],
        ['GET', `${path}/${name}/json`],
        ['PUT', `${path}/${name}`, { data }],
        ['DELETE', `${path}/${name}`],
      ];
      await stage.refusesAll(nobody, 'crds,carts', [
        ['GET', `${BASE}/crd-groups`],
        ...each(CRDS, 'carts.shop.example'),
        ...each(CARTS, 'c1'),
        ['PATCH', `${CARTS}/c1`, { patchType: 'PATCH_TYPE_MERGE', data }],
        ...each(AISLES, 'a1'),
      ]);
    });

    it('go with their definition', async () => {
      await ok('DELETE', `${CARTS}/c1`);
      await eventually(async () => assert.equal(await stage.instance('get', 'carts', '-o', 'name'), ''));
      await ok('DELETE', `${CRDS}/carts.shop.example`);
      await eventually(async () => assert.doesNotMatch(await stage.instance('get', 'crd', '-o', 'name'), /carts/));
    });
  });
}
