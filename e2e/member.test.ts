/** A simulated cluster as kubectl sees it: rollouts that can be followed, figures that can be topped, nodes that fail. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { kubectlPath } from '../scripts/test-tools.ts';
import { eventually, kubectl, type Result, temporaryDirectory } from './platform.ts';

const ROOT = resolve(import.meta.dirname, '..');

async function startMember(kubeconfig: string): Promise<ChildProcess> {
  const args = ['member', '--name', 'm1', '--kubeconfig-out', kubeconfig, '--nodes', '2', '--speed', '30'];
  const child = spawn(join(ROOT, 'bin/kairship'), [...args, '--region', 'eu', '--zone', 'eu-a', '--provider', 'aws'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  await new Promise<void>((done, fail) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('serves at')) done();
    });
    child.on('exit', (code) => fail(new Error(`kairship member ended with ${code}`)));
  });
  return child;
}

describe('a simulated cluster and kubectl', { timeout: 60_000 }, () => {
  const { path, remove } = temporaryDirectory();
  const kubeconfig = join(path, 'kubeconfig');
  let member: ChildProcess | undefined;
  before(async () => {
    member = await startMember(kubeconfig);
  });
  after(async () => {
    if (member && member.exitCode === null) {
      const gone = once(member, 'exit');
      member.kill();
      await gone;
    }
    remove();
  });

  const run = (...args: readonly string[]): Promise<Result> => kubectl(kubeconfig)(...args);
  async function ok(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await run(...args);
    assert.equal(code, 0, `kubectl ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  it('follows a rollout, its pods, and the way back', async () => {
    const watching = spawn(kubectlPath() ?? '', ['--kubeconfig', kubeconfig, 'get', 'pods', '-w', '--no-headers']);
    let seen = '';
    watching.stdout.on('data', (chunk: Buffer) => (seen += chunk.toString()));
    // Before there is anything to see, nobody can tell whether kubectl watches already.
    await ok('run', 'first', '--image=busybox');
    await eventually(async () => assert.match(seen, /first/));
    await ok('delete', 'pod', 'first', '--wait=false');
    await ok('create', 'deployment', 'web', '--image=nginx:1.27', '--replicas=3');
    assert.match(await ok('rollout', 'status', 'deployment/web'), /"web" successfully rolled out/);
    assert.match(
      await ok('describe', 'deployment', 'web'),
      /ScalingReplicaSet .*Scaled up replica set web-\w+ from 0 to 3/,
    );
    await eventually(async () =>
      assert.match(seen, /web-\S+ +0\/1 +Pending[^]*web-\S+ +0\/1 +ContainerCreating[^]*web-\S+ +1\/1 +Running/),
    );
    watching.kill();
    await ok('set', 'image', 'deployment/web', 'nginx=nginx:1.28');
    await ok('rollout', 'status', 'deployment/web');
    await ok('rollout', 'undo', 'deployment/web');
    await ok('rollout', 'status', 'deployment/web');
    assert.match(await ok('rollout', 'history', 'deployment/web'), /2 +<none>\n3 +<none>/);
  });

  it('tops nodes and pods', async () => {
    assert.match(await ok('top', 'nodes'), /m1-node-1 +\d+m +\d+% +\d+Mi/);
    assert.equal((await ok('top', 'pods', '-l', 'app=web', '--no-headers')).trim().split('\n').length, 3);
  });

  it('drains a node, and loses another', async () => {
    await ok('drain', 'm1-node-1', '--ignore-daemonsets');
    await ok('rollout', 'status', 'deployment/web');
    const where = await ok('get', 'pods', '-o', 'jsonpath={.items[*].spec.nodeName}');
    assert.deepEqual(new Set(where.split(' ')), new Set(['m1-node-2']));
    await ok('uncordon', 'm1-node-1');
    await ok('annotate', 'node', 'm1-node-2', 'members.kairship.io/ready=false');
    await ok('wait', '--for=condition=Ready=false', 'node/m1-node-2');
    await ok('wait', '--for=jsonpath={.status.readyReplicas}', 'deployment/web', '--timeout=40s');
    assert.match(await ok('get', 'nodes'), /m1-node-2 +NotReady/);
  });

  it('waits for a Job', async () => {
    await ok('create', 'job', 'work', '--image=busybox', '--', 'sleep', '3');
    await ok('wait', '--for=condition=complete', 'job/work');
    assert.match(await ok('get', 'job', 'work', '--no-headers'), /work +Complete +1\/1/);
  });
});
