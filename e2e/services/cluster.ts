/** Members of an instance: how they are told, join, change, leave, and follow the inventory. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse, stringify } from 'yaml';
import { text } from './asking.ts';
import { eventually, MEMBERS, type Stage } from './harness.ts';

interface Named {
  readonly metadata: { readonly name: string };
}

interface Leaving {
  readonly resource: { readonly name: string };
  readonly fate?: string;
}

interface Node {
  readonly status: { readonly allocatable: { readonly cpu: string } };
}

export function members(stage: Stage): void {
  describe('Members of an instance', () => {
    const cluster = async (name: string) => JSON.parse(await stage.instance('get', 'cluster', name, '-o', 'json'));
    const names = (items: readonly { metadata: { name: string } }[]) => items.map(({ metadata }) => metadata.name);

    it('R4, R35: are told in one call, each as it tells of itself', async () => {
      for (const name of MEMBERS)
        await eventually(async () => {
          const { json } = await stage.admin('GET', `/instances/demo/clusters?name=${name}`);
          const { spec, status } = json.items.find(({ metadata }: Named) => metadata.name === name);
          const { items: nodes } = JSON.parse(await stage.member(name, 'get', 'nodes', '-o', 'json'));
          const own = JSON.parse(await stage.member(name, 'get', 'namespace', 'kube-system', '-o', 'json'));
          const cpu = nodes.reduce(
            (sum: number, { status: { allocatable } }: Node) => sum + Number(allocatable.cpu),
            0,
          );
          assert.deepEqual(
            [status.phase, status.kubeSystemID, status.kubernetesVersion, status.resourceSummary.allocatable.cpu],
            ['RUNNING', own.metadata.uid, nodes[0].status.nodeInfo.kubeletVersion, String(cpu)],
          );
          assert.ok(status.cpuUsage > 0 && status.memoryUsage > 0, text(status));
          assert.deepEqual(spec.taints, []);
        });
    });

    it('R22, R40: give an instance its numbers, and it has no nodes of its own', async () => {
      assert.equal(await stage.instance('get', 'nodes', '-o', 'name'), '');
      const counts = await Promise.all(
        MEMBERS.map(async (name) => (await stage.member(name, 'get', 'nodes', '-o', 'name')).split('\n').length),
      );
      const totalNum = counts.reduce((sum, count) => sum + count, 0);
      await eventually(async () => {
        const { summary } = (await stage.admin('GET', '/instances/demo')).json.status;
        assert.deepEqual(summary.clusterSummary, { totalNum: MEMBERS.length, readyNum: MEMBERS.length });
        assert.deepEqual(summary.nodeSummary, { totalNum, readyNum: totalNum });
      });
    });

    it('are told with what the inventory knows of them', async () => {
      await eventually(async () => {
        const { json } = await stage.admin('GET', '/instances/demo/clusters?sortBy=field_name&sortDir=asc');
        assert.deepEqual(names(json.items), ['frankfurt', 'singapore']);
        const [{ spec, status }] = json.items;
        assert.deepEqual(
          [spec.provider, spec.region, spec.zone, spec.managedBy, status.phase, status.proxyMode],
          ['AWS_EKS', 'eu-central-1', 'eu-central-1a', 'kpanda', 'RUNNING', 'Push'],
        );
        assert.match(status.podCIDR, /\/24$/);
      });
      const { json } = await stage.admin('GET', '/instances/demo/clusters?provider=ALIYUN_ACK');
      assert.deepEqual(names(json.items), ['singapore']);
      const { json: places } = await stage.admin('GET', '/instances/demo/clusters-locations');
      assert.deepEqual(places.locations[0], {
        cluster: 'frankfurt',
        provider: 'aws',
        region: 'eu-central-1',
        zone: 'eu-central-1a',
      });
    });

    it('R45: get labels and taints, and keep them while the inventory changes its own', async () => {
      const taints = [{ key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' }];
      const body = { cluster: { metadata: { labels: { tier: 'gold' } }, spec: { taints } } };
      assert.equal((await stage.admin('PUT', '/instances/demo/clusters/frankfurt', body)).status, 200);
      assert.deepEqual((await cluster('frankfurt')).spec.taints, taints);
      await stage.global('label', 'clusters.kpanda.io', 'frankfurt', 'env=prod');
      await eventually(async () =>
        assert.deepEqual((await cluster('frankfurt')).metadata.labels, { env: 'prod', tier: 'gold' }),
      );
      const other = { cluster: { metadata: { labels: { env: 'test' } } } };
      const refused = await stage.admin('PUT', '/instances/demo/clusters/frankfurt', other);
      assert.match(refused.json.message, /comes from the inventory/);
      await stage.global('label', 'clusters.kpanda.io', 'frankfurt', 'env-');
      const zone = { spec: { zone: 'eu-central-1c' } };
      await stage.global('patch', 'clusters.kpanda.io', 'frankfurt', '--type=merge', '-p', JSON.stringify(zone));
      await eventually(async () => {
        const { metadata, spec } = await cluster('frankfurt');
        assert.deepEqual([metadata.labels, spec.zones, spec.taints], [{ tier: 'gold' }, ['eu-central-1c'], taints]);
      });
      await eventually(async () => {
        const { json } = await stage.admin('GET', '/instances/demo/clusters-labels');
        assert.deepEqual(json.clusterLabels[0], { cluster: 'frankfurt', labels: { tier: 'gold' } });
      });
      const free = { cluster: { metadata: { labels: {} }, spec: { taints: [] } } };
      await stage.admin('PUT', '/instances/demo/clusters/frankfurt', free);
      assert.equal((await cluster('frankfurt')).spec.taints, undefined);
    });

    it('R19, R43: come from the inventory only, once, and are never instances', async () => {
      const post = (name: string) => stage.admin('POST', `/instances/demo/clusters/${name}`, {});
      assert.equal((await post('elsewhere')).status, 404);
      assert.match((await post('k-demo')).json.message, /stands for an instance/);
      assert.equal((await post('frankfurt')).status, 409);
    });

    it('R44: leave nothing of ours behind when they go, can join again, and are offered meanwhile', async () => {
      const leaving = (await stage.admin('GET', '/instances/demo/clusters/singapore/removal-check')).json;
      assert.equal(leaving.reachable, true);
      assert.ok(
        leaving.items.some(({ resource, fate }: Leaving) => resource.name === 'storefront' && fate === 'deleted'),
      );
      assert.equal((await stage.admin('DELETE', '/instances/demo/clusters/singapore')).status, 200);
      await eventually(async () => {
        assert.doesNotMatch(await stage.instance('get', 'clusters', '-o', 'name'), /singapore/);
        assert.doesNotMatch(await stage.member('singapore', 'get', 'sa', '-A', '-o', 'name'), /karmada/);
        assert.doesNotMatch(
          await stage.member('singapore', 'get', 'clusterroles', '-o', 'name'),
          /controller-manager:karmada/,
        );
        const { json } = await stage.admin('GET', '/kpanda-clusters?instance=demo');
        assert.deepEqual(names(json.items), ['singapore']);
      });
      const arriving = (await stage.admin('GET', '/instances/demo/clusters/singapore/join-check')).json;
      const deployment = arriving.items.find(({ resource }: Leaving) => resource.name === 'storefront');
      assert.equal(deployment?.outcome, 'created', text(arriving));
      assert.equal((await stage.admin('POST', '/instances/demo/clusters/singapore', {})).status, 200);
      const { spec } = await cluster('singapore');
      const known = JSON.parse(await stage.global('get', 'clusters.kpanda.io', 'singapore', '-o', 'json'));
      const { provider, region, zone, apiEndpoint } = known.spec;
      assert.deepEqual(
        [spec.provider, spec.region, spec.zones, spec.apiEndpoint],
        [provider, region, [zone], apiEndpoint],
      );
      await eventually(async () => {
        const { conditions } = (await cluster('singapore')).status;
        assert.equal(conditions.find(({ type }: { type: string }) => type === 'Ready').status, 'True');
      });
      await eventually(async () => {
        const { json } = await stage.admin('GET', '/kpanda-clusters?instance=demo');
        assert.deepEqual(json.items, []);
      });
    });

    it('R46: take a new credential up without a pause, and refuse one that does not work', async () => {
      const kubeconfig = parse(readFileSync(join(stage.directory, 'members', 'frankfurt', 'kubeconfig'), 'utf8'));
      const rotate = async (token: string) => {
        const text = stringify({ ...kubeconfig, users: [{ name: kubeconfig.users[0].name, user: { token } }] });
        const data = { kubeconfig: Buffer.from(text).toString('base64') };
        const patch = [
          'secret',
          'cluster-frankfurt',
          '-n',
          'kpanda-system',
          '--type=merge',
          '-p',
          JSON.stringify({ data }),
        ];
        await stage.global('patch', ...patch);
      };
      const secret = async () => {
        const found = await stage.instance('get', 'secret', 'frankfurt', '-n', 'karmada-cluster', '-o', 'json');
        return JSON.parse(found) as { data: { token: string } };
      };
      const transition = async () =>
        (await cluster('frankfurt')).status.conditions.find(({ type }: { type: string }) => type === 'Ready')
          .lastTransitionTime;
      const [old, since] = [await secret(), await transition()];
      await stage.member('frankfurt', 'create', 'serviceaccount', 'new-admin');
      await stage.member(
        'frankfurt',
        'create',
        'clusterrolebinding',
        'new-admin',
        '--clusterrole=cluster-admin',
        '--serviceaccount=default:new-admin',
      );
      await rotate(await stage.member('frankfurt', 'create', 'token', 'new-admin'));
      await eventually(async () => assert.notEqual((await secret()).data.token, old.data.token));
      await eventually(async () => {
        const left = JSON.parse(
          await stage.member('frankfurt', 'get', 'secrets', '-n', 'karmada-cluster', '-o', 'json'),
        );
        const tokens = left.items.map(({ data }: { data: { token: string } }) => data.token);
        assert.ok(!tokens.includes(old.data.token), 'the old token still works');
        assert.ok(tokens.includes((await secret()).data.token));
      });
      const good = await secret();
      await rotate('wrong');
      await eventually(async () => {
        const events = await stage.instance('get', 'events', '-A', '-o', 'json');
        assert.match(events, /CredentialRefused/);
      });
      assert.deepEqual((await secret()).data, good.data);
      assert.equal(await transition(), since);
    });

    it('are for those who may, and everybody else is refused at the door', async () => {
      const nobody = await stage.person('nobody');
      await stage.refusesAll(nobody, 'clusters.cluster.karmada.io', [
        ['GET', '/instances/demo/clusters'],
        ['GET', '/instances/demo/clusters-labels'],
        ['GET', '/instances/demo/clusters-locations'],
        ['GET', '/kpanda-clusters?instance=demo'],
        ['POST', '/instances/demo/clusters/singapore', {}],
        ['PUT', '/instances/demo/clusters/singapore', { cluster: { metadata: { labels: { a: 'b' } } } }],
        ['DELETE', '/instances/demo/clusters/singapore?force=true'],
      ]);
      const { json } = await nobody('GET', '/kpanda-clusters');
      assert.deepEqual(json.items, []);
    });

    it('go at once when forced, and the instance keeps a list of what is left in them', async () => {
      assert.equal((await stage.admin('DELETE', '/instances/demo/clusters/singapore?force=true')).status, 200);
      await eventually(async () => {
        assert.doesNotMatch(await stage.instance('get', 'clusters', '-o', 'name'), /singapore/);
        const report = await stage.instance(
          'get',
          'configmap',
          'unjoin-report-singapore',
          '-n',
          'karmada-cluster',
          '-o',
          'yaml',
        );
        assert.match(report, /forced/);
      });
    });
  });
}
