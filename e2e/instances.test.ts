/** R1, R24, R42, R47: the life of an instance, whoever runs it, from a custom resource to nothing left, with kubectl. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { eventually, kubectl, type Platform, type Run, startPlatform, temporaryDirectory } from './platform.ts';

const instance = (name: string, spec: object) =>
  JSON.stringify({
    apiVersion: 'kairship.io/v1alpha1',
    kind: 'Instance',
    metadata: { name },
    spec: { mode: 'embedded', ...spec },
  });

describe('An instance', () => {
  const { path: directory, remove } = temporaryDirectory();
  let platform: Platform;
  let global: Run;
  before(async () => {
    platform = await startPlatform(directory, ['--bare']);
    global = kubectl(join(directory, 'platform', 'kubeconfig'));
  });
  after(async () => {
    await platform.stop();
    remove();
  });

  async function apply(name: string, spec: object = {}): Promise<void> {
    const file = join(directory, `${name}.json`);
    writeFileSync(file, instance(name, spec));
    const { code, stderr } = await global('apply', '-f', file);
    assert.equal(code, 0, stderr);
  }

  const isNow = (name: string, state: string) =>
    eventually(async () =>
      assert.equal((await global('get', 'instance', name, '-o', 'jsonpath={.status.state}')).stdout, state),
    );
  const processOf = (name: string) => {
    const lines = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(platform.process.pid)], {
      encoding: 'utf8',
    });
    return Number(new RegExp(`^\\s*(\\d+) .*--data-dir=\\S+/instances/${name} `, 'm').exec(lines)?.[1]);
  };

  it('runs as a process of its own as soon as it is asked for, and can be reached through the platform', async () => {
    await apply('second', {
      alias: 'Second',
      failover: { enabled: true, clusterFailureThreshold: 5 },
      descheduler: { enabled: true },
    });
    await isNow('second', 'RUNNING');
    assert.ok(processOf('second') > 0);
    const admin = kubectl(join(directory, 'admin.kubeconfig'));
    const first = (await admin('config', 'view', '-o', 'jsonpath={.clusters[0].cluster.server}')).stdout;
    const { stdout } = await admin('--server', first.replace('/demo/', '/second/'), 'api-resources', '-o', 'name');
    assert.match(stdout, /propagationpolicies.policy.karmada.io/);
  });

  it('is started again when it dies, and runs on with what it had', async () => {
    const own = kubectl(join(directory, 'instances', 'second', 'kubeconfig'));
    assert.equal((await own('create', 'namespace', 'kept')).code, 0);
    const before_ = processOf('second');
    process.kill(before_, 'SIGKILL');
    await eventually(async () => assert.ok(processOf('second') > 0 && processOf('second') !== before_));
    await isNow('second', 'RUNNING');
    await eventually(async () => assert.equal((await own('get', 'namespace', 'kept')).code, 0));
  });

  it('says so when nothing can be done for it', async () => {
    const { stderr, code } = await global(
      'patch',
      'instance',
      'second',
      '--type=merge',
      '-p',
      '{"spec":{"mode":"operator"}}',
    );
    assert.equal(code, 1);
    assert.match(stderr, /who runs an instance cannot be changed/);
  });

  it('says what of its settings it does not have', async () => {
    const { stdout } = await global('get', 'karmada', 'second', '-n', 'kairship-system', '-o', 'json');
    assert.match(stdout, /does not have the component karmadaDescheduler/);
    assert.match(stdout, /"cluster-failure-threshold": "5s"/);
  });

  it('stays while it has clusters, and says what to do about them', async () => {
    const file = join(directory, 'cluster.json');
    const cluster = {
      apiVersion: 'cluster.karmada.io/v1alpha1',
      kind: 'Cluster',
      metadata: { name: 'edge' },
      spec: { syncMode: 'Pull' },
    };
    writeFileSync(file, JSON.stringify(cluster));
    const created = await kubectl(join(directory, 'instances', 'second', 'kubeconfig'))('create', '-f', file);
    assert.equal(created.code, 0, created.stderr);
    // At once: it is asked itself, not the index, which hears of it a moment later.
    const { code, stderr } = await global('delete', 'instance', 'second');
    assert.equal(code, 1);
    assert.match(stderr, /1 worker clusters \(edge\).*kairship cluster remove edge --instance second/);
    await isNow('second', 'RUNNING');
  });

  it('leaves nothing behind when it is deleted, by force with a cluster in it', async () => {
    const pid = processOf('second');
    assert.equal((await global('annotate', 'instance', 'second', 'kairship.io/force-delete=true')).code, 0);
    assert.equal((await global('delete', 'instance', 'second')).code, 0);
    assert.equal(existsSync(join(directory, 'instances', 'second')), false);
    assert.equal(existsSync(join(directory, 'logs', 'instance-second.log')), false);
    assert.throws(() => process.kill(pid, 0), /ESRCH/);
    const { stdout } = await global('get', 'karmadas,secrets', '-A', '-o', 'name');
    assert.doesNotMatch(stdout, /second/);
  });

  /** Writes an object as it is, with its status if it has one to write. */
  async function put(object: Readonly<Record<string, unknown>>, ...how: readonly string[]): Promise<void> {
    const file = join(directory, 'object.json');
    writeFileSync(file, JSON.stringify(object));
    const { code, stderr } = await global('apply', '--server-side', '--force-conflicts', '-f', file, ...how);
    assert.equal(code, 0, stderr);
  }
  const secretOf = (name: string, key: string) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: 'kairship-system' },
    stringData: { [key]: readFileSync(join(directory, 'instances', 'demo', 'kubeconfig'), 'utf8') },
  });
  const answers = (name: string) =>
    eventually(async () => {
      const admin = kubectl(join(directory, 'admin.kubeconfig'));
      const demo = (await admin('config', 'view', '-o', 'jsonpath={.clusters[0].cluster.server}')).stdout;
      const { code, stderr } = await admin('--server', demo.replace('/demo/', `/${name}/`), 'get', 'namespaces');
      assert.equal(code, 0, stderr);
    });

  it('R42, R47: is left to the community’s operator where that runs it, by its own resource', async () => {
    await apply('community', {
      mode: 'operator',
      karmadaVersion: 'v1.18.2',
      karmada: { crdTarball: { kept: 'as it is' } },
    });
    const karmada = ['get', 'karmada', 'community', '-n', 'kairship-system', '-o', 'json'];
    await eventually(async () => assert.match((await global(...karmada)).stdout, /"kept": "as it is"/));
    assert.match((await global(...karmada)).stdout, /"kairship.io\/mode": "operator"/);
    assert.ok(Number.isNaN(processOf('community')));
    await isNow('community', 'INPROCESS');
    // What the operator does when it is done.
    await put(secretOf('community-admin-config', 'karmada.config'));
    const secretRef = { namespace: 'kairship-system', name: 'community-admin-config' };
    const [apiVersion, kind] = ['operator.karmada.io/v1alpha1', 'Karmada'];
    const metadata = { name: 'community', namespace: 'kairship-system' };
    await put(
      { apiVersion, kind, metadata, status: { secretRef } },
      '--subresource=status',
      '--field-manager=operator',
    );
    await isNow('community', 'RUNNING');
    await answers('community');
    assert.equal((await global('delete', 'instance', 'community')).code, 0);
    assert.equal((await global(...karmada)).code, 1);
  });

  it('is adopted where somebody else runs it, and stays when it is let go', async () => {
    await put(secretOf('foreign', 'kubeconfig'));
    await apply('foreign', { mode: 'external', secretRef: { namespace: 'kairship-system', name: 'foreign' } });
    await isNow('foreign', 'RUNNING');
    await answers('foreign');
    assert.equal((await global('delete', 'instance', 'foreign')).code, 0);
    await answers('demo');
  });

  it('is adopted by its kubeconfig, if that leads to a Karmada', async () => {
    const adopt = (name: string, kubeconfig: string) =>
      fetch(new URL('/kairship.api.instance.v1alpha1.InstanceService/CreateInstance', platform.consoleUrl), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${readFileSync(join(directory, 'admin.token'), 'utf8').trim()}`,
        },
        body: JSON.stringify({
          data: {
            metadata: { name, annotations: { 'kairship.io/alias-name': 'Theirs', 'kairship.io/mode': 'external' } },
          },
          kubeconfig,
        }),
      });
    const ours = readFileSync(join(directory, 'platform', 'kubeconfig'), 'utf8');
    const refused = await adopt('theirs', ours);
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /does not serve cluster.karmada.io/);
    const theirs = readFileSync(join(directory, 'instances', 'demo', 'kubeconfig'), 'utf8');
    const taken = await adopt('theirs', theirs);
    assert.equal(taken.status, 200, await taken.clone().text());
    assert.equal((await adopt('theirs', theirs)).status, 409);
    await isNow('theirs', 'RUNNING');
    await answers('theirs');
    assert.equal((await global('get', 'instance', 'theirs', '-o', 'jsonpath={.spec.alias}')).stdout, 'Theirs');
    assert.equal((await global('delete', 'instance', 'theirs')).code, 0);
    // The way in was only kept for as long as it was of use.
    const secret = ['secret', 'theirs-kubeconfig', '-n', 'kairship-system'];
    const gone = await global('wait', '--for=delete', ...secret, '--timeout=60s');
    assert.equal(gone.code, 0, gone.stderr);
  });

  it('leaves its data when it shall outlive its deletion', async () => {
    await apply('third', { releaseOnDelete: false });
    await isNow('third', 'RUNNING');
    assert.equal((await global('delete', 'instance', 'third')).code, 0);
    assert.equal(existsSync(join(directory, 'instances', 'third', 'store.db')), true);
  });
});
