/** Ingresses through the API, each change seen in the instance or the member. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { edit, text } from './asking.ts';
import { type Answer, eventually, type Request, type Stage } from './harness.ts';

const BASE = '/instances/demo';
const INGRESSES = `${BASE}/namespaces/default/ingresses`;
const MEMBER = `${BASE}/member-clusters/frankfurt`;

const names = ({ json }: Answer): string[] =>
  json.items.map((item: { metadata: { name: string } }) => item.metadata.name).sort();

const ingress = (name: string, more: object = {}) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name, namespace: 'default' },
  spec: {
    rules: [
      {
        host: 'shop.example',
        http: {
          paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 80 } } } }],
        },
      },
    ],
    ...more,
  },
});

export function ingresses(stage: Stage): void {
  describe('Ingresses of an instance', () => {
    const ok = async (...[method, path, body]: Request): Promise<Answer> => {
      const answer = await stage.admin(method, path, body);
      assert.equal(answer.status, 200, `${method} ${path}: ${text(answer.json)}`);
      return answer;
    };
    const lists = (path: string, ...expected: readonly string[]) =>
      eventually(async () => assert.deepEqual(names(await ok('GET', path)), expected));

    /** Writes an object into the member as its own people would. */
    async function inFrankfurt(object: object) {
      const file = join(stage.directory, 'sent.json');
      writeFileSync(file, text(object));
      await stage.member('frankfurt', 'apply', '-f', file);
    }

    it('are created, shown, changed and deleted', async () => {
      await ok('POST', INGRESSES, { data: text(ingress('front')) });
      await lists(`${BASE}/ingresses?fuzzyName=fro`, 'front');
      await lists(INGRESSES, 'front');
      const one = `${INGRESSES}/front`;
      const { json } = await ok('GET', one);
      assert.deepEqual(json.spec.rules[0].http.paths[0].backend.service, {
        name: 'web',
        port: { name: '', number: 80 },
      });

      await ok('PATCH', one, { data: { 'spec.ingressClassName': 'nginx', 'metadata.annotations.sticky': 'true' } });
      const manifest = JSON.parse((await ok('GET', `${one}/json?stable=true`)).json.data);
      assert.equal(manifest.status, undefined);
      assert.deepEqual([manifest.spec.ingressClassName, manifest.metadata.annotations.sticky], ['nginx', 'true']);
      await edit(stage, one, (edited) => (edited.spec.rules[0].host = 'other.example'));
      assert.match(await stage.instance('get', 'ingress', 'front'), /nginx +other\.example/);
      await ok('DELETE', one);
      assert.doesNotMatch(await stage.instance('get', 'ingress', '-A', '-o', 'name'), /front/);
    });

    it('may be of the classes a member has', async () => {
      const path = `${BASE}/clusters/frankfurt/ingressclasssummary`;
      await inFrankfurt({
        apiVersion: 'networking.k8s.io/v1',
        kind: 'IngressClass',
        metadata: { name: 'nginx', annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
        spec: { controller: 'example.com/nginx' },
      });
      await eventually(async () => {
        const { json } = await ok('GET', path);
        assert.deepEqual(
          json.items.find(({ name }: { name: string }) => name === 'nginx'),
          { name: 'nginx', isDefaultClass: true },
        );
      });
      assert.equal((await stage.admin('GET', `${BASE}/clusters/k-demo/ingressclasssummary`)).status, 404);
    });

    it('are promoted from a member, with their certificate', async () => {
      await stage.member('frankfurt', 'create', 'secret', 'generic', 'cert', '--from-literal=tls.key=k');
      await inFrankfurt(ingress('old', { tls: [{ hosts: ['shop.example'], secretName: 'cert' }] }));
      await lists(`${MEMBER}/namespaces/default/ingresses`, 'old');
      await lists(`${MEMBER}/ingresses?name=old`, 'old');
      await ok('POST', `${MEMBER}/namespaces/default/ingresses/old:promote`);
      assert.match(
        await stage.instance('get', 'ingress,secret', '-o', 'name'),
        /ingress.networking.k8s.io\/old[^]*secret\/cert/,
      );
      await eventually(async () => {
        const { json } = await ok('GET', `${INGRESSES}/old`);
        assert.deepEqual(
          json.status.clusters.map(({ name, applied }: Record<string, unknown>) => [name, applied]),
          [['frankfurt', true]],
        );
      });
      // What has been promoted can be promoted no more.
      await eventually(async () => assert.deepEqual((await ok('GET', `${MEMBER}/ingresses`)).json.items ?? [], []));
    });

    it('are refused to people without rights, before the instance hears of it', async () => {
      const nobody = await stage.person('nobody');
      const data = text(ingress('old'));
      await stage.refusesAll(nobody, 'ingresses', [
        ['GET', `${BASE}/ingresses`],
        ['GET', INGRESSES],
        ['GET', `${MEMBER}/ingresses`],
        ['GET', `${MEMBER}/namespaces/default/ingresses`],
        ['GET', `${BASE}/clusters/frankfurt/ingressclasssummary`],
        ['GET', `${INGRESSES}/old`],
        ['GET', `${INGRESSES}/old/json`],
        ['POST', INGRESSES, { data }],
        ['PUT', `${INGRESSES}/old`, { data }],
        ['PATCH', `${INGRESSES}/old`, { data: { 'spec.ingressClassName': 'mine' } }],
        ['DELETE', `${INGRESSES}/old`],
        ['POST', `${MEMBER}/namespaces/default/ingresses/old:promote`],
      ]);
    });
  });
}
