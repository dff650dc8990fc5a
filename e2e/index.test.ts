/** The inventory and the index as kubectl meets them: two clusters imported, seen as one, one lost, one removed. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { parse } from 'yaml';
import { ClusterService } from '#gen/proto/kpanda/api/cluster/v1alpha1/cluster_service_pb.ts';
import { loadKubeconfig } from '#kube/client/load-config.ts';
import { transport } from '#kube/client/transport.ts';
import { rpcClient } from '#rpc/index.ts';
import { eventually, kubectl, temporaryDirectory } from './platform.ts';

const ROOT = resolve(import.meta.dirname, '..');

async function start(announces: string, ...args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(join(ROOT, 'bin/kairship'), args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  await new Promise<void>((done, fail) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(announces)) done();
    });
    child.on('exit', (code) => fail(new Error(`kairship ${args[0]} ended with ${code}: ${errors}`)));
  });
  return child;
}

describe('the index and kubectl', { timeout: 120_000 }, () => {
  const { path, remove } = temporaryDirectory();
  const file = (name: string) => join(path, name);
  const running: ChildProcess[] = [];
  const on =
    (config: string) =>
    async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await kubectl(file(config))(...args);
      assert.equal(code, 0, `kubectl ${args.join(' ')}: ${stderr}`);
      return stdout;
    };
  const index = on('index.yaml');
  const global = on('global.yaml');

  before(async () => {
    const out = (name: string) => ['--kubeconfig-out', file(name)];
    const [, m1, m2] = await Promise.all([
      start('serves at', 'kube-apiserver', ...out('global.yaml')).then((child) => running.push(child)),
      start('serves at', 'member', '--name', 'm1', '--nodes', '1', ...out('m1.yaml')),
      start('serves at', 'member', '--name', 'm2', '--nodes', '2', ...out('m2.yaml')),
    ]);
    running.push(m1, m2);
    await on('m1.yaml')('create', 'deployment', 'web', '--image=nginx:1.27', '--replicas=2');
    await on('m2.yaml')('create', 'deployment', 'web', '--image=nginx:1.27');
    await on('m2.yaml')('create', 'deployment', 'db', '--image=redis:7');
    const imports = ['m1', 'm2'].flatMap((name) => ['--import', `${name}=${file(`${name}.yaml`)}`]);
    const places = ['--data-dir', file('kpanda'), '--kubeconfig', file('global.yaml'), ...out('index.yaml')];
    running.push(await start('serves the index', 'kpanda', ...places, ...imports));
    // Kinds are gathered one by one, in no order.
    const lists = async (kind: string, line: RegExp, count: number) =>
      assert.equal((await index('get', kind, '-A', '--no-headers')).match(line)?.length, count);
    await eventually(() => lists('pods', / Running /g, 4));
    await eventually(() => lists('deployments', / (1\/1|2\/2) /g, 3));
    await eventually(() => lists('events', /ScalingReplicaSet/g, 3));
  });
  after(async () => {
    await Promise.all(
      running.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        const gone = once(child, 'exit');
        child.kill('SIGKILL');
        await gone;
      }),
    );
    remove();
  });

  const oneCluster = (name: string) => {
    const config = parse(readFileSync(file('index.yaml'), 'utf8')) as { clusters: [{ cluster: { server: string } }] };
    return ['--server', `${config.clusters[0].cluster.server}/clusters/${name}`];
  };

  it('shows all clusters as one', async () => {
    assert.match(
      await index('get', 'deployments', '-A'),
      /NAMESPACE +CLUSTER +NAME +READY[^]*default +m1 +web[^]*default +m2 +db[^]*default +m2 +web/,
    );
    assert.match(await index('get', 'pods', '-A', '-o', 'wide'), /m2 +db-\S+ .* m2-node-\d/);
    assert.equal((await index('get', 'deploy', '-A', '-l', 'app=db', '--no-headers')).trim().split('\n').length, 1);
    assert.match(
      await index('get', 'pods', '-A', '--field-selector', 'spec.nodeName=m1-node-1', '--no-headers'),
      /^(default +m1 +web-\S+ .*\n){2}$/,
    );
    assert.match(
      await index('get', 'pods', '-A', '-l', 'search.clusterpedia.io/clusters=m2,app=web', '--no-headers'),
      /^default +m2 +web-\S+ .*\n$/,
    );
    assert.match(
      await index('get', 'po,deploy', '-A', '--chunk-size=1', '-o', 'name'),
      /pod\/db-\S+\n[^]*deployment.apps\/db\n/,
    );
    assert.match(await index('api-resources'), /deployments +deploy +apps\/v1 +true +Deployment/);
  });

  it('shows one cluster as it is', async () => {
    assert.match(await index('get', 'deployments', ...oneCluster('m2')), /^NAME +READY[^]*db +1\/1[^]*web +1\/1/);
    assert.match(
      await index('describe', 'deployment', 'web', ...oneCluster('m1')),
      /Replicas: +2 desired[^]*ScalingReplicaSet/,
    );
  });

  it('describes what is in one cluster, and asks which of several is meant', async () => {
    assert.match(await index('describe', 'deployment', 'db'), /Image: +redis:7[^]*Events:[^]*ScalingReplicaSet/);
    const { code, stderr } = await kubectl(file('index.yaml'))('get', 'deployment', 'web');
    assert.equal(code, 1);
    assert.match(stderr, /"web" is in several clusters \(m1, m2\)/);
  });

  it('is read-only', async () => {
    const { code, stderr } = await kubectl(file('index.yaml'))('delete', 'deployment', 'db');
    assert.equal(code, 1);
    assert.match(stderr, /the index is read-only/);
  });

  it('follows changes', async () => {
    await on('m1.yaml')('scale', 'deployment', 'web', '--replicas=3');
    await eventually(async () => assert.match(await index('get', 'deploy', 'web', ...oneCluster('m1')), /3\/3/));
  });

  it('knows its clusters', async () => {
    await eventually(async () =>
      assert.match(await global('get', 'clusters.kpanda.io'), /m1 +Running +v1\.\S+ +1[^]*m2 +Running +v1\.\S+ +2/),
    );
  });

  it('tells programs of its clusters, over REST and gRPC, if the global cluster lets them', async () => {
    const { server, ca = '', token: own } = await loadKubeconfig(file('index.yaml'));
    const { origin } = new URL(server);
    const list = async (token: string | undefined) => {
      const door = transport({ server: origin, ca, ...(token === undefined ? {} : { token }) });
      const response = await door.send({ method: 'GET', path: '/apis/kpanda.io/v1alpha1/clusters?sortBy=field_name' });
      const answer = JSON.parse(await text(response)) as { items?: { metadata: { name: string } }[] };
      door.close();
      return [response.statusCode, answer.items?.map(({ metadata }) => metadata.name)];
    };
    assert.deepEqual(await list(String(own)), [200, ['m2', 'm1']]);
    assert.deepEqual(await list(undefined), [401, undefined]);
    await global('create', 'serviceaccount', 'looker', '-n', 'default');
    const token = (await global('create', 'token', 'looker', '-n', 'default')).trim();
    assert.deepEqual(await list(token), [403, undefined]);
    await global('create', 'clusterrole', 'looks', '--verb=list,get', '--resource=clusters.kpanda.io');
    await global('create', 'clusterrolebinding', 'looks', '--clusterrole=looks', '--serviceaccount=default:looker');
    await eventually(async () => assert.deepEqual(await list(token), [200, ['m2', 'm1']]));

    const grpc = rpcClient(ClusterService, createGrpcTransport({ baseUrl: origin, nodeOptions: { ca } }));
    const headers = { authorization: `Bearer ${token}` };
    assert.equal((await grpc.getCluster({ name: 'm2' }, { headers })).status?.nodeSummary?.total, 2);
    await assert.rejects(grpc.getClusterKubeConfig({ cluster: 'm2' }, { headers }), { reason: 'Forbidden' });
  });

  it('removes a dead cluster with everything of it', async () => {
    running[1]?.kill('SIGKILL');
    await global('delete', 'clusters.kpanda.io', 'm1', '--timeout=20s');
    assert.doesNotMatch(await index('get', 'deployments', '-A'), /m1/);
    assert.doesNotMatch(await global('get', 'secrets', '-A'), /cluster-m1/);
  });
});
