/** R1, R24: the life of an embedded instance, from a custom resource to nothing left, with kubectl. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
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

describe('An embedded instance', () => {
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

  it('leaves nothing behind when it is deleted', async () => {
    const pid = processOf('second');
    assert.equal((await global('delete', 'instance', 'second')).code, 0);
    assert.equal(existsSync(join(directory, 'instances', 'second')), false);
    assert.equal(existsSync(join(directory, 'logs', 'instance-second.log')), false);
    assert.throws(() => process.kill(pid, 0), /ESRCH/);
    const { stdout } = await global('get', 'karmadas,secrets', '-A', '-o', 'name');
    assert.doesNotMatch(stdout, /second/);
  });

  it('leaves its data when it shall outlive its deletion', async () => {
    await apply('third', { releaseOnDelete: false });
    await isNow('third', 'RUNNING');
    assert.equal((await global('delete', 'instance', 'third')).code, 0);
    assert.equal(existsSync(join(directory, 'instances', 'third', 'store.db')), true);
  });
});
