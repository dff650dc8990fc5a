import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { fakeClock } from '#base/clock.ts';
import { queue } from './queue.ts';

function open(limits = {}) {
  const clock = fakeClock();
  let readies = 0;
  const keys = queue({ clock, onReady: () => readies++, ...limits });
  return { clock, keys, readies: () => readies };
}

describe('a queue', () => {
  it('gives each waiting key once, in the order of arrival', () => {
    const { keys, readies } = open();
    for (const key of ['a', 'b', 'a', 'c', 'b']) keys.add(key);
    assert.equal(keys.depth(), 3);
    assert.equal(readies(), 3);
    assert.deepEqual([keys.take(), keys.take(), keys.take(), keys.take()], ['a', 'b', 'c', undefined]);
  });

  it('gives keys of higher priority first, and follows one whose priority changes while it waits', () => {
    const priorities = new Map([
      ['low', -1],
      ['high', 10],
      ['higher', 20],
    ]);
    const { keys } = open({ priorityOf: (key: string) => priorities.get(key) ?? 0 });
    for (const key of ['low', 'a', 'high', 'b', 'higher']) keys.add(key);
    priorities.set('b', 15);
    keys.add('b');
    assert.equal(keys.depth(), 5);
    const taken = ['', '', '', '', '', ''].map(() => keys.take());
    assert.deepEqual(taken, ['higher', 'b', 'high', 'a', 'low', undefined]);
    for (const key of ['a', 'b']) keys.done(key);
    priorities.set('b', 0);
    for (const key of ['a', 'b', 'a']) keys.add(key);
    assert.deepEqual([keys.take(), keys.take(), keys.take()], ['a', 'b', undefined]);
  });

  it('keeps a key added during its work until that is done', () => {
    const { keys } = open();
    keys.add('a');
    keys.take();
    keys.add('a');
    keys.add('a');
    assert.equal(keys.take(), undefined);
    keys.done('a');
    assert.equal(keys.take(), 'a');
    keys.done('a');
    assert.equal(keys.size(), 0);
  });

  it('doubles the delay of a failing key up to the limit, and starts over when it went well', async () => {
    const { keys, clock } = open({ minRetryMs: 5, maxRetryMs: 30 });
    assert.deepEqual(
      [1, 2, 3, 4, 5].map(() => keys.retry('a')),
      [5, 10, 20, 30, 30],
    );
    keys.forget('a');
    assert.equal(keys.retry('a'), 5);
    assert.equal(keys.take(), undefined);
    await clock.advance(5);
    assert.equal(keys.take(), 'a');
  });

  it('waits up to a thousand seconds by default', () => {
    const { keys } = open();
    const delays = Array.from({ length: 2_000 }, () => keys.retry('a'));
    assert.equal(delays[0], 5);
    assert.equal(delays.at(-1), 1_000_000);
  });

  it('lets the sooner of two delays count', async () => {
    const { keys, clock } = open();
    keys.addAfter('a', 100);
    keys.addAfter('a', 10);
    keys.addAfter('a', 50);
    await clock.advance(10);
    assert.equal(keys.take(), 'a');
    keys.done('a');
    await clock.advance(1_000);
    assert.equal(keys.take(), undefined);
  });

  it('stays in order over many keys', () => {
    const { keys } = open();
    const all = Array.from({ length: 5_000 }, (_, index) => String(index));
    for (const key of all) keys.add(key);
    assert.deepEqual(
      all.map(() => keys.take()),
      all,
    );
  });

  it('gives nothing any more once closed', async () => {
    const { keys, clock } = open();
    keys.add('a');
    keys.addAfter('b', 10);
    keys.close();
    keys.add('c');
    await clock.advance(10);
    assert.equal(keys.take(), undefined);
  });
});

const key = fc.constantFrom('a', 'b', 'c');
const step = fc.oneof(
  fc.record({ do: fc.constant('add' as const), key }),
  fc.record({ do: fc.constant('after' as const), key, ms: fc.integer({ min: 0, max: 50 }) }),
  fc.record({ do: fc.constant('take' as const) }),
  fc.record({ do: fc.constantFrom('done' as const, 'retry' as const), nth: fc.nat(2) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 30 }) }),
);

describe('a queue under any sequence of use', () => {
  it('loses no key and never gives one that is being worked on', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { keys, clock } = open();
        const working: string[] = [];
        /** Keys that were wanted after they were last taken: each of them must come. */
        const owed = new Set<string>();

        const take = () => {
          const taken = keys.take();
          if (taken === undefined) return false;
          assert.ok(!working.includes(taken), `${taken} is worked on twice`);
          owed.delete(taken);
          working.push(taken);
          return true;
        };
        const finish = (nth: number, retry: boolean) => {
          const [done] = working.splice(nth % Math.max(1, working.length), 1);
          if (done === undefined) return;
          if (retry) {
            keys.retry(done);
            owed.add(done);
          }
          keys.done(done);
        };

        for (const step of steps) {
          if (step.do === 'add') {
            keys.add(step.key);
            owed.add(step.key);
          } else if (step.do === 'after') {
            keys.addAfter(step.key, step.ms);
            owed.add(step.key);
          } else if (step.do === 'take') take();
          else if (step.do === 'wait') await clock.advance(step.ms);
          else finish(step.nth, step.do === 'retry');
        }
        while (working.length > 0) finish(0, false);
        await clock.advance(2_000_000);
        while (take()) finish(0, false);
        assert.deepEqual([...owed], []);
        assert.equal(keys.size(), 0);
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});
