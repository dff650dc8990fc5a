import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fakeClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { type Controller, done } from '#kube/runtime/index.ts';
import { type Traffic, traffic } from './traffic.ts';

/** A reconcile that lasts until it is told to end. */
function lasting() {
  const end = Promise.withResolvers<void>();
  const controller: Controller = {
    name: 'lasting',
    watches: [],
    reconcile: () => end.promise.then(() => done),
  };
  return { controller, end: () => end.resolve() };
}

const REQUEST = { key: 'a', log: silentLog, signal: new AbortController().signal };

function road(isPressed: boolean) {
  const clock = fakeClock();
  return { clock, ...traffic({ clock, isPressed: () => isPressed }) };
}

/** So many statuses that never end are sent up; how many have begun. */
async function begunOf(up: Traffic['up'], count: number): Promise<() => number> {
  let begun = 0;
  for (let n = 0; n < count; n++) {
    void up(() => {
      begun++;
      return new Promise(() => undefined);
    });
  }
  await new Promise(setImmediate);
  return () => begun;
}

describe('right of way', () => {
  it('is free for statuses when nothing goes down', async () => {
    const { up } = road(false);
    const begun = await begunOf(up, 10);
    assert.equal(begun(), 10);
  });

  it('holds statuses while something goes down, and until nothing follows it', async () => {
    const { clock, up, down } = road(false);
    const { controller, end } = lasting();
    const reconciled = down(controller).reconcile(REQUEST);
    const begun = await begunOf(up, 10);
    assert.equal(begun(), 0);
    end();
    await reconciled;
    await clock.advance(19);
    assert.equal(begun(), 0);
    await clock.advance(21);
    assert.equal(begun(), 10);
  });

  it('lets some statuses pass that have waited for a moment, and more the more of them wait', async () => {
    const { clock, up, down } = road(false);
    void down(lasting().controller).reconcile(REQUEST);
    const begun = await begunOf(up, 1_200);
    assert.equal(begun(), 0);
    await clock.advance(120);
    assert.equal(begun(), 6);
  });

  it('lets statuses wait for longer while there is no time to spare', async () => {
    const { clock, up, down } = road(true);
    void down(lasting().controller).reconcile(REQUEST);
    const begun = await begunOf(up, 10);
    await clock.advance(1_900);
    assert.equal(begun(), 0);
    await clock.advance(200);
    assert.equal(begun(), 2);
  });

  it('has what nobody waits for done in a lull', async () => {
    const { clock, down, atLeisure } = road(false);
    const { controller, end } = lasting();
    const reconciled = down(controller).reconcile(REQUEST);
    let ran = 0;
    atLeisure(10, () => ran++);
    const cancel = atLeisure(10, () => ran++);
    await clock.advance(100);
    assert.equal(ran, 0);
    cancel();
    end();
    await reconciled;
    await clock.advance(50);
    assert.equal(ran, 1);
  });
});
