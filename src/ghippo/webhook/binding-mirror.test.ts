import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { fakeClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { PLATFORM } from '#ghippo/apis/scope.ts';
import { aUser, binding } from '#ghippo/decision/testing.ts';
import { type BindingEvent, type BindingState, eventId } from './binding-event.ts';
import { bindingMirror, memoryMirror, type Truth } from './binding-mirror.ts';
import { receiver, RESYNC_EVERY_MS } from './receiver.ts';
import { signedHeaders } from './signature.ts';

const KEY = 'shared secret';
const NAMES = ['a', 'b', 'c'] as const;
const stateOf = (name: string, version: number, role?: string): BindingState => ({
  key: `AccessBinding/${name}`,
  version: String(version),
  ...(role === undefined ? {} : { object: binding(name, role, PLATFORM, aUser('u')) }),
});

/** What is, from a history of what was done; the n-th step has version n. */
type Step = { readonly name: string; readonly role: string | undefined };
function play(history: readonly Step[]): { events: BindingEvent[]; truth: Truth } {
  const there = new Map<string, BindingState>();
  const events = history.map(({ name, role }, index) => {
    const state = stateOf(name, index + 1, role);
    if (role === undefined) there.delete(name);
    else there.set(name, state);
    return { ...state, sequence: index + 1 };
  });
  return { events, truth: { kind: 'AccessBinding', revision: String(history.length), states: [...there.values()] } };
}
const rolesIn = (states: Iterable<BindingState>) =>
  Object.fromEntries(
    [...states].flatMap(({ key, object }) => (object && 'role' in object.spec ? [[key, object.spec.role]] : [])),
  );

const steps = fc.array(
  fc.record({ name: fc.constantFrom(...NAMES), role: fc.constantFrom('viewer', 'editor', undefined) }),
  { minLength: 1, maxLength: 12 },
);
/** Dropped, repeated and reordered: any sequence of places. */
const fate = fc.array(fc.nat(), { maxLength: 30 });

describe('R27, R28: a mirror', () => {
  it('is right after any order of all messages, however often each comes', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fate, async (history, places) => {
        const { events, truth } = play(history);
        const store = memoryMirror();
        const mirror = bindingMirror(store);
        for (const place of places) await mirror.apply(events[place % events.length] ?? stateOf('a', 0));
        for (const event of events.toReversed()) await mirror.apply(event);
        assert.deepEqual(rolesIn(store.states.values()), rolesIn(truth.states));
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it('is right after a resync, whatever was dropped before', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fate, async (history, places) => {
        const { events, truth } = play(history);
        const store = memoryMirror();
        const mirror = bindingMirror(store);
        for (const place of places) await mirror.apply(events[place % events.length] ?? stateOf('a', 0));
        await mirror.resync(truth);
        assert.deepEqual(rolesIn(store.states.values()), rolesIn(truth.states));
        assert.equal(await mirror.resync(truth), 0);
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it('does not lose news to a resync with an older truth', async () => {
    await fc.assert(
      fc.asyncProperty(steps, steps, async (before, after) => {
        const old = play(before).truth;
        const { events, truth } = play([...before, ...after]);
        const store = memoryMirror();
        const mirror = bindingMirror(store);
        for (const event of events) await mirror.apply(event);
        await mirror.resync(old);
        assert.deepEqual(rolesIn(store.states.values()), rolesIn(truth.states));
      }),
      { seed: 1, numRuns: 200 },
    );
  });
});

describe('R28: a receiver', () => {
  function fixture(truth: () => Promise<readonly Truth[]> = async () => []) {
    const clock = fakeClock();
    const store = memoryMirror();
    const mirror = bindingMirror(store);
    const own = receiver({ keys: () => [KEY], mirror, truth, clock, log: silentLog });
    const signed = (event: BindingEvent, key = KEY) => {
      const body = JSON.stringify(event);
      return { headers: signedHeaders([key], { id: eventId(event), at: clock.now(), body }), body };
    };
    return { clock, store, receiver: own, signed };
  }

  it('takes a message once and acknowledges it as often as it comes', async () => {
    const { receiver: own, signed, store } = fixture();
    const event = { ...stateOf('a', 5, 'viewer'), sequence: 1 };
    assert.equal(await own.receive(signed(event)), 'applied');
    assert.equal(await own.receive(signed(event)), 'known already');
    assert.equal(await own.receive(signed({ ...stateOf('a', 4, 'editor'), sequence: 2 })), 'known already');
    assert.deepEqual(rolesIn(store.states.values()), { 'AccessBinding/a': 'viewer' });
  });

  it('refuses what is forged, and changes nothing', async () => {
    const { receiver: own, signed, store, clock } = fixture();
    const forged = { ...stateOf('a', 99, 'admin'), sequence: 1 };
    await assert.rejects(own.receive(signed(forged, 'guess')), { reason: 'Unauthorized' });
    const genuine = signed({ ...stateOf('a', 5, 'viewer'), sequence: 1 });
    await assert.rejects(own.receive({ ...genuine, body: genuine.body.replace('viewer', 'admins') }), {
      reason: 'Unauthorized',
    });
    await clock.advance(3_600_000);
    await assert.rejects(own.receive(genuine), { reason: 'Unauthorized', message: /too old/ });
    assert.equal(store.states.size, 0);
  });

  it('refuses what is signed but makes no sense', async () => {
    const { receiver: own, clock } = fixture();
    for (const body of ['[]', '{}', '{"key":"a","version":"x","sequence":1}', '{"key":"a","version":1,"sequence":1}'])
      await assert.rejects(own.receive({ headers: signedHeaders([KEY], { id: 'x', at: clock.now(), body }), body }), {
        reason: 'BadRequest',
      });
  });

  it('compares with the truth at once, after a gap, and now and then', async (t) => {
    const stop = new AbortController();
    t.after(() => stop.abort());
    let asked = 0;
    const {
      receiver: own,
      signed,
      clock,
    } = fixture(async () => {
      asked += 1;
      if (asked === 2) throw new Error('not now');
      return [];
    });
    const running = own.keepInSync(stop.signal);
    await clock.advance(0);
    assert.equal(asked, 1);
    await own.receive(signed({ ...stateOf('a', 1, 'viewer'), sequence: 1 }));
    await clock.advance(0);
    assert.equal(asked, 1);
    await own.receive(signed({ ...stateOf('a', 3, 'viewer'), sequence: 3 }));
    await clock.advance(0);
    assert.equal(asked, 2);
    // It failed, and is tried again soon.
    await clock.advance(1_000);
    assert.equal(asked, 3);
    await clock.advance(RESYNC_EVERY_MS);
    assert.equal(asked, 4);
    stop.abort();
    await running;
  });
});
