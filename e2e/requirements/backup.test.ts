/** The procedure of docs/backup.md: a copy of a running instance, its loss, and its return. */
import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { PROPAGATION_POLICY } from '#karmada/apis/index.ts';
import { appears, CONFIG_MAP, configMap, policy, register, startMember } from '#karmada/engine/testing.ts';
import { temporaryDirectory } from '../platform.ts';
import { startProgram } from '../real/our-program.ts';

it('R48: an instance is copied while it works, destroyed, and restored with all that was acknowledged', async (t) => {
  const { path, remove } = temporaryDirectory();
  t.after(remove);
  const member = await startMember(t);
  const home = join(path, 'instance');
  const first = await startProgram(home, 'karmada');
  t.after(() => first.stop());
  await register(first.client, 'm1', member.url);
  await first.client.create(PROPAGATION_POLICY, policy('p', { placement: {} }));

  const acknowledged: string[] = [];
  const over = new AbortController();
  const write = async (writer: number) => {
    for (let n = 0; !over.signal.aborted; n++) {
      const name = `w${writer}-${n}`;
      await first.client.create(CONFIG_MAP, configMap(name));
      acknowledged.push(name);
    }
  };
  const writers = [0, 1, 2].map(write);
  await appears(member.client, CONFIG_MAP, 'w0-5');
  process.kill(first.pid, 'SIGSTOP');
  const kept = [...acknowledged];
  cpSync(join(home, 'data'), join(path, 'backup'), { recursive: true });
  process.kill(first.pid, 'SIGCONT');
  await appears(member.client, CONFIG_MAP, `w0-${kept.length + 5}`);
  over.abort();
  await Promise.all(writers);

  first.kill();
  rmSync(join(home, 'data'), { recursive: true });
  cpSync(join(path, 'backup'), join(home, 'data'), { recursive: true });
  const second = await startProgram(home, 'karmada');
  t.after(() => second.stop());
  const { items } = await second.client.list(CONFIG_MAP, { namespace: 'default' });
  const there = new Set(items.map(({ metadata }) => metadata.name));
  assert.deepEqual(
    kept.filter((name) => !there.has(name)),
    [],
  );
  assert.ok(there.size < acknowledged.length, 'what came after the copy is not in it');
  // And the instance is at work again, with the same members and the same credentials.
  await second.client.create(CONFIG_MAP, configMap('after'));
  await appears(member.client, CONFIG_MAP, 'after');
});
