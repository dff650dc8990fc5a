/** Namespaces, config maps, secrets, services, events and pods through the API, each seen from the other side too. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { edit, text } from './asking.ts';
import { type Answer, eventually, type Request, type Stage } from './harness.ts';

const BASE = '/instances/demo';
const SHOP = `${BASE}/namespaces/shop`;
const MEMBER = `${BASE}/member-clusters/frankfurt`;

const names = ({ json }: Answer): string[] =>
  json.items.map((item: { metadata: { name: string } }) => item.metadata.name).sort();

const service = (name: string, more: object = {}) =>
  text({ metadata: { name }, spec: { ports: [{ port: 80 }], selector: { app: 'web' }, ...more } });

export function basicKinds(stage: Stage): void {
  describe('The basic kinds of an instance', () => {
    const ok = async (...[method, path, body]: Request): Promise<Answer> => {
      const answer = await stage.admin(method, path, body);
      assert.equal(answer.status, 200, `${method} ${path}: ${text(answer.json)}`);
      return answer;
    };
    const lists = (path: string, ...expected: readonly string[]) =>
      eventually(async () => assert.deepEqual(names(await ok('GET', path)), expected));

    before(async () => {
      await ok('POST', `${BASE}/namespaces`, { data: text({ metadata: { name: 'shop', labels: { team: 'a' } } }) });
      await stage.instance('create', 'deployment', 'web', '-n', 'shop', '--image=nginx:1.27');
      await stage.instance('create', 'deployment', 'bare', '-n', 'shop', '--image=nginx:1.27');
    });

    it('shows, changes and deletes namespaces', async () => {
      assert.equal(await stage.instance('get', 'ns', 'shop', '-o', 'jsonpath={.metadata.labels.team}'), 'a');
      await lists(`${BASE}/namespaces?name=sho`, 'shop');
      assert.equal((await ok('GET', SHOP)).json.namespace.metadata.labels.team, 'a');
      await edit(stage, SHOP, (manifest) => (manifest.metadata.labels.team = 'b'));
      await ok('PATCH', SHOP, { data: text({ metadata: { annotations: { note: 'hello' } } }) });
      const told = JSON.parse(await stage.instance('get', 'ns', 'shop', '-o', 'json')).metadata;
      assert.deepEqual([told.labels.team, told.annotations.note], ['b', 'hello']);

      await ok('POST', `${BASE}/namespaces`, { data: 'metadata: {name: empty}' });
      await ok('DELETE', `${BASE}/namespaces/empty`);
      await eventually(async () => assert.doesNotMatch(await stage.instance('get', 'ns', '-o', 'name'), /\/empty$/m));
    });

    it('keeps a namespace in which something runs', async () => {
      const { status, json } = await stage.admin('DELETE', SHOP);
      assert.equal(status, 409);
      assert.match(json.message, /"shop" is in use: delete its workloads first, deployments "(web|bare)" among them/);
    });

    it('tells the names of namespaces, and how far their reader may see', async () => {
      await eventually(async () => {
        const { json } = await ok('GET', `${BASE}/namespacesummary`);
        assert.ok(
          json.data.some(({ name, instance }: Record<string, string>) => name === 'shop' && instance === 'demo'),
        );
        assert.equal(json.accessScope, 'Instance');
      });
      const scope = { type: 'Namespace', instance: 'demo', namespace: 'shop' } as const;
      const guest = await stage.person('guest', { role: 'namespace-viewer', scope });
      const { json } = await guest('GET', `${BASE}/namespacesummary`);
      assert.deepEqual(json, { data: [{ name: 'shop', instance: 'demo' }], accessScope: 'Namespace' });
      assert.deepEqual(names(await guest('GET', `${BASE}/namespaces`)), ['shop']);
      assert.equal((await guest('GET', `${BASE}/namespaces/default/services`)).status, 403);
    });

    it('tells the names of the namespaces of a member, and of no other cluster', async () => {
      await stage.member('frankfurt', 'create', 'namespace', 'legacy');
      await eventually(async () => {
        const { json } = await ok('GET', `${MEMBER}/namespacesummary`);
        assert.ok(
          json.data.some(({ name, cluster }: Record<string, string>) => name === 'legacy' && cluster === 'frankfurt'),
        );
      });
      for (const cluster of ['k-demo', 'nowhere']) {
        const { status, json } = await stage.admin('GET', `${BASE}/member-clusters/${cluster}/namespacesummary`);
        assert.equal(status, 404);
        assert.match(json.message, /is no member of instance "demo"/);
        assert.equal((await stage.admin('GET', `${BASE}/member-clusters/${cluster}/services`)).status, 404);
      }
    });

    it('shows and changes config maps', async () => {
      await ok('POST', `${SHOP}/configmaps`, {
        data: text({ metadata: { name: 'settings' }, data: { a: '1', b: '2' } }),
      });
      await lists(`${SHOP}/configmaps?name=setti`, 'settings');
      await lists(`${BASE}/configmaps?name=setti`, 'settings');
      const one = `${SHOP}/configmaps/settings`;
      assert.deepEqual((await ok('GET', one)).json.data, { a: '1', b: '2' });
      await ok('PATCH', `${one}/json`, { data: { a: '', c: '3' } });
      const manifest = JSON.parse((await ok('GET', `${one}/json`)).json.data);
      assert.deepEqual(manifest.data, { b: '2', c: '3' });
      await edit(stage, one, (edited) => (edited.data = { d: '4' }));
      assert.equal(await stage.instance('get', 'cm', 'settings', '-n', 'shop', '-o', 'jsonpath={.data}'), '{"d":"4"}');
      await ok('DELETE', one);
      assert.doesNotMatch(await stage.instance('get', 'cm', '-n', 'shop', '-o', 'name'), /settings/);
    });

    it('shows the values of secrets one at a time and never in lists', async () => {
      const value = Buffer.from('hunter2').toString('base64');
      await ok('POST', `${SHOP}/secrets`, {
        data: text({ metadata: { name: 'login' }, stringData: { word: 'hunter2' } }),
      });
      for (const list of [`${SHOP}/secrets?name=login`, `${BASE}/secrets?name=login`]) {
        await lists(list, 'login');
        const answer = text((await ok('GET', list)).json);
        assert.ok(!answer.includes(value) && !answer.includes('hunter2'), answer);
      }
      const one = `${SHOP}/secrets/login`;
      assert.deepEqual((await ok('GET', one)).json.data, { word: value });
      await ok('PATCH', one, { data: { word: '', pin: 'MTIzNA==' } });
      const manifest = JSON.parse((await ok('GET', `${one}/json`)).json.data);
      assert.deepEqual(manifest.data, { pin: 'MTIzNA==' });
      await edit(stage, one, (edited) => (edited.data = { pin: 'NTY3OA==' }));
      assert.equal(
        await stage.instance('get', 'secret', 'login', '-n', 'shop', '-o', 'jsonpath={.data.pin}'),
        'NTY3OA==',
      );
      await ok('DELETE', one);
      assert.doesNotMatch(await stage.instance('get', 'secret', '-n', 'shop', '-o', 'name'), /login/);
    });

    it('lists the secrets of a member without their values', async () => {
      await stage.member('frankfurt', 'create', 'secret', 'generic', 'local', '--from-literal=word=hunter2');
      const path = `${BASE}/clusters/frankfurt/namespaces/default/secrets?name=local`;
      await lists(path, 'local');
      const { json } = await ok('GET', path);
      assert.deepEqual([json.items[0].data, json.items[0].metadata.cluster], [{ word: '' }, 'frankfurt']);
    });

    it('shows and changes services', async () => {
      await ok('POST', `${SHOP}/services`, { data: service('front') });
      await ok('POST', `${SHOP}/services`, {
        data: service('other', { type: 'NodePort', selector: { app: 'other' } }),
      });
      await lists(`${SHOP}/services`, 'front', 'other');
      await lists(`${BASE}/services?type=NodePort&name=other`, 'other');
      await lists(`${SHOP}/services?kind=Deployment&kindName=web`, 'front');
      assert.equal((await stage.admin('GET', `${SHOP}/services?kind=Deployment`)).status, 400);
      const one = `${SHOP}/services/front`;
      assert.equal((await ok('GET', one)).json.spec.ports[0].targetPort, '80');
      await ok('PATCH', one, { data: { 'spec.type': 'NodePort', "metadata.labels['a.io/b']": '1' } });
      const manifest = JSON.parse((await ok('GET', `${one}/json`)).json.data);
      assert.deepEqual([manifest.spec.type, manifest.metadata.labels['a.io/b']], ['NodePort', '1']);
      await edit(stage, one, (edited) => (edited.metadata.labels.tier = 'web'));
      assert.equal(
        await stage.instance('get', 'svc', 'front', '-n', 'shop', '-o', 'jsonpath={.metadata.labels.tier}'),
        'web',
      );
      await ok('DELETE', one);
      assert.doesNotMatch(await stage.instance('get', 'svc', '-n', 'shop', '-o', 'name'), /front/);
    });

    it('makes a service for a workload, which goes where the workload goes', async () => {
      const policy = {
        apiVersion: 'policy.karmada.io/v1alpha1',
        kind: 'PropagationPolicy',
        metadata: { name: 'web', namespace: 'shop' },
        spec: {
          resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
          placement: { clusterAffinity: { clusterNames: ['frankfurt'] } },
        },
      };
      const body = {
        kind: 'Deployment',
        kindName: 'bare',
        data: text({ metadata: { name: 'made' }, spec: { ports: [{ port: 80 }] } }),
      };
      const refused = await stage.admin('POST', `${SHOP}/workloadservices`, body);
      assert.deepEqual([refused.status, /has no policy/.test(refused.json.message)], [409, true]);

      await stage.admin('POST', `${BASE}/gvr/policy.karmada.io/v1alpha1/namespaces/shop/propagationpolicies`, {
        data: text(policy),
      });
      await eventually(async () => void (await ok('POST', `${SHOP}/workloadservices`, { ...body, kindName: 'web' })));
      assert.match(await stage.instance('get', 'propagationpolicy', '-n', 'shop', '-o', 'name'), /made-service/);
      await eventually(async () => {
        const there = JSON.parse(await stage.member('frankfurt', 'get', 'svc', 'made', '-n', 'shop', '-o', 'json'));
        assert.deepEqual(there.spec.selector, { app: 'web' });
      });
      assert.doesNotMatch(await stage.member('singapore', 'get', 'svc', '-A', '-o', 'name'), /made/);
      await eventually(async () => {
        const { json } = await ok('GET', `${SHOP}/services/made`);
        assert.deepEqual(
          json.status.clusters.map(({ name, applied }: Record<string, unknown>) => [name, applied]),
          [['frankfurt', true]],
        );
      });
    });

    it('shows pods and services of a workload in a member', async () => {
      const inMember = `${BASE}/clusters/frankfurt/namespaces/shop`;
      await eventually(async () => {
        const { json } = await ok('GET', `${inMember}/pods?kind=Deployment&kindName=web&phase=running`);
        assert.equal(json.items.length, 1);
        const { status, metadata } = json.items[0];
        assert.deepEqual(
          [status.ownedBy, status.containerReadyCount, status.containerTotalCount, metadata.cluster],
          [{ kind: 'DEPLOYMENT', name: 'web' }, 1, 1, 'frankfurt'],
        );
      });
      const count = async (query: string) => (await ok('GET', `${inMember}/pods?${query}`)).json.items?.length ?? 0;
      await eventually(async () => assert.equal(await count('kind=Service&kindName=made'), 1));
      assert.equal(await count('kind=Deployment&kindName=nothing'), 0);
      await lists(`${inMember}/services?kind=Deployment&kindName=web`, 'made');
    });

    it('promotes a service of a member', async () => {
      await stage.member('frankfurt', 'create', 'service', 'clusterip', 'old', '-n', 'legacy', '--tcp=80');
      const inMember = `${MEMBER}/namespaces/legacy/services`;
      await lists(inMember, 'old');
      await lists(`${MEMBER}/services?name=old`, 'old');
      await ok('POST', `${inMember}/old:promote`);
      assert.match(await stage.instance('get', 'svc', '-n', 'legacy', '-o', 'name'), /old/);
      await eventually(async () => {
        const labels = await stage.member(
          'frankfurt',
          'get',
          'svc',
          'old',
          '-n',
          'legacy',
          '-o',
          'jsonpath={.metadata.labels}',
        );
        assert.match(labels, /"karmada.io\/managed":"true"/);
      });
      // What has been promoted can be promoted no more.
      await eventually(async () => assert.deepEqual((await ok('GET', inMember)).json.items ?? [], []));
    });

    it('lists events by type, kind and name', async () => {
      await eventually(async () => {
        const about = '?kind=Deployment&kindName=web&type=Normal';
        const { json } = await ok('GET', `${SHOP}/events${about}`);
        const [event] = json.items;
        assert.deepEqual(event.involvedObject, { kind: 'Deployment', name: 'web' });
        assert.ok(Number(event.lastTimestamp) > 0 && event.source.component !== '' && event.type === 'Normal');
      });
      const { json } = await ok('GET', `${BASE}/events?kind=Deployment&name=we`);
      assert.ok(json.items.length > 0);
      const kinds = (await ok('GET', `${BASE}/events/kinds`)).json.data as string[];
      assert.ok(kinds.includes('Deployment') && kinds.join() === [...kinds].sort().join());
      assert.equal((await ok('GET', `${BASE}/events?kind=Nothing`)).json.items?.length ?? 0, 0);
    });

    it('refuses all of it to people without rights, before the instance hears of it', async () => {
      const nobody = await stage.person('nobody');
      const data = service('stolen');
      const kind = (path: string, patch: string): Request[] => [
        ['GET', path],
        ['POST', path, { data }],
        ...(['GET', 'DELETE'] as const).map((method): Request => [method, `${path}/made`]),
        ['GET', `${path}/made/json`],
        ['PUT', `${path}/made`, { data }],
        ['PATCH', `${path}/made${patch}`, { data: { a: 'b' } }],
      ];
      await stage.refusesAll(nobody, 'namespaces,services,configmaps,secrets', [
        ['GET', `${BASE}/namespaces`],
        ['POST', `${BASE}/namespaces`, { data }],
        ['GET', SHOP],
        ['GET', `${SHOP}/json`],
        ['PUT', SHOP, { data }],
        ['PATCH', SHOP, { data }],
        ['DELETE', SHOP],
        ['GET', `${BASE}/configmaps`],
        ['GET', `${BASE}/secrets`],
        ['GET', `${BASE}/services`],
        ['GET', `${BASE}/events`],
        ['GET', `${BASE}/events/kinds`],
        ['GET', `${SHOP}/events`],
        ['GET', `${BASE}/namespacesummary`],
        ['GET', `${MEMBER}/namespacesummary`],
        ['GET', `${MEMBER}/services`],
        ['GET', `${MEMBER}/namespaces/shop/services`],
        ['POST', `${MEMBER}/namespaces/legacy/services/old:promote`],
        ['GET', `${BASE}/clusters/frankfurt/namespaces/shop/pods`],
        ['GET', `${BASE}/clusters/frankfurt/namespaces/shop/services`],
        ['GET', `${BASE}/clusters/frankfurt/namespaces/shop/secrets`],
        ['POST', `${SHOP}/workloadservices`, { kind: 'Deployment', kindName: 'web', data }],
        ...kind(`${SHOP}/services`, ''),
        ...kind(`${SHOP}/secrets`, ''),
        ...kind(`${SHOP}/configmaps`, '/json'),
      ]);
    });
  });
}
