import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Change, Revision } from './store.ts';
import { type History, QUEUE_LIMIT, REPLAY_LIMIT, watchers } from './watchers.ts';

describe('watchers', () => {
  it('let a watcher that falls behind read again instead of queueing without end', async () => {
    const log = history();
    const watching = watchers(log);
    const seen = watching.watch('', 0, new AbortController().signal)[Symbol.asyncIterator]();
    watching.publish(log.add(1));
    assert.equal((await seen.next()).value?.length, 1);
    const before = log.replays();

    for (let i = 0; i < 3 * QUEUE_LIMIT; i += 100) watching.publish(log.add(100));
    const revisions: Revision[] = [1];
    while ((revisions.at(-1) ?? 0) < log.published()) {
      const batch: readonly Change[] = (await seen.next()).value ?? [];
      revisions.push(...batch.map((change) => change.revision));
    }
    assert.deepEqual(
      revisions,
      Array.from({ length: 3 * QUEUE_LIMIT + 1 }, (_, i) => i + 1),
    );
    assert.ok(log.replays() - before >= (3 * QUEUE_LIMIT) / REPLAY_LIMIT);
  });

  it('do not hand out again what a watcher has read before it was published', async () => {
    const log = history();
    const watching = watchers({ ...log, published: () => 0 });
    const seen = watching.watch('', 0, new AbortController().signal)[Symbol.asyncIterator]();
    const early = log.add(2);
    assert.equal((await seen.next()).value?.length, 2);
    const next = seen.next();
    watching.publish(early);
    watching.publish(log.add(1));
    assert.deepEqual(
      [(await next).value].flat().map((change: Change) => change.revision),
      [3],
    );
  });

  it('end with the failure of the store, once, after what was offered', async () => {
    const log = history();
    const watching = watchers(log);
    const seen = watching.watch('', 0, new AbortController().signal)[Symbol.asyncIterator]();
    const waiting = seen.next();
    await new Promise(setImmediate);
    watching.publish(log.add(1));
    watching.publish(log.add(1));
    watching.end(new Error('the disk is gone'));
    assert.equal((await waiting).value?.[0]?.revision, 1);
    assert.equal((await seen.next()).value?.[0]?.revision, 2);
    await assert.rejects(seen.next(), /the disk is gone/);
    assert.equal((await seen.next()).done, true);
  });

  it('hand every watcher of everything the same array', async () => {
    const log = history();
    const watching = watchers(log);
    const signal = new AbortController().signal;
    const waiting = ['', '/', '/k'].map((prefix) => watching.watch(prefix, 0, signal)[Symbol.asyncIterator]().next());
    await new Promise(setImmediate);
    const commit = log.add(3);
    watching.publish(commit);
    for (const next of waiting) assert.equal((await next).value, commit);
  });
});

/** A log of changes to `/k`, which counts how often it was read. */
function history(): History & { add(count: number): readonly Change[]; replays(): number } {
  const log: Change[] = [];
  let replays = 0;
  return {
    published: () => log.length,
    replays: () => replays,
    add(count) {
      const first = log.length + 1;
      for (let revision = first; revision < first + count; revision++) {
        log.push({ type: 'put', key: '/k', value: new Uint8Array(), revision, previous: revision - 1 });
      }
      return log.slice(first - 1);
    },
    async replay(_prefix, from, limit) {
      replays++;
      const changes = log.slice(from, from + limit);
      return { changes, upTo: changes.at(-1)?.revision ?? from };
    },
  };
}
