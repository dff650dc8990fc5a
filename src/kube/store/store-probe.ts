/** What the contract suite looks at stores with: background watches, and short texts to compare. */
import assert from 'node:assert/strict';
import { hasReason, type Reason } from '#base/status-error.ts';
import type { Change, Listing, Revision, Store } from './store.ts';
import { conflictingRevision } from './store-error.ts';

export interface Collected {
  readonly from: Revision;
  readonly batches: readonly (readonly Change[])[];
  readonly changes: readonly Change[];
  readonly ended: Promise<void>;
  /** Resolves once the change at `revision` has arrived. */
  reaches(revision: Revision): Promise<void>;
  stop(): Promise<void>;
}

/** Watches in the background and keeps what arrives. */
export function collect(store: Store, prefix: string, from: Revision): Collected {
  const batches: (readonly Change[])[] = [];
  const changes: Change[] = [];
  const stopped = new AbortController();
  let wake = Promise.withResolvers<void>();

  const ended = (async () => {
    for await (const batch of store.watch(prefix, from, stopped.signal)) {
      batches.push(batch);
      changes.push(...batch);
      wake.resolve();
      wake = Promise.withResolvers();
    }
  })();

  return {
    from,
    batches,
    changes,
    ended,
    async reaches(revision) {
      while ((changes.at(-1)?.revision ?? 0) < revision) await Promise.race([wake.promise, ended.then(endedEarly)]);
    },
    async stop() {
      stopped.abort();
      await ended;
    },
  };
}

function endedEarly(): never {
  throw new Error('the watch ended before the change arrived');
}

/** The first array of a watch. */
export async function firstOf(store: Store, from: Revision): Promise<readonly Change[]> {
  const stopped = new AbortController();
  for await (const batch of store.watch('', from, stopped.signal)) return batch;
  return [];
}

/** `outcome` is refused for `reason`; a conflict, with the revision `current`. */
export async function refused(outcome: Promise<unknown>, reason: Reason, current?: Revision): Promise<void> {
  await assert.rejects(outcome, (error) => {
    assert.ok(hasReason(error, reason), `expected ${reason}, found ${String(error)}`);
    if (reason === 'Conflict') assert.equal(conflictingRevision(error), current);
    return true;
  });
}

export function bytes(value: string): Uint8Array {
  return Buffer.from(value);
}

export function text(value: Uint8Array | undefined): string | undefined {
  return value && Buffer.from(value).toString();
}

export function shown(listing: Listing): readonly string[] {
  return listing.entries.map((entry) => `${entry.key}=${text(entry.value)}`);
}

export function asText({ type, key, value, revision, previous }: Change): string {
  return `${type} ${key}=${text(value)} @${revision} after ${previous}`;
}
