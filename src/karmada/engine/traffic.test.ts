import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { silentLog } from '#base/log.ts';
import { type Controller, done } from '#kube/runtime/index.ts';
import { traffic } from './traffic.ts';

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

/** So many statuses that never end are sent up; how many have begun. */
async function begunOf(up: ReturnType<typeof traffic>['up'], count: number): Promise<() => number> {
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
    const { up } = traffic();
    const begun = await begunOf(up, 10);
    assert.equal(begun(), 10);
  });

  it('leaves few to statuses while something goes down, and all when it has arrived', async () => {
    const { up, down } = traffic();
    const { controller, end } = lasting();
    const reconciled = down(controller).reconcile(REQUEST);
    const begun = await begunOf(up, 10);
    assert.equal(begun(), 2);
    end();
    await reconciled;
    await new Promise(setImmediate);
    assert.equal(begun(), 10);
  });

  it('leaves more to statuses the more of them wait', async () => {
    const { up, down } = traffic();
    void down(lasting().controller).reconcile(REQUEST);
    const begun = await begunOf(up, 1_200);
    assert.equal(begun(), 6);
  });
});
