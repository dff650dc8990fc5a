/**
 * Group commit: writes that gather while a commit is under way become the next one.
 *
 * So one writer alone pays one commit per write, and a hundred together share one: the slower the disk, the larger the
 * groups. Every write has its own outcome. Watchers are offered a commit before its writers are told.
 */
import type { Committed, Write } from './sqlite-engine.ts';
import type { Change, Revision } from './store.ts';
import { StoreConflict, unavailable } from './store-error.ts';

/** A group is cut off here, so that one commit never takes so long that those behind it suffer. */
const GROUP_WRITES = 1_000;
const GROUP_BYTES = 8_000_000;

export interface GroupCommit {
  write(key: string, value: Uint8Array | undefined, expected: Revision): Promise<Revision>;
  /** Resolves when nothing is waiting or under way. */
  idle(): Promise<void>;
}

interface Waiting extends Write, PromiseWithResolvers<Revision> {}

/** `commit` makes one group durable, `publish` offers it; neither is called again before the group is settled. */
export function groupCommit(
  commit: (writes: readonly Write[]) => Promise<Committed>,
  publish: (changes: readonly Change[]) => void,
): GroupCommit {
  let waiting: Waiting[] = [];
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    // Once around the event loop: requests that arrived together are written together.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const group = nextGroup();
      try {
        settle(group, await commit(group));
      } catch (error) {
        for (const write of group) write.reject(error);
      }
    }
    working = undefined;
  }

  function nextGroup(): Waiting[] {
    let size = 0;
    const cut = waiting.findIndex(({ value }, i) => i === GROUP_WRITES || (size += value?.length ?? 0) > GROUP_BYTES);
    if (cut === -1) {
      const all = waiting;
      waiting = [];
      return all;
    }
    return waiting.splice(0, Math.max(cut, 1));
  }

  function settle(group: readonly Waiting[], outcome: Committed): void {
    const changes = group.flatMap((write, i) => (outcome.revisions[i] ? [changeOf(write, i, outcome)] : []));
    publish(changes);
    for (const [i, write] of group.entries()) tell(write, i, outcome);
  }

  return {
    write(key, value, expected) {
      const write = { key, value, expected, ...Promise.withResolvers<Revision>() };
      waiting.push(write);
      working ??= work();
      return write.promise;
    },
    async idle() {
      await working;
    },
  };
}

function changeOf({ key, value, expected }: Write, index: number, { revisions, removed }: Committed): Change {
  return {
    type: value ? 'put' : 'delete',
    key,
    value: value ?? removed.get(index) ?? new Uint8Array(),
    revision: revisions[index] ?? 0,
    previous: expected, // its guard held
  };
}

function tell(write: Waiting, index: number, { revisions, conflicts, failures }: Committed): void {
  const revision = revisions[index];
  const found = conflicts.get(index);
  if (revision) write.resolve(revision);
  else if (found !== undefined) write.reject(new StoreConflict(write.key, write.expected, found));
  else write.reject(unavailable(`key "${write.key}" cannot be written: ${failures.get(index) ?? 'no outcome'}`));
}
