/**
 * The durability test: a process writes to a store file and is killed with SIGKILL at a random moment, again and again,
 * and after each time the file must hold every write it acknowledged.
 *
 * Checked after each kill: acknowledged writes are there with their values, revisions go on and none was given twice,
 * history has no gap, and a watch from the last change that was seen goes on with the next. Start at {@link killLoop};
 * the killed program is `kill-child.ts`.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sqliteStore } from './sqlite-store.ts';
import type { Change, Revision, Store } from './store.ts';

export interface KillLoopOptions {
  readonly file: string;
  readonly rounds: number;
  /** The same seed kills after the same numbers of acknowledgements. */
  readonly seed: number;
  readonly durability: 'full' | 'normal';
}

export interface KillLoopReport {
  readonly rounds: number;
  readonly acknowledged: number;
  readonly revision: Revision;
}

const MOST_ACKNOWLEDGEMENTS = 600;

/** Kills a writing process `rounds` times; throws an AssertionError at the first promise that is broken. */
export async function killLoop({ file, rounds, seed, durability }: KillLoopOptions): Promise<KillLoopReport> {
  const random = randomOf(seed);
  let acknowledged = 0;
  let revision: Revision = 1;
  for (let round = 1; round <= rounds; round++) {
    const after = Math.floor(random() * MOST_ACKNOWLEDGEMENTS);
    const told = await killed([file, durability, `${seed}.${round}`], after);
    const store = await sqliteStore({ file, durability });
    try {
      await checkAcknowledged(store, told, revision);
      await checkHistory(store, told);
      revision = await store.revision();
    } finally {
      await store.close();
    }
    acknowledged += told.acknowledged.length;
  }
  return { rounds, acknowledged, revision };
}

/** The value that a label stands for: of some bytes or of some pages. */
export function valueOf(label: string): Uint8Array {
  const seed = Buffer.from(label).reduce((sum, byte) => (sum * 31 + byte) % 9_973, 7);
  return Buffer.from(`${label} `.repeat(1 + Math.floor(seed / (label.length + 1))));
}

interface Acknowledged {
  readonly revision: Revision;
  readonly key: string;
  readonly label: string;
}

/** What a process said before it was killed. */
interface Told {
  readonly acknowledged: Acknowledged[];
  readonly seen: Revision[];
}

/** Runs the writing program until it has acknowledged `after` writes, then kills it. */
async function killed(args: readonly string[], after: number): Promise<Told> {
  const told: Told = { acknowledged: [], seen: [] };
  const program = fileURLToPath(new URL('./kill-child.ts', import.meta.url));
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise<NodeJS.Signals | null>((resolve) =>
    child.once('exit', (_code, signal) => resolve(signal)),
  );
  let ready = false;
  for await (const line of createInterface({ input: child.stdout })) {
    const [word, revision = '', key = '', label = ''] = line.split(' ');
    if (word === 'ready') ready = true;
    if (word === 'seen') told.seen.push(Number(revision));
    if (word === 'ack') told.acknowledged.push({ revision: Number(revision), key, label });
    if (ready && told.acknowledged.length >= after) child.kill('SIGKILL');
  }
  assert.equal(await exited, 'SIGKILL', 'the writing process must live until it is killed');
  return told;
}

async function checkAcknowledged(store: Store, told: Told, before: Revision): Promise<void> {
  const revision = await store.revision();
  const given = told.acknowledged.map((write) => write.revision);
  assert.equal(new Set(given).size, given.length, 'a revision was given twice');
  assert.ok(
    given.every((each) => each > before && each <= revision),
    'acknowledged revisions lie between those found before and after',
  );

  const last = new Map<string, Acknowledged>();
  for (const write of told.acknowledged) last.set(write.key, write);
  for (const [key, write] of last) {
    const entry = await store.get(key);
    // A later write may have been committed without its acknowledgement getting out.
    if (entry && entry.revision > write.revision) continue;
    if (write.label === '-') assert.equal(entry, undefined, `${key} was deleted`);
    else if (entry) assertValue(entry.value, write);
    else assert.ok(await deletedAfter(store, write), `${key} at ${write.revision} is lost`);
  }
}

async function deletedAfter(store: Store, { key, revision }: Acknowledged): Promise<boolean> {
  const from = Math.max(revision, await store.compacted());
  return (await changesAfter(store, from)).some((change) => change.key === key && change.type === 'delete');
}

async function checkHistory(store: Store, told: Told): Promise<void> {
  const compacted = await store.compacted();
  const history = await changesAfter(store, compacted);
  assertDense(history, Math.max(compacted, 1));
  assertDense(
    told.seen.map((revision) => ({ revision })),
    (told.seen[0] ?? 1) - 1,
  );

  const at = new Map(history.map((change) => [change.revision, change]));
  for (const write of told.acknowledged.filter(({ revision }) => revision > compacted)) {
    const change = at.get(write.revision);
    assert.equal(change?.key, write.key);
    assert.equal(change?.type, write.label === '-' ? 'delete' : 'put');
    if (change?.type === 'put') assertValue(change.value, write);
  }

  const seen = told.seen.at(-1) ?? 0;
  if (seen >= compacted) {
    const rest = history.filter((change) => change.revision > seen).map((change) => change.revision);
    const watched = (await changesAfter(store, seen)).map((change) => change.revision);
    assert.deepEqual(watched, rest);
  }
}

/** Every write takes one revision, so changes without a gap have every number. */
function assertDense(changes: readonly { readonly revision: Revision }[], from: Revision): void {
  const revisions = changes.map((change) => change.revision);
  assert.deepEqual(
    revisions,
    revisions.map((_, i) => from + 1 + i),
    'history has a gap or a duplicate',
  );
}

function assertValue(value: Uint8Array, { key, label, revision }: Acknowledged): void {
  assert.ok(Buffer.compare(value, valueOf(label)) === 0, `${key} at ${revision} is not what was written`);
}

/** What a watch from `from` yields up to the store's newest revision. */
async function changesAfter(store: Store, from: Revision): Promise<Change[]> {
  const until = await store.revision();
  const changes: Change[] = [];
  if (from === until) return changes;
  const stopped = new AbortController();
  for await (const commit of store.watch('', from, stopped.signal)) {
    changes.push(...commit);
    if ((commit.at(-1)?.revision ?? 0) >= until) break;
  }
  return changes;
}

/** A small generator of numbers in [0, 1) that a seed repeats (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
