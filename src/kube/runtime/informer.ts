/**
 * A live copy of one resource, shared by all who need it, with indexes and news.
 *
 * Once `synced`, the copy trails the server by a moment and is never wrong about the past. Every subscriber is told every
 * change exactly once, in order, with the state before it; a late one is first told of everything there is. Objects are
 * shared: never change them. `reflector.ts` keeps the copy current, `object-cache.ts` holds it; {@link informers} gives
 * the same informer to everyone who asks for the same thing.
 */
import { type Clock, systemClock } from '#base/clock.ts';
import { type Ids, randomIds } from '#base/ids.ts';
import { type Log, silentLog } from '#base/log.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { type Gvr, groupResource } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type Change, type Indexer, objectCache } from './object-cache.ts';
import { reflect, type Scope } from './reflector.ts';

/** Told of each change; must be quick and must not throw. */
export type Subscriber<T extends KubeObject = KubeObject> = (change: Change<T>) => void;

export interface Informer<T extends KubeObject = KubeObject> {
  readonly gvr: Gvr;
  /** `namespace/name`, or the bare name of a cluster-scoped object. */
  get(key: string): T | undefined;
  list(): readonly T[];
  byIndex(index: string, value: string): readonly T[];
  /** Adds an index; one of that name that exists already stays. */
  index(name: string, indexer: Indexer<T>): void;
  /** Resolves when the copy is complete for the first time; rejects when it was stopped before. */
  readonly synced: Promise<void>;
  isSynced(): boolean;
  /** The returned function ends the subscription. */
  subscribe(subscriber: Subscriber<T>): () => void;
  /** Ends following the server; the copy stays as it is. */
  stop(): void;
}

export interface InformerDeps {
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly log?: Log;
}

export interface InformerOptions<T extends KubeObject> extends Scope {
  readonly indexers?: Readonly<Record<string, Indexer<T>>>;
}

/** Starts at once and follows until the signal aborts. */
export function informer<T extends KubeObject = KubeObject>(
  client: Pick<KubeClient, 'list' | 'watch'>,
  gvr: Gvr,
  { indexers = {}, ...scope }: InformerOptions<T>,
  { signal, clock = systemClock, ids = randomIds, log = silentLog }: InformerDeps,
): Informer<T> {
  const cache = objectCache<T>(indexers);
  const subscribers = new Set<Subscriber<T>>();
  const first = Promise.withResolvers<void>();
  const stopped = new AbortController();
  const stop = () => stopped.abort(signal.reason);
  let synced = false;

  function tell(subscriber: Subscriber<T>, change: Change<T>): void {
    try {
      subscriber(change);
    } catch (error) {
      // One bad subscriber must not keep the news from the others.
      log.error('a subscriber failed', { resource: groupResource(gvr), error });
    }
  }

  function publish(changes: readonly Change<T>[]): void {
    if (changes.length === 0) return;
    // Those who subscribe while the news is told have seen the state after all of it.
    const audience = [...subscribers];
    for (const change of changes) {
      for (const subscriber of audience) if (subscribers.has(subscriber)) tell(subscriber, change);
    }
  }

  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  // Whoever does not wait for it has no need to hear that it will never come.
  first.promise.catch(() => undefined);
  void reflect<T>({
    client,
    gvr,
    scope,
    clock,
    ids,
    log,
    signal: stopped.signal,
    onEvent: (event) => publish(cache.apply(event)),
    onState(objects) {
      publish(cache.replace(objects));
      synced = true;
      first.resolve();
    },
  }).finally(() => {
    signal.removeEventListener('abort', stop);
    first.reject(stopped.signal.reason);
  });

  return {
    gvr,
    get: (key) => cache.get(key),
    list: () => cache.list(),
    byIndex: (index, value) => cache.byIndex(index, value),
    index: (name, indexer) => cache.index(name, indexer),
    synced: first.promise,
    isSynced: () => synced,
    subscribe(subscriber) {
      // A subscription of its own even for a function that is subscribed twice.
      const own: Subscriber<T> = (change) => subscriber(change);
      for (const object of cache.list()) tell(own, { type: 'added', object });
      subscribers.add(own);
      return () => void subscribers.delete(own);
    },
    stop,
  };
}

/** One informer for each resource and scope of a client; asked for, it starts. */
export interface Informers {
  <T extends KubeObject = KubeObject>(gvr: Gvr, scope?: Scope): Informer<T>;
  /** Stops and forgets one: the next who asks gets a new one. */
  stop(gvr: Gvr, scope?: Scope): void;
}

export function informers(client: Pick<KubeClient, 'list' | 'watch'>, deps: InformerDeps): Informers {
  const known = new Map<string, Informer>();
  const idOf = (gvr: Gvr, { namespace, labelSelector, fieldSelector }: Scope) =>
    JSON.stringify([gvr.group, gvr.version, gvr.resource, namespace, labelSelector, fieldSelector]);

  function shared<T extends KubeObject>(gvr: Gvr, scope: Scope = {}): Informer<T> {
    const id = idOf(gvr, scope);
    let found = known.get(id);
    if (!found) known.set(id, (found = informer(client, gvr, scope, deps)));
    return found as unknown as Informer<T>;
  }

  function stop(gvr: Gvr, scope: Scope = {}): void {
    known.get(idOf(gvr, scope))?.stop();
    known.delete(idOf(gvr, scope));
  }

  return Object.assign(shared, { stop });
}
