/**
 * The state of one resource as its watch tells it, and what each piece of news changed.
 *
 * News may repeat (a watch resumed a little early) or come as a whole new state (after a gap): the changes returned are
 * exactly the steps from the state before to the state after. An object deleted and created again under its name is two
 * changes, even when only the result was seen. Pure but for its own memory.
 */
import { keyOf, type KubeObject, type WatchEvent } from '#kube/meta/object.ts';

export type Change<T extends KubeObject = KubeObject> =
  | { readonly type: 'added'; readonly object: T; readonly old?: undefined }
  | { readonly type: 'modified'; readonly object: T; readonly old: T }
  /** `object` is its last state, as the server told it or as it was last seen. */
  | { readonly type: 'deleted'; readonly object: T; readonly old: T };

/** The values under which an object is found. */
export type Indexer<T extends KubeObject = KubeObject> = (object: T) => Iterable<string>;

export interface ObjectCache<T extends KubeObject> {
  get(key: string): T | undefined;
  list(): readonly T[];
  size(): number;
  byIndex(index: string, value: string): readonly T[];
  /** Adds an index; one of that name that exists already stays. */
  index(name: string, indexer: Indexer<T>): void;
  /** One event of a watch. */
  apply(event: WatchEvent<T>): readonly Change<T>[];
  /** A complete new state. */
  replace(objects: Iterable<T>): readonly Change<T>[];
}

const NONE: readonly never[] = [];

export function objectCache<T extends KubeObject>(indexers: Readonly<Record<string, Indexer<T>>> = {}): ObjectCache<T> {
  const objects = new Map<string, T>();
  const indexes = new Map<string, Index<T>>();
  let listed: readonly T[] | undefined;

  function store(key: string, object: T, old: T | undefined): void {
    objects.set(key, object);
    listed = undefined;
    for (const index of indexes.values()) index.move(key, old, object);
  }

  function drop(key: string, old: T): void {
    objects.delete(key);
    listed = undefined;
    for (const index of indexes.values()) index.move(key, old, undefined);
  }

  function put(key: string, object: T): readonly Change<T>[] {
    const old = objects.get(key);
    store(key, object, old);
    if (!old) return [{ type: 'added', object }];
    if (old.metadata.uid === object.metadata.uid) return [{ type: 'modified', object, old }];
    return [
      { type: 'deleted', object: old, old },
      { type: 'added', object },
    ];
  }

  function index(name: string, indexer: Indexer<T>): void {
    if (indexes.has(name)) return;
    const added = indexOf(indexer);
    for (const [key, object] of objects) added.move(key, undefined, object);
    indexes.set(name, added);
  }

  for (const [name, indexer] of Object.entries(indexers)) index(name, indexer);

  return {
    get: (key) => objects.get(key),
    list: () => (listed ??= [...objects.values()]),
    size: () => objects.size,
    byIndex: (name, value) => indexes.get(name)?.find(value) ?? NONE,
    index,
    apply({ type, object }) {
      if (type === 'BOOKMARK') return NONE;
      const key = keyOf(object);
      const old = objects.get(key);
      if (old && isOld(object, old)) return NONE;
      if (type !== 'DELETED') return put(key, object);
      if (!old) return NONE;
      drop(key, old);
      return [{ type: 'deleted', object, old }];
    },
    replace(fresh) {
      const changes: Change<T>[] = [];
      const state = new Map<string, T>();
      for (const object of fresh) state.set(keyOf(object), object);
      for (const [key, old] of objects) {
        if (state.has(key)) continue;
        drop(key, old);
        changes.push({ type: 'deleted', object: old, old });
      }
      for (const [key, object] of state) if (!isSame(object, objects.get(key))) changes.push(...put(key, object));
      return changes;
    },
  };
}

interface Index<T extends KubeObject> {
  find(value: string): readonly T[];
  move(key: string, from: T | undefined, to: T | undefined): void;
}

function indexOf<T extends KubeObject>(indexer: Indexer<T>): Index<T> {
  const buckets = new Map<string, Map<string, T>>();
  return {
    find: (value) => [...(buckets.get(value)?.values() ?? NONE)],
    move(key, from, to) {
      if (from) {
        for (const value of indexer(from)) {
          const bucket = buckets.get(value);
          bucket?.delete(key);
          if (bucket?.size === 0) buckets.delete(value);
        }
      }
      if (to) {
        for (const value of indexer(to)) {
          const bucket = buckets.get(value);
          if (bucket) bucket.set(key, to);
          else buckets.set(value, new Map([[key, to]]));
        }
      }
    },
  };
}

function isSame(a: KubeObject, b: KubeObject | undefined): boolean {
  return (
    b !== undefined && a.metadata.uid === b.metadata.uid && a.metadata.resourceVersion === b.metadata.resourceVersion
  );
}

/** Whether `news` was known already: a watch resumed from an earlier revision tells some things again. */
function isOld(news: KubeObject, known: KubeObject): boolean {
  if (news.metadata.resourceVersion === known.metadata.resourceVersion) return true;
  // Versions are decimal numbers in every Kubernetes; what is not cannot be compared and is taken as news.
  return Number(news.metadata.resourceVersion) < Number(known.metadata.resourceVersion);
}
