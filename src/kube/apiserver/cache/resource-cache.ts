/**
 * All objects of one stored resource, in key order, and the recent changes that led to them.
 *
 * The history answers watches that start in the past, pages of a list whose later pages must show the same moment as
 * its first, and lists at an exact revision. What lies before {@link ResourceCache.oldest} has expired.
 */
import type { Revision } from '#kube/store/store.ts';
import { LIMITS, type Limits } from '../limits.ts';
import { type Entry, entryAt } from './entry.ts';
import { lowerBound, sortedEntries } from './sorted-entries.ts';

export interface CacheEvent {
  readonly revision: Revision;
  readonly key: string;
  /** Absent after a delete. */
  readonly entry: Entry | undefined;
  /** Absent before a create. */
  readonly previous: Entry | undefined;
  /** The previous content under this revision: what watchers are told who see the object no more. */
  last(): Entry | undefined;
}

export interface ResourceCache {
  get(key: string): Entry | undefined;
  /** The current objects in key order, safe to keep. */
  entries(): readonly Entry[];
  /** The objects as of `revision`, safe to keep; undefined when that moment has been forgotten. */
  snapshot(revision: Revision): readonly Entry[] | undefined;
  /** Changes after `revision`; undefined when some of them have been forgotten. */
  since(revision: Revision): readonly CacheEvent[] | undefined;
  /** The earliest revision that `since` and `snapshot` still know. */
  oldest(): Revision;
  /** What the store held at the start, in key order. */
  load(entry: Entry): void;
  apply(revision: Revision, key: string, entry: Entry | undefined, size: number): CacheEvent | undefined;
}

/** Changes whose objects are kept decoded: more than a commit has, whose watchers are all told before the next. */
const RECENT = 1024;

export function resourceCache(
  start: Revision,
  limits: Pick<Limits, 'historyEvents' | 'historyBytes'> = LIMITS,
): ResourceCache {
  const byKey = new Map<string, Entry>();
  const sorted = sortedEntries();
  let history: KeptEvent[] = [];
  // Events before `first` are forgotten; the array is cut only now and then, since shifting it is expensive.
  let first = 0;
  let bytes = 0;
  let oldest = start;
  let pinned: { readonly revision: Revision; readonly entries: readonly Entry[] } | undefined;

  function remember(event: KeptEvent): void {
    history.push(event);
    history.at(-RECENT)?.previous?.archive();
    bytes += event.size;
    while (
      history.length - first > limits.historyEvents ||
      (bytes > limits.historyBytes && history.length - first > 1)
    ) {
      const dropped = history[first++];
      if (!dropped) break;
      bytes -= dropped.size;
      oldest = dropped.revision;
    }
    if (first > 1024 && first * 2 > history.length) {
      history = history.slice(first);
      first = 0;
    }
  }

  /** The place in `history` of the first event after `revision`. */
  function after(revision: Revision): number {
    return lowerBound(history, (event) => event.revision > revision, first);
  }

  function undo(revision: Revision): readonly Entry[] {
    const before = new Map<string, Entry | undefined>();
    for (let i = history.length - 1; i >= first; i--) {
      const event = history[i];
      if (!event || event.revision <= revision) break;
      before.set(event.key, event.previous);
    }
    const entries = sorted.all().filter((entry) => !before.has(entry.key));
    for (const entry of before.values()) if (entry) entries.push(entry);
    return entries.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  return {
    get: (key) => byKey.get(key),
    entries: () => sorted.all(),
    oldest: () => oldest,
    snapshot(revision) {
      if (revision < oldest) return undefined;
      if (pinned?.revision === revision) return pinned.entries;
      const newest = history.at(-1)?.revision ?? start;
      pinned = { revision, entries: newest <= revision ? sorted.all() : undo(revision) };
      return pinned.entries;
    },
    since(revision) {
      if (revision < oldest) return undefined;
      return history.slice(after(revision));
    },
    load(entry) {
      byKey.set(entry.key, entry);
      sorted.put(entry);
    },
    apply(revision, key, entry, size) {
      const previous = byKey.get(key);
      if (!entry && !previous) return undefined;
      if (entry) {
        byKey.set(key, entry);
        sorted.put(entry);
      } else {
        byKey.delete(key);
        sorted.remove(key);
      }
      const event = new KeptEvent(revision, key, entry, previous, size);
      remember(event);
      return event;
    },
  };
}

/** A class, as entries are one: as many are kept as changes are remembered. */
class KeptEvent implements CacheEvent {
  readonly revision: Revision;
  readonly key: string;
  readonly entry: Entry | undefined;
  readonly previous: Entry | undefined;
  /** Bytes of the change, by which the history is bounded. */
  readonly size: number;
  #last: Entry | undefined;

  constructor(revision: Revision, key: string, entry: Entry | undefined, previous: Entry | undefined, size: number) {
    this.revision = revision;
    this.key = key;
    this.entry = entry;
    this.previous = previous;
    this.size = size;
  }

  last(): Entry | undefined {
    return (this.#last ??= this.previous && entryAt(this.previous, this.revision));
  }
}
