/** What a test has started ends with it, however the test ends. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from './platform.ts';

const PARENT = `
  import { spawn } from 'node:child_process';
  import { endsWithUs } from ${JSON.stringify(join(import.meta.dirname, 'guard.ts'))};
  const child = spawn('sleep', ['600'], { stdio: 'ignore' });
  endsWithUs(child);
  process.on('SIGUSR2', () => child.kill());
  child.on('exit', () => process.exit(0));
  console.log(child.pid);
`;

for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
  test(`A child ends when its parent is ended by ${signal}`, async (t) => {
    const parent = spawn(process.execPath, ['--input-type=module', '-e', PARENT]);
    t.after(() => parent.kill('SIGKILL'));
    const [said] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(said.toString());
    assert.ok(isRunning(pid));
    parent.kill(signal);
    await eventually(() => Promise.resolve(assert.equal(isRunning(pid), false)), 10_000);
  });
}

test('A guard does not keep its parent alive, and goes with the child it guards', async (t) => {
  const parent = spawn(process.execPath, ['--input-type=module', '-e', PARENT]);
  t.after(() => parent.kill('SIGKILL'));
  await once(parent.stdout, 'data');
  parent.kill('SIGUSR2');
  assert.deepEqual(await once(parent, 'exit'), [0, null]);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
