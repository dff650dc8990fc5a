/**
 * A store in memory, for tests and for state that may die with its process.
 *
 * It keeps the whole {@link Store} contract except surviving its process. Writes made in one turn of the event loop are
 * applied at once and acknowledged together, as the durable stores do it, so what runs on this one runs on those.
 */
import { compareKeys, lowerBound } from './key-order.ts';
import type { Change, Entry, Listing, Page, Revision, Store } from './store.ts';
import { checkRevision, StoreConflict, unavailable } from './store-error.ts';
import { type Replay, watchers } from './watchers.ts';

/** What one key was at one revision; without a value once deleted. */
interface Version {
  readonly revision: Revision;
  readonly value: Uint8Array | undefined;
}

/** Revision 1 is the empty store, as in etcd: a list of nothing has a revision to watch from. */
const FIRST: Revision = 1;

export function memoryStore(): Store {
  const versions = new Map<string, Version[]>();
  /** The keys of `versions` in key order. */
  let keys: string[] = [];
  /** Every change after `horizon`; each took one revision, so they are dense. */
  let log: Change[] = [];
  let revision = FIRST;
  let horizon: Revision = 0;
  let closed = false;
  let commit: Change[] = [];
  let acknowledgements: (() => void)[] = [];

  const watching = watchers({ published: () => revision, replay: async (...asked) => replay(...asked) });

  function replay(prefix: string, from: Revision, limit: number): Replay {
    checkRevision(from, horizon, revision);
    const after = log.slice(lastIndexUpTo(log, from) + 1);
    const changes = after.filter((change) => change.key.startsWith(prefix)).slice(0, limit);
    return { changes, upTo: changes.length < limit ? revision : (changes.at(-1)?.revision ?? revision) };
  }

  function entryAt(key: string, at: Revision): Entry | undefined {
    const history = versions.get(key) ?? [];
    const version = history[lastIndexUpTo(history, at)];
    return version?.value && { key, value: version.value, revision: version.revision };
  }

  function listing(prefix: string, { after, limit, at = revision }: Page): Listing {
    checkRevision(at, horizon, revision);
    const room = limit || Number.POSITIVE_INFINITY;
    const entries: Entry[] = [];
    for (let i = lowerBound(keys, start(prefix, after)); i < keys.length; i++) {
      const key = keys[i] ?? '';
      if (!key.startsWith(prefix)) break;
      const entry = key === after ? undefined : entryAt(key, at);
      if (!entry) continue;
      if (entries.length === room) return { revision: at, entries, more: true };
      entries.push(entry);
    }
    return { revision: at, entries, more: false };
  }

  function write(key: string, value: Uint8Array | undefined, expected: Revision): Promise<Revision> {
    const last = versions.get(key)?.at(-1);
    const previous = last?.value ? last.revision : 0;
    if (previous !== expected || (!value && previous === 0)) {
      return Promise.reject(new StoreConflict(key, expected, previous));
    }
    const kept = value ?? last?.value ?? new Uint8Array();
    const change: Change = { type: value ? 'put' : 'delete', key, value: kept, revision: ++revision, previous };
    remember(key, { revision, value });
    log.push(change);
    return acknowledged(change);
  }

  function remember(key: string, version: Version): void {
    const history = versions.get(key);
    if (history) history.push(version);
    else {
      versions.set(key, [version]);
      keys.splice(lowerBound(keys, key), 0, key);
    }
  }

  function acknowledged(change: Change): Promise<Revision> {
    if (commit.push(change) === 1) queueMicrotask(acknowledge);
    return new Promise((resolve) => acknowledgements.push(() => resolve(change.revision)));
  }

  function acknowledge(): void {
    const [offered, writers] = [commit, acknowledgements];
    commit = [];
    acknowledgements = [];
    watching.publish(offered);
    for (const resolve of writers) resolve();
  }

  function forget(before: Revision): void {
    checkRevision(before, 0, revision);
    if (before <= horizon) return;
    horizon = before;
    log = log.slice(lastIndexUpTo(log, before) + 1);
    for (const [key, history] of versions) {
      const oldest = lastIndexUpTo(history, before);
      // A deletion that nothing older can be asked about is no longer needed either.
      const drop = oldest >= 0 && !history[oldest]?.value ? oldest + 1 : oldest;
      if (drop > 0) history.splice(0, drop);
      if (history.length === 0) versions.delete(key);
    }
    keys = keys.filter((key) => versions.has(key));
  }

  function whileOpen(): void {
    if (closed) throw unavailable('the store is closed');
  }

  return {
    async revision() {
      whileOpen();
      return revision;
    },
    async get(key, at = revision) {
      whileOpen();
      checkRevision(at, horizon, revision);
      return entryAt(key, at);
    },
    async list(prefix, page = {}) {
      whileOpen();
      return listing(prefix, page);
    },
    put: (key, value, expected) => (closed ? refused() : write(key, value, expected)),
    delete: (key, expected) => (closed ? refused() : write(key, undefined, expected)),
    watch: (prefix, from, signal) => watching.watch(prefix, from, signal),
    async compact(before) {
      whileOpen();
      forget(before);
    },
    async compacted() {
      whileOpen();
      return horizon;
    },
    async close() {
      closed = true;
      if (commit.length > 0) acknowledge();
      watching.end();
    },
  };
}

function refused(): Promise<never> {
  return Promise.reject(unavailable('the store is closed'));
}

/** Where a page begins: at the prefix, or at the last key of the page before. */
function start(prefix: string, after: string | undefined): string {
  return after !== undefined && compareKeys(after, prefix) > 0 ? after : prefix;
}

/** The index of the last item at or before `revision`, or -1. */
function lastIndexUpTo(items: readonly { readonly revision: Revision }[], revision: Revision): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((items[middle]?.revision ?? 0) <= revision) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
