/**
 * A model of {@link Store} to test stores against: the same random operations on a plain array of changes and on the
 * store must have the same results, and every watcher must have seen exactly the array.
 */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { hasReason } from '#base/status-error.ts';
import type { Change, Entry, Revision, Store } from './store.ts';
import type { ContractOptions, OpenStore } from './store-contract.ts';
import { conflictingRevision } from './store-error.ts';

const KEYS = ['/a', '/a/1', '/a/2', '/b', '/b/1', '/c\uffee', '/c\u{1f600}'];
const PREFIXES = ['', '/', '/a', '/a/', '/b/1', '/c'];

/** Revisions are drawn as fractions of what exists when the operation runs. */
const fraction = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100);
const key = fc.constantFrom(...KEYS);
const prefix = fc.constantFrom(...PREFIXES);
const guard = fc.constantFrom('right', 'right', 'right', 'absent', 'stale');

const operation = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('put'), key, guard, together: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete'), key, guard, together: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('get'), key, at: fraction }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('list'), prefix, at: fraction, limit: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('watch'), prefix, from: fraction }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('compact'), before: fraction }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen') }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/** Runs `runs` random sequences of operations on fresh stores from `open`. */
export async function checkAgainstModel(open: OpenStore, runs: number, options: ContractOptions = {}): Promise<void> {
  const sequence = fc.asyncProperty(fc.array(operation, { maxLength: 60, size: 'max' }), async (operations) => {
    const opened = await open();
    try {
      await run(opened.store, opened.reopen, options.groups === false ? operations.map(alone) : operations);
    } finally {
      await opened.cleanup();
    }
  });
  await fc.assert(sequence, { seed: 1, numRuns: runs });
}

/** The order of writes under way together is known of stores that group them only. */
function alone(step: Operation): Operation {
  return 'together' in step ? { ...step, together: false } : step;
}

async function run(first: Store, reopen: (() => Promise<Store>) | undefined, operations: readonly Operation[]) {
  const model: Model = { changes: [], revision: 1, horizon: 0 };
  let store = first;
  let underWay: Promise<void>[] = [];
  let watches: Watched[] = [];
  let serial = 0;

  for (const step of operations) {
    if (step.do === 'put' || step.do === 'delete') {
      const value = step.do === 'put' ? `v${++serial}` : undefined;
      underWay.push(write(model, store, step.key, value, guardOf(model, step.key, step.guard)));
      if (step.together) continue;
    }
    await Promise.all(underWay.splice(0));
    if (step.do === 'get') await get(model, store, step.key, revisionOf(model, step.at));
    if (step.do === 'list') await list(model, store, step.prefix, revisionOf(model, step.at), step.limit);
    if (step.do === 'watch') watches.push(watch(model, store, step.prefix, revisionOf(model, step.from)));
    if (step.do === 'compact') await compact(model, store, revisionOf(model, step.before), watches);
    if (step.do === 'reopen' && reopen) {
      await Promise.all(watches.splice(0).map((each) => each.finish(model)));
      store = await reopen();
    }
  }
  await Promise.all(underWay);
  await Promise.all(watches.map((each) => each.finish(model)));
  await list(model, store, '', model.revision, 0);
}

interface Model {
  readonly changes: Change[];
  revision: Revision;
  horizon: Revision;
}

function lastChange(model: Model, key: string, at = model.revision): Change | undefined {
  return model.changes.findLast((change) => change.key === key && change.revision <= at);
}

function currentRevision(model: Model, key: string): Revision {
  const last = lastChange(model, key);
  return last?.type === 'put' ? last.revision : 0;
}

function guardOf(model: Model, key: string, kind: string): Revision {
  if (kind === 'absent') return 0;
  const current = currentRevision(model, key);
  return kind === 'stale' ? current + 1 : current;
}

function revisionOf(model: Model, share: number): Revision {
  return Math.round(share * model.revision);
}

function write(model: Model, store: Store, key: string, value: string | undefined, expected: Revision): Promise<void> {
  const previous = currentRevision(model, key);
  const outcome = value === undefined ? store.delete(key, expected) : store.put(key, Buffer.from(value), expected);
  if (previous !== expected || (value === undefined && previous === 0)) {
    return outcome.then(
      (revision) => assert.fail(`${key} was written at ${revision} past its guard`),
      (error) => assert.equal(conflictingRevision(error), previous),
    );
  }
  const kept = value === undefined ? (lastChange(model, key)?.value ?? Buffer.of()) : Buffer.from(value);
  const revision = ++model.revision;
  model.changes.push({ type: value === undefined ? 'delete' : 'put', key, value: kept, revision, previous });
  return outcome.then((actual) => assert.equal(actual, revision));
}

async function get(model: Model, store: Store, key: string, at: Revision): Promise<void> {
  if (at < model.horizon) return expired(store.get(key, at));
  const found = await store.get(key, at);
  const last = lastChange(model, key, at);
  assert.deepEqual(found && entry(found), last?.type === 'put' ? entry(last) : undefined);
}

async function list(model: Model, store: Store, prefix: string, at: Revision, limit: number): Promise<void> {
  if (at < model.horizon) return expired(store.list(prefix, { at }));
  const found: unknown[] = [];
  for (let after: string | undefined; ; ) {
    const page = await store.list(prefix, { at, limit, ...(after === undefined ? {} : { after }) });
    assert.equal(page.revision, at);
    found.push(...page.entries.map(entry));
    after = page.entries.at(-1)?.key;
    if (!page.more) break;
    assert.equal(page.entries.length, limit);
  }
  const expected = KEYS.filter((each) => each.startsWith(prefix))
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map((each) => lastChange(model, each, at))
    .filter((change) => change?.type === 'put');
  assert.deepEqual(
    found,
    expected.map((change) => change && entry(change)),
  );
}

async function compact(model: Model, store: Store, before: Revision, watches: readonly Watched[]): Promise<void> {
  // Whether the revision before the first write was forgotten cannot be told everywhere: there was nothing then.
  if (before <= 1) return;
  // A watch that is still replaying may rightly be overtaken: not what is tested here.
  await Promise.all(watches.map((each) => each.caughtUp(model)));
  await store.compact(before);
  model.horizon = Math.max(model.horizon, before);
  assert.equal(await store.compacted(), model.horizon);
}

interface Watched {
  caughtUp(model: Model): Promise<void>;
  /** Ends the watch and compares all it saw with the model. */
  finish(model: Model): Promise<void>;
}

function watch(model: Model, store: Store, prefix: string, from: Revision): Watched {
  const seen: Change[] = [];
  const stop = new AbortController();
  const { horizon } = model;
  let wake = Promise.withResolvers<void>();
  const ended = (async () => {
    for await (const batch of store.watch(prefix, from, stop.signal)) {
      seen.push(...batch);
      wake.resolve();
      wake = Promise.withResolvers();
    }
  })();
  ended.catch(() => undefined); // looked at by finish

  const expected = (now: Model) => now.changes.filter((c) => c.revision > from && c.key.startsWith(prefix));
  const caughtUp = async (now: Model) => {
    if (from < horizon) return;
    while (seen.length < expected(now).length) await Promise.race([wake.promise, ended]);
  };
  return {
    caughtUp,
    async finish(now) {
      if (from < horizon) return expired(ended);
      await caughtUp(now);
      stop.abort();
      await ended;
      assert.deepEqual(seen.map(plain), expected(now).map(plain));
    },
  };
}

async function expired(outcome: Promise<unknown>): Promise<void> {
  await assert.rejects(outcome, (error) => hasReason(error, 'Expired'));
}

function entry({ key, value, revision }: Entry) {
  return { key, value: Buffer.from(value).toString(), revision };
}

function plain(change: Change) {
  return { ...change, value: Buffer.from(change.value).toString() };
}
