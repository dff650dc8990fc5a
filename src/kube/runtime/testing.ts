/** For tests: an API server of one resource that misbehaves on demand, as networks and restarts make real ones do. */
import { StatusError } from '#base/status-error.ts';
import type { KubeClient, ListOptions, WatchOptions } from '#kube/client/kube-client.ts';
import { INITIAL_EVENTS_END, keyOf, type KubeList, type KubeObject, type WatchEvent } from '#kube/meta/object.ts';

export interface ShakyServer {
  readonly client: Pick<KubeClient, 'list' | 'watch'>;
  /** Creates or changes an object; its data is the revision, so every state is different. */
  put(name: string): KubeObject;
  remove(name: string): void;
  state(): ReadonlyMap<string, KubeObject>;
  /** Ends every open watch: cleanly, or as a broken connection. */
  drop(how: 'end' | 'break'): void;
  /** Forgets history, so that watches from the past get 410. */
  compact(): void;
  /** Sends the last `count` events again to every open watch. */
  repeat(count: number): void;
  bookmark(): void;
  /** Refuses every request until it is up again. */
  setUp(up: boolean): void;
  /** What was asked, for people: `list`, `watch initial`, `watch 12`. */
  readonly asked: string[];
}

interface OpenWatch {
  readonly push: (item: WatchEvent | Error | undefined) => void;
}

export function shakyServer(
  options: { readonly streamsState?: boolean | 'without end'; readonly pageSize?: number } = {},
): ShakyServer {
  const objects = new Map<string, KubeObject>();
  const open = new Set<OpenWatch>();
  const asked: string[] = [];
  let history: { readonly revision: number; readonly event: WatchEvent }[] = [];
  let revision = 1;
  let compacted = 0;
  let uids = 0;
  let up = true;

  const marker = (annotations?: Record<string, string>): WatchEvent => ({
    type: 'BOOKMARK',
    object: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: '', resourceVersion: String(revision), ...(annotations ? { annotations } : {}) },
    },
  });

  function commit(type: WatchEvent['type'], object: KubeObject): void {
    const event = { type, object };
    history.push({ revision, event });
    for (const watch of open) watch.push(event);
  }

  function checkUp(): void {
    if (!up) throw new StatusError('ServiceUnavailable', 'down');
  }

  async function list({ continue: from = '0', limit }: ListOptions = {}): Promise<KubeList> {
    asked.push('list');
    checkUp();
    const size = Math.min(limit ?? Number.POSITIVE_INFINITY, options.pageSize ?? Number.POSITIVE_INFINITY);
    const items = [...objects.values()].slice(Number(from), Number(from) + size);
    const next = Number(from) + items.length;
    const more = next < objects.size ? { continue: String(next) } : {};
    return { apiVersion: 'v1', kind: 'ConfigMapList', metadata: { resourceVersion: String(revision), ...more }, items };
  }

  async function* watch({ sendInitialEvents, resourceVersion, signal }: WatchOptions): AsyncGenerator<WatchEvent> {
    asked.push(`watch ${sendInitialEvents ? 'initial' : resourceVersion}`);
    checkUp();
    if (sendInitialEvents && options.streamsState === false) {
      throw new StatusError('Invalid', 'sendInitialEvents is forbidden for watch');
    }
    const from = Number(resourceVersion);
    if (from < compacted) throw new StatusError('Expired', `too old resource version: ${from} (${compacted})`);
    const items: (WatchEvent | Error | undefined)[] = sendInitialEvents
      ? [
          ...[...objects.values()].map((object) => ({ type: 'ADDED' as const, object })),
          ...(options.streamsState === 'without end' ? [] : [marker({ [INITIAL_EVENTS_END]: 'true' })]),
        ]
      : history.filter((entry) => entry.revision > from).map((entry) => entry.event);
    yield* follow(items, signal);
  }

  async function* follow(items: (WatchEvent | Error | undefined)[], signal: AbortSignal): AsyncGenerator<WatchEvent> {
    let wake = () => {};
    const own: OpenWatch = {
      push(item) {
        items.push(item);
        wake();
      },
    };
    const abort = () => own.push(undefined);
    open.add(own);
    signal.addEventListener('abort', abort);
    try {
      for (;;) {
        while (items.length === 0) await new Promise<void>((resolve) => (wake = resolve));
        const item = items.shift();
        if (item === undefined || signal.aborted) return;
        if (item instanceof Error) throw item;
        yield item;
      }
    } finally {
      open.delete(own);
      signal.removeEventListener('abort', abort);
    }
  }

  return {
    asked,
    client: {
      list: (_gvr, options) => list(options) as Promise<KubeList<never>>,
      watch: (_gvr, options) => watch(options) as AsyncIterable<WatchEvent<never>>,
    },
    put(name) {
      const old = objects.get(name);
      const resourceVersion = String(++revision);
      const uid = old?.metadata.uid ?? String(++uids);
      const metadata = { name, uid, resourceVersion };
      const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { at: resourceVersion } };
      objects.set(keyOf(object), object);
      commit(old ? 'MODIFIED' : 'ADDED', object);
      return object;
    },
    remove(name) {
      const old = objects.get(name);
      if (!old) return;
      objects.delete(name);
      commit('DELETED', { ...old, metadata: { ...old.metadata, resourceVersion: String(++revision) } });
    },
    state: () => objects,
    drop(how) {
      const end = how === 'end' ? undefined : new StatusError('ServiceUnavailable', 'the connection broke');
      for (const one of open) one.push(end);
    },
    compact() {
      compacted = revision;
      history = [];
    },
    repeat(count) {
      for (const { event } of history.slice(-count)) for (const one of open) one.push(event);
    },
    bookmark() {
      for (const one of open) one.push(marker());
    },
    setUp(value) {
      up = value;
    },
  };
}
