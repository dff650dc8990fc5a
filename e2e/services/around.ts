/** What stands around instances: workspaces, shells, images and metrics. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { instanceScope } from '#ghippo/apis/scope.ts';
import { type Call, eventually, type Stage } from './harness.ts';

const DIGEST = 'sha256:1111';

export interface Neighbour {
  readonly url: string;
  readonly asked: string[];
  readonly server: Server;
}

/** A registry and a metrics store, as much of them as is asked for. */
export async function neighbour(): Promise<Neighbour> {
  const asked: string[] = [];
  const answers: Readonly<Record<string, unknown>> = {
    '/v2/_catalog?n=5000': { repositories: ['web/shop/front', 'web/api', 'plain'] },
    '/v2/web/shop/front/tags/list': { tags: ['1.0', 'latest'] },
    '/v2/web/api/tags/list': { tags: [] },
    '/v2/web/shop/front/manifests/1.0': { config: { digest: 'c', size: 1 }, layers: [{ size: 41 }] },
    '/v2/web/shop/front/manifests/latest': { config: { digest: 'c', size: 1 }, layers: [{ size: 41 }] },
    '/v2/web/shop/front/blobs/c': { created: '2024-01-01T00:00:00Z' },
    '/api/v1/query': {
      status: 'success',
      data: { resultType: 'vector', result: [{ metric: { a: 'b' }, value: [1.5, '7'] }] },
    },
    '/api/v1/query_range': {
      status: 'success',
      data: { resultType: 'matrix', result: [{ metric: {}, values: [[1, '2']] }] },
    },
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      asked.push(decodeURIComponent(body.replaceAll('+', ' ')));
      const answer = answers[request.url ?? ''];
      response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json', 'docker-content-digest': DIGEST });
      response.end(JSON.stringify(answer ?? {}));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, server };
}

export function around(stage: Stage, other: Neighbour): void {
  describe('around instances', () => {
    const images = '/instances/demo/namespaces/default/registries';

    it('images are found in the registries that were named', async () => {
      assert.deepEqual((await stage.admin('GET', '/registries/kangaroo')).json, { enabled: true });
      assert.equal((await stage.admin('GET', images)).json.items[0].name, 'hub');
      assert.deepEqual((await stage.admin('GET', `${images}/hub/projects`)).json.items, ['_', 'web']);
      const { json } = await stage.admin('GET', `${images}/hub/projects/web/repositories?fuzzyName=shop`);
      assert.deepEqual([json.items[0].name, json.items[0].tagCount], ['shop/front', '2']);
      const { json: found } = await stage.admin(
        'GET',
        `${images}/hub/projects/web/repositories/shop%2Ffront/artifacts`,
      );
      const [{ digest, imageSize, tags }] = found.items;
      assert.deepEqual(
        [digest, imageSize, tags.map(({ name }: { name: string }) => name)],
        [DIGEST, '42', ['1.0', 'latest']],
      );
      assert.equal((await stage.admin('GET', `${images}/none/projects`)).status, 404);
    });

    it('metrics are those of the instance', async () => {
      assert.deepEqual((await stage.admin('GET', '/registries/insight?instance=demo')).json, { enabled: true });
      const { json } = await stage.admin('GET', '/instances/demo/metric?query=up');
      assert.deepEqual(json.vector, [{ metric: { a: 'b' }, values: { timestamp: '1500', value: '7' } }]);
      assert.match(other.asked.at(-1) ?? '', /query=up\{kairship_instance="demo"\}/);
      const range = await stage.admin('GET', '/instances/demo/range-metric?query=up&start=1&end=10&step=1');
      assert.deepEqual(range.json.matrix[0].values, [{ timestamp: '1000', value: '2' }]);
      assert.equal((await stage.admin('GET', '/instances/demo/range-metric?query=up&start=1&end=10')).status, 400);
    });

    it('a shell is its owner’s, and ends', async () => {
      const { json } = await stage.admin('POST', '/instances/demo/cloudshells', { data: { spec: { ttl: 60 } } });
      const path = `/instances/demo/cloudshells/${json.metadata.name}`;
      assert.equal((await stage.admin('GET', path)).json.status.phase, 'Ready');
      const viewer = await stage.person('looker', { role: 'instance-viewer', scope: instanceScope('demo') });
      assert.equal((await viewer('GET', path)).status, 404);
      assert.equal((await viewer('DELETE', path)).status, 404);
      assert.equal((await viewer('POST', `${path}:run`, { line: 'kubectl version' })).status, 404);
      assert.equal((await stage.admin('DELETE', path)).status, 200);
      assert.equal((await stage.admin('GET', path)).status, 404);
      const long = await stage.admin('POST', '/instances/demo/cloudshells', { data: { spec: { ttl: 100_000 } } });
      assert.equal(long.status, 400);
    });

    it('a shell runs our own commands as its owner, and nothing else', async () => {
      const shellOf = async (call: Call) => (await call('POST', '/instances/demo/cloudshells', {})).json;
      const runIn = async (call: Call, name: string, line: string, input = '') => {
        const { status, text } = await call('POST', `/instances/demo/cloudshells/${name}:run`, { line, input });
        assert.equal(status, 200, text);
        const said = text
          .trim()
          .split('\n')
          .map((part) => JSON.parse(part).result);
        return { text: said.map(({ output }) => output).join(''), code: said.at(-1).exitCode };
      };
      const own = await shellOf(stage.admin);
      assert.match(own.status.accessUrl, /:run$/);
      const run = (line: string, input?: string) => runIn(stage.admin, own.metadata.name, line, input);
      assert.match((await run('kubectl get deployments -A')).text, /^NAMESPACE +NAME.*\n(.*\n)*default +storefront/);
      assert.match((await run('kubectl get clusters -o name')).text, /cluster\/frankfurt/);
      assert.match((await run('kairship status')).text, /frankfurt +Ready/);
      assert.match((await run('kairship get pods -A')).text, /^CLUSTER[^]*singapore +default +storefront/);
      assert.match((await run('kairship why deployment/storefront')).text, /frankfurt/);
      assert.match((await run('kairship trace deployment/storefront')).text, /storefront/);
      assert.match((await run('kubectl describe deployment storefront')).text, /kind: Deployment[^]*Events/);
      assert.match((await run('kubectl api-resources')).text, /propagationpolicies/);
      assert.match((await run('kubectl version')).text, /Server Version: v1/);
      const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: typed}\ndata: {a: b}\n';
      assert.equal((await run('kubectl apply -f -', settings)).text, 'configmap/typed applied\n');
      assert.equal(await stage.instance('get', 'configmap', 'typed', '-o', 'jsonpath={.data.a}'), 'b');
      const planned = await run('kairship plan -f -', settings);
      assert.equal(planned.code, 0, planned.text);
      await run('kubectl scale deployment storefront --replicas 2');
      assert.equal(await stage.instance('get', 'deployment', 'storefront', '-o', 'jsonpath={.spec.replicas}'), '2');
      await run('kubectl scale deployment storefront --replicas 3');
      assert.equal((await run('kubectl delete configmap typed')).code, 0);
      assert.equal((await run('kubectl get configmap typed')).code, 3);
      assert.equal((await run('cat /etc/passwd')).code, 3);
      assert.equal((await run('kubectl get pods | sh')).code, 2);

      const viewer = await stage.person('looker', { role: 'instance-viewer', scope: instanceScope('demo') });
      const theirs = (await shellOf(viewer)).metadata.name;
      await eventually(async () => assert.equal((await runIn(viewer, theirs, 'kubectl get deployments')).code, 0));
      assert.equal((await runIn(viewer, theirs, 'kubectl delete deployment storefront')).code, 4);
      for (let count = 1; count < 5; count += 1) await shellOf(viewer);
      assert.equal((await viewer('POST', '/instances/demo/cloudshells', {})).status, 429);
    });

    it('instances and namespaces belong to workspaces', async () => {
      const workspace = {
        apiVersion: 'ghippo.io/v1alpha1',
        kind: 'Workspace',
        metadata: { name: 'web' },
        spec: { id: 77 },
      };
      const file = join(stage.directory, 'workspace.json');
      writeFileSync(file, JSON.stringify(workspace));
      await stage.global('create', '-f', file);
      await eventually(async () => {
        const { json } = await stage.admin('GET', '/workspace-management/workspaces');
        assert.deepEqual(json.items, [{ workspace: 'web', workspaceId: 77 }]);
      });
      const bind = (action: string) =>
        stage.admin('POST', '/workspace-management/instances/-/actions', {
          instance: 'demo',
          workspace: { workspace: 'web' },
          action,
        });
      await eventually(async () => assert.equal((await bind('BIND')).status, 200));
      await eventually(async () => {
        const { json } = await stage.admin('GET', '/workspace-management/instances');
        assert.deepEqual(json.items, [{ instance: 'demo', workspace: { workspace: 'web', workspaceId: 77 } }]);
      });
      assert.match(await stage.global('get', 'workspaceresources', '-o', 'yaml'), /workspace: web/);
      assert.equal((await bind('UNBIND')).status, 200);
      const namespace = { instance: 'demo', namespace: 'default', workspace: { workspaceId: 77 }, action: 'BIND' };
      await eventually(async () => {
        const bound = await stage.admin('POST', '/workspace-management/namespaces/-/actions', namespace);
        assert.equal(bound.status, 200, JSON.stringify(bound.json));
      });
      await eventually(async () => {
        const { json: list } = await stage.admin('GET', '/workspace-management/namespaces?namespace=default');
        assert.deepEqual(list.items[0].workspace, { workspace: 'web', workspaceId: 77 });
      });
    });

    it('an instance is upgraded to what there is, and never back', async () => {
      const upgrade = (version: string) => stage.admin('POST', '/instances/demo:upgrade', { version });
      const { version } = (await stage.admin('GET', '/instances/config')).json;
      const { status, json } = await upgrade('');
      assert.deepEqual([status, json], [200, { from: version, to: version, unchanged: true }]);
      assert.equal((await upgrade('v0.9.0')).status, 409);
      assert.match((await upgrade('v99.0.0')).json.message, /the only one this platform brings/);
    });

    it('is nothing for those without rights', async () => {
      const nobody = await stage.person('nobody');
      await stage.refusesAll(nobody, 'namespaces', [
        ['POST', '/instances/demo:upgrade', {}],
        ['GET', images],
        ['GET', `${images}/hub/projects`],
        ['GET', `${images}/hub/projects/web/repositories`],
        ['GET', `${images}/hub/projects/web/repositories/api/artifacts`],
        ['GET', '/registries/insight?instance=demo'],
        ['GET', '/instances/demo/metric?query=up'],
        ['GET', '/instances/demo/range-metric?query=up&start=1&end=10&step=1'],
        ['POST', '/instances/demo/cloudshells', {}],
        ['GET', '/instances/demo/cloudshells/a'],
        ['DELETE', '/instances/demo/cloudshells/a'],
        ['POST', '/instances/demo/cloudshells/a:run', { line: 'kubectl version' }],
        ['POST', '/workspace-management/instances/-/actions', { instance: 'demo', action: 'BIND' }],
        [
          'POST',
          '/workspace-management/namespaces/-/actions',
          { instance: 'demo', namespace: 'default', action: 'BIND' },
        ],
      ]);
      for (const list of ['instances', 'namespaces', 'workspaces'])
        assert.deepEqual((await nobody('GET', `/workspace-management/${list}`)).json.items, []);
    });
  });
}
