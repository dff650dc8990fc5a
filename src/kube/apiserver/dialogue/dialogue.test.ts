/**
 * Every exchange of the recording, in its order, against one server. The table below names those that are not answered
 * alike, and why; it can only become shorter, for one that is answered alike fails the test as well.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FakeClock, fakeClock } from '#base/clock.ts';
import { memoryStore, type Store } from '#kube/store/index.ts';
import { call, testServer, type TestAnswer } from '../testing.ts';
import { differences, readDialogue, timeOf, translation, type Turn } from './dialogue.ts';

const DIFFERENT: Readonly<Record<string, string>> = {
  version: 'ours names itself',
  'readyz verbose': 'ours has checks of its own',
  'root paths': 'ours has checks of its own, and no OpenID paths',
  'openapi v3 index': 'ours lists the group versions only',
  'openapi v2 json head': 'ours has no descriptions',
  'token request': 'tokens of service accounts are not issued',
  'pod spec immutable': "Go's diff of two structs is not repeated",
  ssrr: 'RBAC is not built in',
  'table:apiservices': 'no aggregation of other API servers',
  'table:clusterroles': 'RBAC is not built in',
  'table:crb': 'RBAC is not built in',
  'table:pc': 'ours are as old as the server, not older',
  'crd create': 'the order of keys below items of a schema',
  'crd established': 'the order of keys below items of a schema',
  'crd status drop on create': 'the order of keys below items of a schema',
  'crd resources': 'CEL rules are not asked',
  'cr multi invalid': 'the order of several errors',
  'crd delete': 'the order of keys below items of a schema',
  'apiservice status': 'no aggregation of other API servers',
  'apiservice unavailable': 'no aggregation of other API servers',
  'agg disc stale': 'no aggregation of other API servers',
};

const AS_ALICE = new Set(['403 resource', '403 list cluster', '403 nonresource', '403 create apps', 'rbac escalate']);

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
    const clock = recordedClock(timeOf(turns.find((turn) => timeOf(turn) !== undefined) ?? turns[0]!) ?? 0);
    const { url } = await testServer(t, { clock, anonymous: true, store: await usedStore() });
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
  const revision = await store.put('/registry/configmaps/default/past', Buffer.from('{}'), 0);
  await store.delete('/registry/configmaps/default/past', revision);
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
