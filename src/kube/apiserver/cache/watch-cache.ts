/**
 * The API server's memory: everything under `/registry/`, kept current by one watch on the store.
 *
 * Reads are answered from here, so a write is acknowledged only once its revision has been seen here
 * ({@link WatchCache.seen}). Changes are handed on commit by commit, one array for each resource, so that fan-out
 * costs one write per watcher and commit.
 */
import type { Log } from '#base/log.ts';
import { type Clock, sleep } from '#base/clock.ts';
import { StatusError } from '#base/status-error.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Change, Entry as StoreEntry, Revision, Store } from '#kube/store/store.ts';
import type { Limits } from '../limits.ts';
import { decodeStored, type Entry, entryOf } from './entry.ts';
import { type CacheEvent, type ResourceCache, resourceCache } from './resource-cache.ts';

export const REGISTRY = '/registry/';

export interface WatchCache {
  /** The newest revision seen. */
  revision(): Revision;
  resource(prefix: string): ResourceCache;
  /** Calls `listener` with each commit's changes of one resource, in order. */
  listen(prefix: string, listener: (events: readonly CacheEvent[]) => void): () => void;
  /** Resolves once `revision` has been seen, or with false after `waitMs`. */
  seen(revision: Revision, waitMs?: number): Promise<boolean>;
  /**
   * Tells the cache which object `value` is the encoding of, so that it need not be decoded again; the cache then owns
   * the object. The returned function takes it back, for a write that failed.
   */
  expect(key: string, value: Uint8Array, object: KubeObject): () => void;
  /** Whether the store's changes arrive. */
  healthy(): boolean;
}

interface Deps {
  readonly store: Store;
  /** Resources of the core group, whose keys carry no group. */
  readonly coreResources: ReadonlySet<string>;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly limits: Limits;
}

export async function watchCache(deps: Deps): Promise<WatchCache> {
  const { store, coreResources, clock, log, signal, limits } = deps;
  const newest = await store.revision();
  // From a while ago, and from there on by its changes: watchers of the process before this one go on where they were.
  const then = Math.max(EMPTY_STORE, await store.compacted(), newest - limits.resumedEvents);
  const first = await store.list(REGISTRY, { at: then });
  const past = await changesUpTo(newest, store, first.revision, signal);
  const resources = new Map<string, ResourceCache>();
  const listeners = new Map<string, Set<(events: readonly CacheEvent[]) => void>>();
  const expected = new Map<string, { readonly value: Uint8Array; readonly object: KubeObject }>();
  let waiting: { readonly revision: Revision; release(): void; end(): void }[] = [];
  let revision = first.revision;
  let healthy = true;

  function resource(prefix: string): ResourceCache {
    let cache = resources.get(prefix);
    if (!cache) resources.set(prefix, (cache = resourceCache(first.revision, limits)));
    return cache;
  }

  /** `/registry/apps/deployments/ns/name` is `ns/name` of `/registry/apps/deployments/`. */
  function split(key: string): { readonly prefix: string; readonly name: string } {
    const head = key.indexOf('/', REGISTRY.length);
    const core = coreResources.has(key.slice(REGISTRY.length, head));
    const end = (core ? head : key.indexOf('/', head + 1)) + 1;
    return { prefix: key.slice(0, end), name: key.slice(end) };
  }

  function decode(name: string, change: Change): Entry {
    const own = expected.get(change.key);
    if (!own || (own.value !== change.value && Buffer.compare(own.value, change.value) !== 0)) {
      return decodeStored(name, change.value, change.revision);
    }
    expected.delete(change.key);
    const metadata = own.object.metadata as { resourceVersion: string };
    metadata.resourceVersion = String(change.revision);
    return entryOf(name, change.revision, own.object, change.value);
  }

  function apply(changes: readonly Change[]): void {
    const batches = new Map<string, CacheEvent[]>();
    for (const change of changes) {
      const { prefix, name } = split(change.key);
      const entry = change.type === 'put' ? decode(name, change) : undefined;
      const event = resource(prefix).apply(change.revision, name, entry, change.value.length);
      revision = change.revision;
      if (!event) continue;
      const batch = batches.get(prefix);
      if (batch) batch.push(event);
      else batches.set(prefix, [event]);
    }
    for (const [prefix, events] of batches) for (const listener of listeners.get(prefix) ?? []) listener(events);
    release();
  }

  function release(): void {
    if (waiting.length === 0) return;
    const due = waiting.filter((one) => one.revision <= revision);
    if (due.length === 0) return;
    waiting = waiting.filter((one) => one.revision > revision);
    for (const one of due) one.release();
  }

  /** After the watch broke: whatever is different now is a change at the revision of the new listing. */
  async function resync(): Promise<void> {
    const { entries, revision: now } = await store.list(REGISTRY);
    const live = new Set(entries.map((entry) => entry.key));
    const gone: Change[] = [];
    for (const [prefix, cache] of resources) {
      for (const { key, revision: previous } of cache.entries()) {
        if (live.has(prefix + key)) continue;
        gone.push({ type: 'delete', key: prefix + key, value: EMPTY, revision: now, previous });
      }
    }
    apply([...gone, ...entries.filter(moved).sort(byRevision).map(asPut)]);
    revision = Math.max(revision, now);
    release();
  }

  function moved(entry: StoreEntry): boolean {
    const { prefix, name } = split(entry.key);
    return resource(prefix).get(name)?.revision !== entry.revision;
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const changes of store.watch(REGISTRY, revision, signal)) apply(changes);
      } catch (error) {
        if (signal.aborted) return;
        healthy = false;
        log.error('the watch on the store broke', { error });
        await sleep(clock, RETRY_MS, signal).catch(() => undefined);
      }
      if (signal.aborted) return;
      await resync().then(
        () => (healthy = true),
        (error: unknown) => log.error('the store cannot be listed', { error }),
      );
    }
  }

  function seen(wanted: Revision, waitMs?: number): Promise<boolean> {
    if (wanted <= revision) return Promise.resolve(true);
    if (signal.aborted) return Promise.reject(closed());
    return new Promise((resolve, reject) => {
      const cancel = waitMs === undefined ? undefined : clock.after(waitMs, giveUp);
      const waiter = { revision: wanted, release, end };
      waiting.push(waiter);
      function end(): void {
        cancel?.();
        reject(closed());
      }
      function release(): void {
        cancel?.();
        resolve(true);
      }
      function giveUp(): void {
        waiting = waiting.filter((one) => one !== waiter);
        resolve(false);
      }
    });
  }

  signal.addEventListener('abort', () => {
    for (const one of waiting.splice(0)) one.end();
  });
  for (const entry of first.entries) {
    const { prefix, name } = split(entry.key);
    resource(prefix).load(decodeStored(name, entry.value, entry.revision));
  }
  if (past.length > 0) apply(past);
  revision = Math.max(revision, newest);
  void follow();

  return {
    revision: () => revision,
    resource,
    listen(prefix, listener) {
      const set = listeners.get(prefix) ?? new Set();
      listeners.set(prefix, set.add(listener));
      return () => set.delete(listener);
    },
    seen,
    expect(key, value, object) {
      const own = { value, object };
      expected.set(key, own);
      return () => expected.get(key) === own && expected.delete(key);
    },
    healthy: () => healthy,
  };
}

/** What changed from a revision of the past on; of everything, so that the last revision is surely among it. */
async function changesUpTo(newest: Revision, store: Store, from: Revision, signal: AbortSignal): Promise<Change[]> {
  const past: Change[] = [];
  if (from >= newest) return past;
  for await (const changes of store.watch('', from, signal)) {
    for (const change of changes) {
      if (change.revision <= newest && change.key.startsWith(REGISTRY)) past.push(change);
    }
    if ((changes.at(-1)?.revision ?? 0) >= newest) break;
  }
  return past;
}

/** Nothing is followed any more: what somebody waits for is stored perhaps, but will not be seen here. */
function closed(): StatusError {
  return new StatusError('ServiceUnavailable', 'the server is closing');
}

const RETRY_MS = 500;
/** No change has this revision: a store begins with it. */
const EMPTY_STORE = 1;
const EMPTY = new Uint8Array();

function byRevision(a: StoreEntry, b: StoreEntry): number {
  return a.revision - b.revision;
}

function asPut({ key, value, revision }: StoreEntry): Change {
  return { type: 'put', key, value, revision, previous: 0 };
}
