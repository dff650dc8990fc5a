import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { fakeClock } from '#base/clock.ts';
import { countingIds } from '#base/ids.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { informer, informers } from './informer.ts';
import type { Change } from './object-cache.ts';
import { type ShakyServer, shakyServer } from './testing.ts';

const gvr = { group: '', version: 'v1', resource: 'configmaps' };

function follow(server: ShakyServer) {
  const stop = new AbortController();
  const clock = fakeClock();
  const one = informer(server.client, gvr, {}, { signal: stop.signal, clock, ids: countingIds() });
  const told: string[] = [];
  const changes: Change[] = [];
  one.subscribe((change) => {
    changes.push(change);
    told.push(`${change.type} ${keyOf(change.object)}`);
  });
  return { one, told, changes, stop, clock, settle: () => clock.advance(20_000) };
}

describe('an informer', () => {
  for (const streamsState of [true, false]) {
    describe(streamsState ? 'of a server that streams its state' : 'of a server that lists its state', () => {
      it('has the whole state when synced, and tells what changes after', async () => {
        const server = shakyServer({ streamsState, pageSize: 2 });
        for (const name of ['a', 'b', 'c']) server.put(name);
        const { one, told, changes, stop, settle } = follow(server);
        await settle();
        await one.synced;
        assert.deepEqual(told, ['added a', 'added b', 'added c']);
        server.put('a');
        server.remove('b');
        await settle();
        assert.deepEqual(told.slice(3), ['modified a', 'deleted b']);
        assert.equal(changes[3]?.old?.metadata.resourceVersion, '2');
        assert.deepEqual(one.list().map(keyOf), ['a', 'c']);
        stop.abort();
      });

      it('takes a broken watch up from where it was', async () => {
        const server = shakyServer({ streamsState });
        server.put('a');
        const { told, stop, settle } = follow(server);
        await settle();
        server.bookmark();
        await settle();
        server.drop('break');
        server.put('b');
        await settle();
        server.drop('end');
        await settle();
        assert.deepEqual(told, ['added a', 'added b']);
        assert.deepEqual(server.asked.slice(-2), ['watch 2', 'watch 3']);
        assert.equal(
          server.asked.filter((what) => what === 'list' || what === 'watch initial').length,
          streamsState ? 1 : 2,
        );
        stop.abort();
      });

      it('reports what disappeared and what was replaced while it could not see', async () => {
        const server = shakyServer({ streamsState });
        for (const name of ['gone', 'kept', 'recreated', 'changed']) server.put(name);
        const { told, changes, stop, settle } = follow(server);
        await settle();
        server.setUp(false);
        server.drop('break');
        server.remove('gone');
        server.remove('recreated');
        server.put('recreated');
        server.put('changed');
        server.compact();
        await settle();
        server.setUp(true);
        await settle();
        assert.deepEqual(told.slice(4).sort(), [
          'added recreated',
          'deleted gone',
          'deleted recreated',
          'modified changed',
        ]);
        const recreated = changes.slice(4).filter(({ object }) => keyOf(object) === 'recreated');
        assert.deepEqual(
          recreated.map(({ type }) => type),
          ['deleted', 'added'],
        );
        stop.abort();
      });
    });
  }

  it('lists when the initial events have no end', async () => {
    const server = shakyServer({ streamsState: 'without end' });
    server.put('a');
    const { one, clock, stop } = follow(server);
    await clock.advance(59_000);
    assert.equal(one.isSynced(), false);
    await clock.advance(2_000);
    await one.synced;
    assert.deepEqual(one.list().map(keyOf), ['a']);
    assert.deepEqual(server.asked, ['watch initial', 'list', 'watch 2']);
    stop.abort();
  });

  it('tells late subscribers of everything there is, and nothing to those who left', async () => {
    const server = shakyServer();
    server.put('a');
    const { one, settle, stop } = follow(server);
    await settle();
    const late: string[] = [];
    const leave = one.subscribe(({ type, object }) => late.push(`${type} ${keyOf(object)}`));
    server.put('b');
    await settle();
    leave();
    server.put('c');
    await settle();
    assert.deepEqual(late, ['added a', 'added b']);
    stop.abort();
  });

  it('tells a subscriber that came with the news only once', async () => {
    const server = shakyServer();
    const { one, settle, stop } = follow(server);
    const inner: string[] = [];
    const leave = one.subscribe(() => {
      leave();
      one.subscribe(({ object }) => inner.push(keyOf(object)));
    });
    server.put('a');
    await settle();
    assert.deepEqual(inner, ['a']);
    stop.abort();
  });

  it('goes on when a subscriber throws', async () => {
    const server = shakyServer();
    const { one, settle, stop } = follow(server);
    const seen: string[] = [];
    one.subscribe(() => {
      throw new Error('bad');
    });
    one.subscribe(({ object }) => seen.push(keyOf(object)));
    server.put('a');
    server.put('b');
    await settle();
    assert.deepEqual(seen, ['a', 'b']);
    stop.abort();
  });

  it('finds objects by index, also by one added later', async () => {
    const server = shakyServer();
    const { one, settle, stop } = follow(server);
    one.index('initial', ({ metadata }) => [metadata.name.slice(0, 1)]);
    for (const name of ['aa', 'ab', 'b']) server.put(name);
    await settle();
    one.index('length', ({ metadata }) => [String(metadata.name.length)]);
    server.remove('aa');
    await settle();
    assert.deepEqual(one.byIndex('initial', 'a').map(keyOf), ['ab']);
    assert.deepEqual(one.byIndex('length', '2').map(keyOf), ['ab']);
    assert.deepEqual(one.byIndex('length', '9'), []);
    stop.abort();
  });

  it('stopped before it is synced says so', async () => {
    const server = shakyServer();
    server.setUp(false);
    const { one, stop } = follow(server);
    stop.abort(new Error('enough'));
    await assert.rejects(one.synced, { message: 'enough' });
  });

  it('waits longer from failure to failure', async () => {
    const server = shakyServer();
    server.setUp(false);
    const { clock, stop } = follow(server);
    await clock.advance(60_000);
    assert.ok(server.asked.length >= 10 && server.asked.length <= 25, `${server.asked.length} attempts in a minute`);
    stop.abort();
  });

  it('is shared by all who ask for the same', () => {
    const stop = new AbortController();
    const shared = informers(shakyServer().client, { signal: stop.signal, clock: fakeClock() });
    assert.equal(shared(gvr), shared({ ...gvr }, {}));
    assert.notEqual(shared(gvr), shared(gvr, { namespace: 'a' }));
    const first = shared(gvr);
    shared.stop(gvr);
    assert.notEqual(shared(gvr), first);
    stop.abort();
  });
});

/** What a careful subscriber believes; fails at the first step that does not follow from the one before. */
function believer() {
  const believed = new Map<string, KubeObject>();
  const tell = ({ type, object, old }: Change): void => {
    const key = keyOf(object);
    assert.equal(old, believed.get(key), `${type} ${key}: the old state is the one told before`);
    if (type === 'deleted') return void believed.delete(key);
    assert.notEqual(object.metadata.resourceVersion, old?.metadata.resourceVersion, `${key} was told twice`);
    if (old) assert.equal(old.metadata.uid, object.metadata.uid, `${key} changed its identity`);
    believed.set(key, object);
  };
  return { believed, tell };
}

const name = fc.constantFrom('a', 'b', 'c', 'd');
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('put' as const), name }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('remove' as const), name }) },
  fc.record({ do: fc.constantFrom('end' as const, 'break' as const) }),
  fc.record({ do: fc.constantFrom('compact' as const, 'bookmark' as const, 'down' as const, 'up' as const) }),
  fc.record({ do: fc.constant('repeat' as const), count: fc.integer({ min: 1, max: 5 }) }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(0, 100, 5_000) }) },
);

describe('an informer under any sequence of drops, gaps, repeats and outages', () => {
  it('ends with the state of the server, and every step it told follows from the one before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(step, { maxLength: 40 }), async (streamsState, steps) => {
        const server = shakyServer({ streamsState, pageSize: 3 });
        const { one, clock, stop } = follow(server);
        const { believed, tell } = believer();
        const failures: unknown[] = [];
        one.subscribe((change) => {
          try {
            tell(change);
          } catch (error) {
            failures.push(error);
          }
        });
        for (const step of steps) {
          if (step.do === 'put') server.put(step.name);
          else if (step.do === 'remove') server.remove(step.name);
          else if (step.do === 'end' || step.do === 'break') server.drop(step.do);
          else if (step.do === 'compact') server.compact();
          else if (step.do === 'bookmark') server.bookmark();
          else if (step.do === 'repeat') server.repeat(step.count);
          else if (step.do === 'wait') await clock.advance(step.ms);
          else server.setUp(step.do === 'up');
        }
        server.setUp(true);
        await clock.advance(30_000);
        stop.abort();
        assert.deepEqual(failures, []);
        assert.deepEqual(believed, new Map(server.state()));
        assert.deepEqual(new Map(one.list().map((object) => [keyOf(object), object])), new Map(server.state()));
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});
