/** kill -9 of any process, or of all, and a start again: everything continues, nothing is lost. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { eventually, kubectl, type Platform, startPlatform, temporaryDirectory } from './platform.ts';

const EXAMPLE = resolve(import.meta.dirname, '../docs/examples/nginx.yaml');

/** The supervised children, by the program each runs. */
function children(platform: Platform): Map<string, number> {
  const lines = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(platform.process.pid)], { encoding: 'utf8' })
    .trim()
    .split('\n');
  return new Map(
    lines.flatMap((line): [string, number][] => {
      const [, pid, program, name] = line.match(/^\s*(\d+) .*kairship\.ts (\S+)(?: --name (\S+))?/) ?? [];
      return pid === undefined || program === undefined ? [] : [[name ?? program, Number(pid)]];
    }),
  );
}

describe('a crash', () => {
  const { path: directory, remove } = temporaryDirectory();
  let platform: Platform | undefined;
  after(async () => {
    await platform?.stop();
    remove();
  });
  const k = (...args: readonly string[]) => kubectl(join(directory, 'admin.kubeconfig'))(...args);
  const settled = (replicas: number) =>
    eventually(async () => {
      const { stdout } = await k('get', 'deployment', 'nginx', '--no-headers');
      assert.match(stdout, new RegExp(`^nginx\\s+${replicas}/${replicas}`));
    });

  it('of any one process is repaired, and what was asked meanwhile still happens', async () => {
    platform = await startPlatform(directory, ['--members', '2']);
    assert.equal((await k('apply', '-f', EXAMPLE)).code, 0);
    await settled(4);
    let replicas = 4;
    for (const program of ['karmada', 'frankfurt', 'apiserver']) {
      const pid = children(platform).get(program);
      assert.ok(pid, `${program} is not running`);
      process.kill(pid, 'SIGKILL');
      replicas += 1;
      await eventually(async () =>
        assert.equal((await k('scale', 'deployment/nginx', `--replicas=${replicas}`)).code, 0),
      );
      await settled(replicas);
    }
  });

  it('of everything at once loses nothing', async () => {
    assert.ok(platform);
    const everyone = [platform.process.pid ?? 0, ...children(platform).values()];
    const gone = once(platform.process, 'exit');
    for (const pid of everyone) process.kill(pid, 'SIGKILL');
    await gone;
    platform = await startPlatform(directory, ['--members', '2']);
    await settled(7);
    assert.equal((await k('scale', 'deployment/nginx', '--replicas=3')).code, 0);
    await settled(3);
  });

  it('of the supervisor alone leaves no orphan behind', async () => {
    assert.ok(platform);
    const pids = [...children(platform).values()];
    assert.ok(pids.length >= 4);
    const gone = once(platform.process, 'exit');
    process.kill(platform.process.pid ?? 0, 'SIGKILL');
    await gone;
    await eventually(async () => assert.deepEqual(pids.filter(isAlive), []));
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
