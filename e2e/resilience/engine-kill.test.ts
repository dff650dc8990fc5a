import assert from 'node:assert/strict';
import { it } from 'node:test';
import { temporaryDirectory } from '../platform.ts';
import { killEngine } from '../soak/engine-kill.ts';

it('an instance killed while templates come, change and go ends where they say, with nothing lost or left over', async (t) => {
  const { path, remove } = temporaryDirectory();
  t.after(remove);
  const { kills, left } = await killEngine({ directory: path, seed: 7, templates: 40, kills: 3 });
  assert.equal(kills, 3);
  assert.ok(left > 0 && left < 40);
});
