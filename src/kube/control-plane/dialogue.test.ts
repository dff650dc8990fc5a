/**
 * Every exchange of the recording, in its order, against one server. The table below names those that are not answered
 * alike, and why; it can only become shorter, for one that is answered alike fails the test as well.
 */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type Clock, type FakeClock, fakeClock } from '#base/clock.ts';
import { differences, readDialogue, timeOf, translation, type Turn } from '#kube/apiserver/dialogue/dialogue.ts';
import { staticTokens } from '#kube/apiserver/index.ts';
import { call, type TestAnswer } from '#kube/apiserver/testing.ts';
import { memoryStore, type Store } from '#kube/store/index.ts';
import { controlPlane } from './control-plane.ts';

const DIFFERENT: Readonly<Record<string, string>> = {
  version: 'ours names itself',
  'readyz verbose': 'ours has checks of its own',
  'root paths': 'ours has checks of its own',
  'openapi v3 index': 'ours lists the group versions only, and says that it is JSON',
  'openapi v2 json head': 'ours is never compressed, and does not vary by that',
  'pod spec immutable': "the difference is told by Kubernetes' own names of fields in ours, by Go's in the recording",
  'table:clusterroles': 'ours has no roles for controllers it does not have, and fills those that gather others itself',
  'table:crb': 'ours has no roles for controllers it does not have',
  'cr multi invalid': 'Kubernetes tells several errors of a custom resource in an order that differs from run to run',
  'table:apiservices': 'APIServices are stored, other API servers are not called yet',
  'apiservice status': 'APIServices are stored, other API servers are not called yet',
  'apiservice unavailable': 'APIServices are stored, other API servers are not called yet',
  'agg disc stale': 'APIServices are stored, other API servers are not called yet',
};

const AS_ALICE = new Set([
  '403 resource',
  '403 list cluster',
  '403 nonresource',
  '403 create apps',
  'rbac escalate',
  'ssrr',
]);

function credentials({ label }: Turn): Record<string, string> {
  if (label === 'anonymous') return { authorization: '' };
  if (label === '401') return { authorization: 'Bearer nobody' };
  return AS_ALICE.has(label) ? { authorization: 'Bearer tok-alice' } : {};
}

function bodyOf({ label, req }: Turn): string | undefined {
  if (label === 'too large') return req.body?.replace('…', `${'x'.repeat(3_200_000)}"}}`);
  if (label === 'too large cm') return req.body?.replace('…', `${'x'.repeat(1_100_000)}"}}`);
  return req.body;
}

describe('The recorded dialogue with a Kubernetes API server', () => {
  it('is answered alike, but for what the table names', async (t) => {
    const turns = readDialogue();
    const clock = recordedClock(STARTED);
    const url = await recordedPlane(t, clock);
    await clock.advance((timeOf(turns.find((turn) => timeOf(turn) !== undefined) ?? turns[0]!) ?? 0) - STARTED);
    const { learn, toOurs } = translation();
    const differing = new Map<string, string>();

    for (const [index, turn] of turns.entries()) {
      await set(clock, turn);
      const { method, path, headers } = turn.req;
      const sent = bodyOf(turn);
      const asked = call(url, method, toOurs(path), sent === undefined ? undefined : toOurs(sent), {
        ...headers,
        ...credentials(turn),
      });
      const answer = await hurried(asked, path, clock);
      learn(turn, answer);
      const found = differences(turn, answer, toOurs);
      const label =
        turns.filter(({ label }) => label === turn.label).length > 1 ? `${turn.label} #${index}` : turn.label;
      if (found.length > 0) differing.set(label, found.join('\n'));
    }

    const unexpected = [...differing].filter(([label]) => !(label in DIFFERENT));
    const alike = Object.keys(DIFFERENT).filter((label) => !differing.has(label));
    if (process.env['DIALOGUE']) for (const [label, text] of unexpected) console.log(`### ${label}\n${text}\n`);
    t.diagnostic(`${turns.length - differing.size} of ${turns.length} exchanges are alike`);
    assert.deepEqual(
      unexpected.map(([label]) => label),
      [],
    );
    assert.deepEqual(alike, []);
  });
});

/** When the recording's server made what it has from the start. */
const STARTED = Date.parse('2026-11-15T18:40:38Z');

/** As the recording's server: with roles and tokens, but without a controller manager. */
async function recordedPlane(t: TestContext, clock: Clock): Promise<string> {
  const server = await controlPlane({
    store: await usedStore(),
    clock,
    anonymous: true,
    controllers: false,
    defaultServiceAccounts: false,
    authenticators: [
      staticTokens({
        admin: { name: 'admin', uid: 'admin-uid', groups: ['system:masters'] },
        'tok-alice': { name: 'alice', uid: 'alice-uid', groups: ['devs'] },
      }),
    ],
  });
  t.after(() => server.close());
  return (await server.listen()).url;
}

/** A clock that can also be set back, to when the recording says that something was written. */
interface RecordedClock extends FakeClock {
  ahead: number;
}

function recordedClock(start: number): RecordedClock {
  const clock = fakeClock(start);
  const made: RecordedClock = { ...clock, ahead: 0, now: () => clock.now() - made.ahead };
  return made;
}

async function set(clock: RecordedClock, turn: Turn): Promise<void> {
  const due = (timeOf(turn) ?? 0) - clock.now();
  if (due > 0) await clock.advance(due);
  const exact = turn.res.code === 201 || turn.req.method === 'DELETE';
  if (exact && due < 0 && due > -60_000) clock.ahead -= due;
}

/** A store that has a past, as the recording's had: its first revisions can not be asked for. */
async function usedStore(): Promise<Store> {
  const store = memoryStore();
  const revision = await store.put('/elsewhere', Buffer.from('{}'), 0);
  await store.compact(await store.delete('/elsewhere', revision));
  return store;
}

/** Answers that wait for time to pass do not wait long: their clock is turned. */
async function hurried(asked: Promise<TestAnswer>, path: string, clock: FakeClock): Promise<TestAnswer> {
  const seconds = Number(
    /timeoutSeconds=(\d+)/.exec(path)?.[1] ?? (path.includes('resourceVersion=999999999') ? 3 : 0),
  );
  if (seconds === 0) return asked;
  const state = { done: false };
  void asked.finally(() => (state.done = true));
  for (let turns = 0; !state.done; turns++) {
    // The request must have arrived before its time is up; a late one gets some more.
    if (turns % 10 === 5) await clock.advance(turns < 10 ? seconds * 1000 : 100);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return asked;
}
