import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { type FakeClock, fakeClock } from '#base/clock.ts';
import { countingIds } from '#base/ids.ts';
import { notFound, StatusError } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { fenced } from './fenced.ts';
import type { LeaseObject } from './lease.ts';
import { type Leadership, leaseElection } from './lease-election.ts';

type LeaseClient = Pick<KubeClient, 'get' | 'create' | 'update'>;

/** The one Lease, and a client for each replica that can be cut off. */
function server() {
  let stored: LeaseObject | undefined;
  let revision = 0;
  const write = (object: unknown) => {
    const { metadata, ...rest } = object as LeaseObject;
    stored = { ...rest, metadata: { ...metadata, resourceVersion: String(++revision) } };
    return stored;
  };
  const answers = {
    get() {
      if (!stored) throw notFound('leases', 'l');
      return stored;
    },
    create(object: unknown) {
      if (stored) throw new StatusError('AlreadyExists', 'leases "l" already exists');
      return write(object);
    },
    update(object: unknown) {
      const { resourceVersion } = (object as LeaseObject).metadata;
      if (stored?.metadata.resourceVersion !== resourceVersion) throw new StatusError('Conflict', 'modified');
      return write(object);
    },
  };

  /** `reach` says what becomes of a request: answered, refused, lost before or after the server acted on it. */
  function client(reach: () => Reach): LeaseClient {
    const call = async <T>(act: () => unknown): Promise<T> => {
      const how = reach();
      if (how === 'refused') throw new StatusError('ServiceUnavailable', 'unreachable');
      if (how === 'lost') return new Promise<never>(() => {});
      const answer = act();
      return how === 'unanswered' ? new Promise<never>(() => {}) : (answer as T);
    };
    return {
      get: () => call(() => answers.get()),
      create: (_gvr, object) => call(() => answers.create(object)),
      update: (_gvr, object) => call(() => answers.update(object)),
    };
  }
  return { client, lease: () => stored };
}

type Reach = 'answered' | 'refused' | 'lost' | 'unanswered';

function replica(client: LeaseClient, identity: string, clock: FakeClock) {
  const stop = new AbortController();
  const state: { leadership?: Leadership | undefined; terms: number } = { terms: 0 };
  const election = leaseElection({ client, namespace: 'n', name: 'l', identity, clock, ids: countingIds() });
  const running = election.run(async (leadership) => {
    state.leadership = leadership;
    state.terms++;
    await new Promise<void>((resolve) => {
      if (leadership.signal.aborted) resolve();
      leadership.signal.addEventListener('abort', () => resolve());
    });
    state.leadership = undefined;
  }, stop.signal);
  return { state, stop, running, election };
}

function mayWrite(leadership: Leadership | undefined): boolean {
  try {
    leadership?.guard();
    return leadership !== undefined;
  } catch {
    return false;
  }
}

async function pass(clock: FakeClock, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 500) await clock.advance(500);
}

describe('R14, R15: an election', () => {
  it('makes one leader, and the next one when that is gone for the whole duration of the lease', async () => {
    const clock = fakeClock();
    const { client, lease } = server();
    let reachA: Reach = 'answered';
    const a = replica(
      client(() => reachA),
      'a',
      clock,
    );
    await pass(clock, 500);
    const b = replica(
      client(() => 'answered'),
      'b',
      clock,
    );
    await pass(clock, 30_000);
    assert.equal(mayWrite(a.state.leadership), true);
    assert.equal(b.state.leadership, undefined);
    assert.equal(b.election.leader(), 'a');
    assert.equal(lease()?.spec?.leaseTransitions, 0);

    reachA = 'lost';
    await pass(clock, 10_000);
    assert.equal(a.state.leadership, undefined);
    assert.equal(b.state.leadership, undefined);
    await pass(clock, 8_000);
    assert.equal(mayWrite(b.state.leadership), true);
    assert.equal(lease()?.spec?.leaseTransitions, 1);

    reachA = 'answered';
    await pass(clock, 30_000);
    assert.equal(a.state.leadership, undefined);
    for (const one of [a, b]) one.stop.abort();
    await pass(clock, 5_000);
    await Promise.all([a.running, b.running]);
  });

  it('hands over at once when the leader stops in good order', async () => {
    const clock = fakeClock();
    const { client, lease } = server();
    const a = replica(
      client(() => 'answered'),
      'a',
      clock,
    );
    await pass(clock, 500);
    const b = replica(
      client(() => 'answered'),
      'b',
      clock,
    );
    await pass(clock, 5_000);
    a.stop.abort();
    await a.running;
    assert.equal(lease()?.spec?.holderIdentity, '');
    await pass(clock, 3_000);
    assert.equal(mayWrite(b.state.leadership), true);
    b.stop.abort();
    await b.running;
  });

  it('keeps the lease while the leader ends its work', async () => {
    const clock = fakeClock();
    const { client, lease } = server();
    const stop = new AbortController();
    const work = Promise.withResolvers<void>();
    const options = { client: client(() => 'answered'), namespace: 'n', name: 'l', clock, ids: countingIds() };
    const running = leaseElection({ ...options, identity: 'a' }).run(() => work.promise, stop.signal);
    await pass(clock, 500);
    const b = replica(options.client, 'b', clock);
    stop.abort();
    await pass(clock, 60_000);
    assert.equal(lease()?.spec?.holderIdentity, 'a');
    assert.equal(b.state.leadership, undefined);
    work.resolve();
    await running;
    assert.equal(lease()?.spec?.holderIdentity, '');
    b.stop.abort();
    await pass(clock, 3_000);
    await b.running;
  });

  it('outlives short failures and someone who touches its lease', async () => {
    const clock = fakeClock();
    const { client, lease } = server();
    let reach: Reach = 'answered';
    const a = replica(
      client(() => reach),
      'a',
      clock,
    );
    await pass(clock, 3_000);
    reach = 'refused';
    await pass(clock, 7_000);
    reach = 'answered';
    const touched = lease();
    assert.ok(touched);
    await client(() => 'answered').update({ group: '', version: '', resource: '' }, touched);
    await pass(clock, 20_000);
    assert.equal(mayWrite(a.state.leadership), true);
    assert.equal(a.state.terms, 1);
    a.stop.abort();
    await a.running;
  });

  it('refuses times that could not keep two leaders apart', () => {
    const options = { client: server().client(() => 'answered'), namespace: 'n', name: 'l', identity: 'a' };
    assert.throws(() => leaseElection({ ...options, leaseMs: 5_000 }), RangeError);
    assert.throws(() => leaseElection({ ...options, retryMs: 20_000 }), RangeError);
  });

  it('never lets two replicas write at the same time, whatever becomes of their requests', async () => {
    const reach = fc.constantFrom<Reach>('answered', 'answered', 'refused', 'lost', 'unanswered');
    const step = fc.record({ a: reach, b: reach, c: reach, seconds: fc.integer({ min: 1, max: 25 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const clock = fakeClock();
        const { client } = server();
        const now: Record<string, Reach> = { a: 'answered', b: 'answered', c: 'answered' };
        const all = ['a', 'b', 'c'].map((id) =>
          replica(
            client(() => now[id] ?? 'lost'),
            id,
            clock,
          ),
        );
        for (const { seconds, ...reaches } of [
          ...steps,
          { a: 'answered', b: 'answered', c: 'answered', seconds: 40 },
        ]) {
          Object.assign(now, reaches);
          for (let second = 0; second < seconds; second++) {
            await clock.advance(1_000);
            const writers = all.filter(({ state }) => mayWrite(state.leadership));
            assert.ok(writers.length <= 1, `${writers.length} leaders at once`);
          }
        }
        assert.equal(all.filter(({ state }) => mayWrite(state.leadership)).length, 1, 'someone leads in the end');
        for (const { stop } of all) stop.abort();
        await clock.advance(10_000);
        await Promise.all(all.map(({ running }) => running));
      }),
      { seed: 1, numRuns: 25 },
    );
  });
});

describe('R15: a fenced client', () => {
  const gvr = { group: '', version: 'v1', resource: 'configmaps' };
  const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', resourceVersion: '7' } };
  const unguarded: KubeObject = { ...object, metadata: { name: 'a' } };

  function open() {
    const state = { leads: true };
    const lost = new AbortController();
    const calls: string[] = [];
    const record = (verb: string) => async () => (calls.push(verb), object);
    const client = {
      get: record('get'),
      create: record('create'),
      update: record('update'),
      patch: record('patch'),
      apply: record('apply'),
      delete: record('delete'),
      deleteCollection: record('deleteCollection'),
    } as unknown as KubeClient;
    const guard = () => {
      if (!state.leads) throw new StatusError('ServiceUnavailable', 'not the leader');
    };
    return { state, calls, client: fenced(client, { guard, lost: lost.signal }) };
  }

  const guarded: [verb: string, act: (client: KubeClient) => Promise<unknown>][] = [
    ['create', (client) => client.create(gvr, unguarded)],
    ['update', (client) => client.update(gvr, object)],
    [
      'patch',
      (client) => client.patch(gvr, { name: 'a' }, { type: 'merge', body: { metadata: { resourceVersion: '7' } } }),
    ],
    [
      'patch',
      (client) =>
        client.patch(
          gvr,
          { name: 'a' },
          { type: 'json', body: [{ op: 'test', path: '/metadata/resourceVersion', value: '7' }] },
        ),
    ],
    ['apply', (client) => client.apply(gvr, object, { fieldManager: 'm' })],
    ['delete', (client) => client.delete(gvr, { name: 'a' })],
    ['deleteCollection', (client) => client.deleteCollection(gvr)],
  ];

  it('lets guarded writes of a leader pass and refuses them to a former one', async () => {
    for (const [verb, act] of guarded) {
      const { state, calls, client } = open();
      await act(client);
      assert.deepEqual(calls, [verb]);
      state.leads = false;
      await assert.rejects(act(client), { message: 'not the leader' });
      assert.deepEqual(calls, [verb]);
    }
  });

  it('lets anyone read', async () => {
    const { state, client } = open();
    state.leads = false;
    assert.equal(await client.get(gvr, { name: 'a' }), object);
  });

  it('refuses writes that would overwrite whatever is there, even to a leader', async () => {
    const { calls, client } = open();
    await assert.rejects(client.update(gvr, unguarded), { reason: 'BadRequest' });
    await assert.rejects(client.apply(gvr, unguarded, { fieldManager: 'm' }), { reason: 'BadRequest' });
    await assert.rejects(client.patch(gvr, { name: 'a' }, { type: 'merge', body: { data: {} } }), {
      reason: 'BadRequest',
    });
    assert.deepEqual(calls, []);
  });
});
