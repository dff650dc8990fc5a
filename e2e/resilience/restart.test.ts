/** A second start on what the first one left: a member that had to move or was taken out, an instance that was deleted. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { eventually, kubectl, type Platform, startPlatform, temporaryDirectory } from '../platform.ts';

describe('a second start', () => {
  const { path: directory, remove } = temporaryDirectory();
  let platform: Platform | undefined;
  after(async () => {
    await platform?.stop();
    remove();
  });
  const k = kubectl(join(directory, 'admin.kubeconfig'));
  const portOf = (name: string) =>
    (JSON.parse(readFileSync(join(directory, 'state.json'), 'utf8')) as { ports: Record<string, number> }).ports[name];

  it('finds a member that had to move to another port', async () => {
    platform = await startPlatform(directory, ['--members', '1']);
    await platform.stop();
    const before = portOf('frankfurt');
    const intruder = createServer((socket) => socket.destroy()).listen(before, '127.0.0.1');
    await once(intruder, 'listening');
    platform = await startPlatform(directory, ['--members', '1']).finally(() => intruder.close());
    assert.notEqual(portOf('frankfurt'), before);
    await eventually(async () => {
      const { stdout } = await k('get', 'cluster', 'frankfurt', '-o', 'jsonpath={.spec.apiEndpoint}');
      assert.ok(stdout.endsWith(`:${portOf('frankfurt')}`), stdout);
      assert.match((await k('--context', 'demo/frankfurt', 'get', 'nodes', '--no-headers')).stdout, /Ready/);
      assert.match((await k('get', 'cluster', 'frankfurt', '--no-headers')).stdout, /True/);
    }, 120_000);
  });

  it('leaves out the member that was taken out', async () => {
    assert.equal((await k('delete', 'cluster', 'frankfurt')).code, 0);
    await platform?.stop();
    platform = await startPlatform(directory, ['--members', '1']);
    const { code, stdout } = await k('get', 'clusters', '-o', 'name');
    assert.deepEqual([code, stdout], [0, '']);
  });

  it('comes up without the instance that its owner has deleted, and makes no other', async () => {
    const global = kubectl(join(directory, 'platform', 'kubeconfig'));
    assert.equal((await global('delete', 'instance', 'demo')).code, 0);
    await platform?.stop();
    platform = await startPlatform(directory, ['--members', '1']);
    assert.match(platform.output(), /Instance {3}none any more/);
    assert.equal((await k('config', 'current-context')).stdout.trim(), 'global');
    assert.equal((await k('get', 'instances', '-o', 'name')).stdout, '');
  });
});
