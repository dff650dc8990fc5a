import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gate } from './gate.ts';

describe('a gate', () => {
  it('lets so many in at once, and the others in the order in which they came', async () => {
    const enter = gate(2);
    const began: number[] = [];
    const ends = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
    const all = ends.map(({ promise }, n) =>
      enter(() => {
        began.push(n);
        return promise;
      }),
    );
    await Promise.resolve();
    assert.deepEqual(began, [0, 1]);
    ends[1]?.resolve();
    await all[1];
    ends[0]?.resolve();
    await all[0];
    assert.deepEqual(began, [0, 1, 2, 3]);
    for (const { resolve } of ends) resolve();
    await Promise.all(all);
  });

  it('gives the place of one that failed to the next', async () => {
    const enter = gate(1);
    const failing = enter(() => Promise.reject(new Error('no')));
    const next = enter(async () => 'yes');
    await assert.rejects(failing, /no/);
    assert.equal(await next, 'yes');
    assert.equal(await enter(async () => 'again'), 'again');
  });
});
