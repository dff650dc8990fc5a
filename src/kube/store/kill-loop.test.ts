import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { killLoop } from './kill-loop.ts';
import { scratch } from './sqlite-scratch.ts';

const files = scratch();
after(() => files.remove());

it('every write that was acknowledged survives kill -9', async () => {
  const report = await killLoop({ file: files.path('killed.db'), rounds: 3, seed: 1, durability: 'full' });
  assert.equal(report.rounds, 3);
  assert.ok(report.acknowledged > 0);
});
