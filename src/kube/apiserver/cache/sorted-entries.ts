/**
 * Entries in the order of their keys, in blocks: putting one among a hundred thousand moves the few hundred of its block
 * and no others. Who asks for all of them gets an array that stays as it was.
 */
import type { Entry } from './entry.ts';

export interface SortedEntries {
  /** Puts an entry in its place, or in the place of the one with the same key. */
  put(entry: Entry): void;
  remove(key: string): void;
  /** All of them; the same array until something changes, and never changed itself. */
  all(): readonly Entry[];
}

/** A block that grows beyond this becomes two. */
const BLOCK = 512;

export function sortedEntries(): SortedEntries {
  const blocks: Entry[][] = [[]];
  let all: readonly Entry[] | undefined;

  /** Where the block is that has the key, or would have it: the last that begins at or before it. */
  function blockOf(key: string): number {
    return Math.max(0, lowerBound(blocks, ([first]) => first !== undefined && first.key > key) - 1);
  }

  function split(at: number, block: Entry[]): void {
    blocks.splice(at + 1, 0, block.splice(BLOCK / 2));
  }

  return {
    put(entry) {
      const { key } = entry;
      const at = blockOf(key);
      const block = blocks[at]!;
      const place = placeOf(block, key);
      all = undefined;
      if (block[place]?.key === key) block[place] = entry;
      else if (place === block.length) block.push(entry);
      else block.splice(place, 0, entry);
      if (block.length > BLOCK) split(at, block);
    },
    remove(key) {
      const at = blockOf(key);
      const block = blocks[at]!;
      const place = placeOf(block, key);
      if (block[place]?.key !== key) return;
      all = undefined;
      block.splice(place, 1);
      if (block.length === 0 && blocks.length > 1) blocks.splice(at, 1);
    },
    all: () => (all ??= blocks.flat()),
  };
}

function placeOf(block: readonly Entry[], key: string): number {
  return lowerBound(block, (other) => other.key >= key);
}

/** The first index in `items` whose item passes `test`, where all items after a passing one pass too. */
export function lowerBound<T>(items: readonly T[], test: (item: T) => boolean, from = 0): number {
  let low = from;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(items[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The part of a sorted list that lies in one namespace. */
export function inNamespace(entries: readonly Entry[], namespace: string): readonly Entry[] {
  const from = lowerBound(entries, (entry) => entry.key >= `${namespace}/`);
  const to = lowerBound(entries, (entry) => entry.key >= `${namespace}0`, from);
  return from === 0 && to === entries.length ? entries : entries.slice(from, to);
}
