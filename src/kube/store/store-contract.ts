/**
 * The contract of {@link Store} as tests: each implementation's test file calls {@link storeContract} once.
 *
 * What a store that outlives its process promises beyond this (reopening) is tested when `open` returns `reopen`.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Revision, Store } from './store.ts';
import { conflictingRevision } from './store-error.ts';
import { asText, bytes, type Collected, collect, firstOf, refused, shown, text } from './store-probe.ts';

export interface OpenedStore {
  readonly store: Store;
  /** Closes the store and opens what it left behind. */
  readonly reopen?: () => Promise<Store>;
  readonly cleanup: () => Promise<void>;
}

export type OpenStore = () => Promise<OpenedStore>;

export interface ContractOptions {
  /**
   * Whether writes that are under way together are committed together, in the order they were made. A store in this
   * process does that; over a network each takes its own way.
   */
  readonly groups?: boolean;
}

/** Declares the tests every store must pass; each runs on a fresh one from `open`. */
export function storeContract(name: string, open: OpenStore, { groups = true }: ContractOptions = {}): void {
  const check = (behaviour: string, body: (opened: OpenedStore) => Promise<void>) =>
    void it(behaviour, async () => {
      const opened = await open();
      try {
        await body(opened);
      } finally {
        await opened.cleanup();
      }
    });

  void describe(`${name} keeps the store contract`, () => {
    writing(check, groups);
    reading(check);
    watching(check, groups);
    compacting(check);
    closing(check);
  });
}

type Check = (behaviour: string, body: (opened: OpenedStore) => Promise<void>) => void;

function writing(check: Check, groups: boolean): void {
  check('a new store is empty, at revision 1', async ({ store }) => {
    assert.equal(await store.revision(), 1);
    assert.equal(await store.compacted(), 0);
    assert.deepEqual(await store.list(''), { revision: 1, entries: [], more: false });
    assert.equal(await store.get('/a'), undefined);
  });

  check('a created key is read back with its revision', async ({ store }) => {
    const revision = await store.put('/a', bytes('one'), 0);
    assert.equal(revision, await store.revision());
    const entry = await store.get('/a');
    assert.deepEqual([entry?.key, text(entry?.value), entry?.revision], ['/a', 'one', revision]);
  });

  check('creating a key that exists is a conflict that tells its revision', async ({ store }) => {
    const revision = await store.put('/a', bytes('one'), 0);
    await refused(store.put('/a', bytes('two'), 0), 'Conflict', revision);
  });

  check('an update at the right revision replaces the value', async ({ store }) => {
    const first = await store.put('/a', bytes('one'), 0);
    const second = await store.put('/a', bytes('two'), first);
    assert.ok(second > first);
    assert.equal(text((await store.get('/a'))?.value), 'two');
  });

  check('an update at a stale revision is a conflict and changes nothing', async ({ store }) => {
    const first = await store.put('/a', bytes('one'), 0);
    const second = await store.put('/a', bytes('two'), first);
    await refused(store.put('/a', bytes('three'), first), 'Conflict', second);
    await refused(store.put('/b', bytes('three'), first), 'Conflict', 0);
    assert.equal(await store.revision(), second);
    assert.equal(text((await store.get('/a'))?.value), 'two');
  });

  check('a guarded delete removes the key at a new revision', async ({ store }) => {
    const first = await store.put('/a', bytes('one'), 0);
    await refused(store.delete('/a', first + 1), 'Conflict', first);
    const gone = await store.delete('/a', first);
    assert.ok(gone > first);
    assert.equal(await store.revision(), gone);
    assert.equal(await store.get('/a'), undefined);
  });

  check('deleting an absent key is a conflict at revision 0', async ({ store }) => {
    await refused(store.delete('/a', 7), 'Conflict', 0);
    await refused(store.delete('/a', 0), 'Conflict', 0);
    const first = await store.put('/a', bytes('one'), 0);
    await store.delete('/a', first);
    await refused(store.delete('/a', first), 'Conflict', 0);
  });

  check('a deleted key can be created again', async ({ store }) => {
    const first = await store.put('/a', bytes('one'), 0);
    const gone = await store.delete('/a', first);
    const again = await store.put('/a', bytes('two'), 0);
    assert.ok(again > gone);
    assert.equal(text((await store.get('/a'))?.value), 'two');
  });

  check(
    'of many writers that create one key exactly one wins, and the others learn its revision',
    async ({ store }) => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, i) => store.put('/a', bytes(`${i}`), 0)),
      );
      const winners = outcomes.filter((outcome) => outcome.status === 'fulfilled').map((outcome) => outcome.value);
      const found = outcomes
        .filter((outcome) => outcome.status === 'rejected')
        .map((o) => conflictingRevision(o.reason));
      assert.equal(winners.length, 1);
      assert.deepEqual(new Set(found), new Set(winners));
    },
  );

  check('writes that are under way together get growing revisions in the order they were made', async ({ store }) => {
    const made = await Promise.all(Array.from({ length: 50 }, (_, i) => store.put(`/k${i}`, bytes(`${i}`), 0)));
    const revisions = made.toSorted((a, b) => a - b);
    if (groups) assert.deepEqual(made, revisions);
    assert.equal(new Set(revisions).size, 50);
    assert.equal(await store.revision(), revisions.at(-1));
  });

  check('values keep every byte, be they empty, large or part of a larger buffer', async ({ store }) => {
    const all = Uint8Array.from({ length: 256 }, (_, i) => i);
    const large = new Uint8Array(2_000_000).fill(7);
    const values = { '/all': all, '/empty': new Uint8Array(), '/large': large, '/part': all.subarray(10, 20) };
    await Promise.all(Object.entries(values).map(([key, value]) => store.put(key, value, 0)));
    for (const [key, value] of Object.entries(values)) {
      assert.deepEqual(Buffer.from((await store.get(key))?.value ?? []), Buffer.from(value), key);
    }
  });
}

function reading(check: Check): void {
  check('an old revision is read as it was', async ({ store }) => {
    const first = await store.put('/a', bytes('one'), 0);
    const second = await store.put('/a', bytes('two'), first);
    const gone = await store.delete('/a', second);
    const again = await store.put('/a', bytes('three'), 0);
    const values = [];
    for (const at of [1, first, second, gone, again]) values.push(text((await store.get('/a', at))?.value));
    assert.deepEqual(values, [undefined, 'one', 'two', undefined, 'three']);
    assert.equal((await store.get('/a', second))?.revision, second);
  });

  check('a list at an old revision is the list of that time', async ({ store }) => {
    const a = await store.put('/a', bytes('a1'), 0);
    const b = await store.put('/b', bytes('b1'), 0);
    await store.delete('/a', a);
    await store.put('/b', bytes('b2'), b);
    await store.put('/c', bytes('c1'), 0);
    const then = await store.list('/', { at: b });
    assert.deepEqual(shown(then), ['/a=a1', '/b=b1']);
    assert.equal(then.revision, b);
    assert.deepEqual(shown(await store.list('/')), ['/b=b2', '/c=c1']);
  });

  check('a revision that is yet to come cannot be read', async ({ store }) => {
    await refused(store.get('/a', 100), 'Timeout');
    await refused(store.list('/', { at: 100 }), 'Timeout');
  });

  check('a list holds what is under its prefix, in the order of UTF-8 bytes', async ({ store }) => {
    const keys = ['/p/b', '/p/\u{1f600}', '/p/a/x', '/p/a', '/p/\uffee', '/q', '/p', '/p/a-x', '/p/B'];
    await Promise.all(keys.map((key) => store.put(key, bytes(''), 0)));
    const found = (await store.list('/p/')).entries.map((entry) => entry.key);
    assert.deepEqual(found, ['/p/B', '/p/a', '/p/a-x', '/p/a/x', '/p/b', '/p/\uffee', '/p/\u{1f600}']);
    assert.equal((await store.list('')).entries.length, keys.length);
  });

  check('pages go through a list as it was at the first page', async ({ store }) => {
    const keys = Array.from({ length: 10 }, (_, i) => `/k${i}`);
    const revisions = await Promise.all(keys.map((key) => store.put(key, bytes('v1'), 0)));
    const first = await store.list('/k', { limit: 4 });
    await store.put('/k45', bytes('new'), 0);
    await store.put('/k5', bytes('v2'), revisions[5] ?? 0);
    await store.delete('/k6', revisions[6] ?? 0);
    const second = await store.list('/k', { limit: 4, after: '/k3', at: first.revision });
    const third = await store.list('/k', { limit: 4, after: '/k7', at: first.revision });
    assert.deepEqual([first.more, second.more, third.more], [true, true, false]);
    const all = [first, second, third].flatMap(shown);
    assert.deepEqual(
      all,
      keys.map((key) => `${key}=v1`),
    );
    assert.equal(third.revision, first.revision);
  });

  check('a page that ends exactly at the last entry says there are no more', async ({ store }) => {
    await Promise.all(['/a', '/b'].map((key) => store.put(key, bytes(''), 0)));
    assert.equal((await store.list('/', { limit: 2 })).more, false);
    assert.equal((await store.list('/', { limit: 1 })).more, true);
    assert.equal((await store.list('/', { limit: 0 })).entries.length, 2);
  });
}

function watching(check: Check, groups: boolean): void {
  check('a watch replays what was written after its revision and goes on with what is', async ({ store }) => {
    const first = await store.put('/a', bytes('one'), 0);
    const second = await store.put('/a', bytes('two'), first);
    const seen = collect(store, '/', first);
    await seen.reaches(second);
    const gone = await store.delete('/a', second);
    const again = await store.put('/a', bytes('three'), 0);
    await seen.reaches(again);
    await seen.stop();
    assert.deepEqual(seen.changes.map(asText), [
      `put /a=two @${second} after ${first}`,
      `delete /a=two @${gone} after ${second}`,
      `put /a=three @${again} after 0`,
    ]);
  });

  check('a watch from revision 0 replays everything', async ({ store }) => {
    const first = await store.put('/a', bytes('one'), 0);
    const gone = await store.delete('/a', first);
    const again = await store.put('/a', bytes('two'), 0);
    const seen = collect(store, '', 0);
    await seen.reaches(again);
    await seen.stop();
    assert.deepEqual(seen.changes.map(asText), [
      `put /a=one @${first} after 0`,
      `delete /a=one @${gone} after ${first}`,
      `put /a=two @${again} after 0`,
    ]);
  });

  check('a watch sees only what is under its prefix', async ({ store }) => {
    const seen = collect(store, '/p/', 1);
    await store.put('/q/a', bytes(''), 0);
    await store.put('/p/a', bytes(''), 0);
    await store.put('/p', bytes(''), 0);
    await seen.reaches(await store.put('/p/b', bytes(''), 0));
    await seen.stop();
    assert.deepEqual(
      seen.changes.map((change) => change.key),
      ['/p/a', '/p/b'],
    );
  });

  check('watchers have been handed a change when the promise of its write resolves', async ({ store }) => {
    const seen = collect(store, '/', 1);
    await seen.reaches(await store.put('/first', bytes(''), 0));
    // Looked at in the first callback of the promise: any later, and a watcher that was told after it would do.
    const handed = (revision: Revision) => assert.ok((seen.changes.at(-1)?.revision ?? 0) >= revision);
    for (let i = 0; i < 20; i++) {
      const pair = ['a', 'b'].map((name) => store.put(`/${name}${i}`, bytes(''), 0).then(handed));
      await Promise.all(pair);
    }
    await seen.stop();
  });

  check('each array of a watch is one commit, never empty, and refused writes are not in it', async ({ store }) => {
    const seen = collect(store, '/', 1);
    await seen.reaches(await store.put('/first', bytes(''), 0));
    const writes = Array.from({ length: 100 }, (_, i) => store.put(`/k${i % 60}`, bytes(`${i}`), 0));
    await Promise.allSettled(writes);
    await seen.stop();
    assert.equal(seen.changes.length, 61);
    assert.ok(seen.batches.every((batch) => batch.length > 0));
    if (groups) assert.ok(seen.batches.length < 61, 'writes under way together are offered together');
  });

  check('watchers that start while others write see every change exactly once, in order', async ({ store }) => {
    const started: Collected[] = [];
    for (let i = 0; i < 30; i++) {
      started.push(collect(store, '/', 1));
      const writes = Promise.all(Array.from({ length: 5 }, (_, j) => store.put(`/k${i}-${j}`, bytes(''), 0)));
      if (i % 3 === 0) await writes;
      else started.push(collect(store, '/', await store.revision()));
    }
    const last = await store.put('/last', bytes(''), 0);
    for (const seen of started) {
      await seen.reaches(last);
      await seen.stop();
      const revisions = seen.changes.map((change) => change.revision);
      const expected = Array.from({ length: last - seen.from }, (_, i) => seen.from + 1 + i);
      assert.deepEqual(revisions, expected);
    }
  });

  check('a watch from a revision that is yet to come is refused', async ({ store }) => {
    await refused(firstOf(store, 100), 'Timeout');
  });

  check('aborting ends the iteration, whether it waits, is busy or has not begun', async ({ store }) => {
    const before = AbortSignal.abort();
    for await (const batch of store.watch('/', 1, before)) assert.fail(`unexpected ${batch.length} changes`);

    const seen = collect(store, '/', 1);
    await seen.reaches(await store.put('/a', bytes(''), 0));
    await seen.stop();

    const busy = new AbortController();
    for await (const batch of store.watch('/', 1, busy.signal)) {
      assert.equal(batch.length, 1);
      await store.put('/b', bytes(''), 0);
      busy.abort();
    }
  });

  check('leaving the loop ends the watch', async ({ store }) => {
    await store.put('/a', bytes(''), 0);
    const forever = new AbortController();
    for await (const batch of store.watch('/', 1, forever.signal)) {
      assert.equal(batch.length, 1);
      break;
    }
    await store.put('/b', bytes(''), 0);
  });
}

function compacting(check: Check): void {
  check('compaction keeps the newest value of every key and what its horizon needs', async ({ store }) => {
    const a1 = await store.put('/a', bytes('a1'), 0);
    const b1 = await store.put('/b', bytes('b1'), 0);
    const a2 = await store.put('/a', bytes('a2'), a1);
    const c1 = await store.put('/c', bytes('c1'), 0);
    await store.delete('/c', c1);
    const a3 = await store.put('/a', bytes('a3'), a2);
    await store.compact(c1);
    assert.equal(await store.compacted(), c1);
    assert.equal(await store.revision(), a3);
    assert.deepEqual(shown(await store.list('/', { at: c1 })), ['/a=a2', '/b=b1', '/c=c1']);
    assert.deepEqual(shown(await store.list('/')), ['/a=a3', '/b=b1']);
    assert.equal((await store.get('/b'))?.revision, b1);
  });

  check('reading below the horizon is Expired', async ({ store }) => {
    const first = await store.put('/a', bytes('one'), 0);
    const second = await store.put('/a', bytes('two'), first);
    await store.compact(second);
    await refused(store.get('/a', first), 'Expired');
    await refused(store.list('/', { at: first }), 'Expired');
    assert.equal(text((await store.get('/a', second))?.value), 'two');
  });

  check('watching from below the horizon is Expired, from the horizon on it is whole', async ({ store }) => {
    const first = await store.put('/a', bytes('one'), 0);
    const second = await store.put('/a', bytes('two'), first);
    const gone = await store.delete('/a', second);
    await store.compact(second);
    await refused(firstOf(store, first), 'Expired');
    assert.deepEqual((await firstOf(store, second)).map(asText), [`delete /a=two @${gone} after ${second}`]);
  });

  check('compacting never turns the revision back, not even when only deletions were left', async ({ store }) => {
    const first = await store.put('/a', bytes('one'), 0);
    const gone = await store.delete('/a', first);
    await store.compact(gone);
    assert.equal(await store.revision(), gone);
    assert.deepEqual(await store.list(''), { revision: gone, entries: [], more: false });
    const again = await store.put('/a', bytes('two'), 0);
    assert.ok(again > gone);
    assert.deepEqual((await firstOf(store, gone)).map(asText), [`put /a=two @${again} after 0`]);
    assert.equal(await store.get('/a', gone), undefined);
  });

  check('compacting what is compacted does nothing, and what is yet to come is refused', async ({ store }) => {
    const first = await store.put('/a', bytes('one'), 0);
    await store.compact(first);
    await store.compact(1);
    assert.equal(await store.compacted(), first);
    await refused(store.compact(first + 1), 'Timeout');
  });

  check('a live watch does not notice compaction', async ({ store }) => {
    const seen = collect(store, '/', 1);
    let revision = await store.put('/a', bytes('0'), 0);
    for (let i = 1; i < 20; i++) {
      revision = await store.put('/a', bytes(`${i}`), revision);
      if (i % 5 !== 0) continue;
      // What it has not been told yet may rightly be forgotten.
      await seen.reaches(revision);
      await store.compact(revision);
    }
    await seen.reaches(revision);
    await seen.stop();
    assert.equal(seen.changes.length, 20);
  });
}

function closing(check: Check): void {
  check('closing ends watchers, keeps what was being written, and refuses the rest', async ({ store }) => {
    const seen = collect(store, '/', 1);
    await seen.reaches(await store.put('/a', bytes(''), 0));
    const last = store.put('/b', bytes(''), 0);
    await store.close();
    await seen.ended;
    assert.equal(seen.changes.at(-1)?.revision, await last);
    await refused(store.put('/c', bytes(''), 0), 'ServiceUnavailable');
    await refused(store.delete('/a', 2), 'ServiceUnavailable');
    await refused(store.get('/a'), 'ServiceUnavailable');
    await refused(store.list('/'), 'ServiceUnavailable');
    await refused(store.revision(), 'ServiceUnavailable');
    await refused(store.compact(1), 'ServiceUnavailable');
    await store.close();
  });

  check('what is reopened is what was closed', async ({ store, reopen }) => {
    if (!reopen) return;
    const a1 = await store.put('/a', bytes('a1'), 0);
    const a2 = await store.put('/a', bytes('a2'), a1);
    const b1 = await store.put('/b', bytes('b1'), 0);
    const gone = await store.delete('/b', b1);
    await store.compact(a2);
    const again = await reopen();
    assert.equal(await again.revision(), gone);
    assert.equal(await again.compacted(), a2);
    assert.deepEqual(shown(await again.list('/')), ['/a=a2']);
    assert.deepEqual(shown(await again.list('/', { at: b1 })), ['/a=a2', '/b=b1']);
    assert.deepEqual((await firstOf(again, a2)).map(asText), [
      `put /b=b1 @${b1} after 0`,
      `delete /b=b1 @${gone} after ${b1}`,
    ]);
    await refused(firstOf(again, a1), 'Expired');
    assert.equal(await again.put('/b', bytes('b2'), 0), gone + 1);
  });

  check('a revision whose writes were all forgotten is not given again after reopening', async ({ store, reopen }) => {
    if (!reopen) return;
    const first = await store.put('/a', bytes('one'), 0);
    const gone = await store.delete('/a', first);
    await store.compact(gone);
    const again = await reopen();
    assert.equal(await again.revision(), gone);
    assert.equal(await again.put('/a', bytes('two'), 0), gone + 1);
  });
}
