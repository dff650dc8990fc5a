/** A watch for callers in this process: decoded objects, no HTTP, nothing encoded. */
import { apiVersionOf } from '#kube/meta/gvk.ts';
import { INITIAL_EVENTS_END, type KubeObject, type WatchEvent } from '#kube/meta/object.ts';
import type { Core } from './core.ts';
import { expiredWatch } from './failures.ts';
import type { Served } from './served.ts';
import { planWatch, runWatch, type WatchQuery } from './verbs/watch.ts';
import type { Representation } from './watch-hub.ts';

type Events = readonly WatchEvent[];

/** From here on a start is told no further before the caller has taken what is queued. */
const CONGESTED = 1000;

export async function* watchInProcess(
  core: Core,
  served: Served,
  query: WatchQuery,
  signal: AbortSignal,
): AsyncGenerator<WatchEvent> {
  if (signal.aborted) return;
  const plan = await planWatch(core, served, query);
  const stop = new AbortController();
  let queue: WatchEvent[] = [];
  let wake: () => void = () => undefined;
  let over: { readonly error?: unknown } | undefined;
  let drained: PromiseWithResolvers<void> | undefined;
  const outlet = {
    write(events: Events): Promise<void> | undefined {
      for (const event of events) queue.push(event);
      wake();
      if (queue.length < CONGESTED) return undefined;
      return (drained ??= Promise.withResolvers<void>()).promise;
    },
    keepsUp: () => queue.length < core.limits.watcherQueueEvents,
  };
  const finish = (how: { readonly error?: unknown }) => {
    over = how;
    wake();
  };
  void runWatch(core, plan, decoded(served), outlet, AbortSignal.any([signal, stop.signal])).then(
    () => finish(outlet.keepsUp() ? {} : { error: expiredWatch(plan.from, core.cache.revision()) }),
    (error: unknown) => finish({ error }),
  );

  try {
    for (;;) {
      const events = queue;
      queue = [];
      drained?.resolve();
      drained = undefined;
      for (const event of events) {
        if (signal.aborted) return;
        yield event;
      }
      if (queue.length > 0) continue;
      if (over?.error !== undefined) throw over.error;
      if (over) return;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    stop.abort();
  }
}

function decoded(served: Served): Representation<Events> {
  return {
    id: 'decoded',
    gathers: false,
    events: (events) => events.map(({ type, entry }) => ({ type, object: entry.object })),
    bookmark: (revision, initialEnd) => [{ type: 'BOOKMARK', object: bookmarkOf(served, revision, initialEnd) }],
  };
}

/** All a bookmark tells: how far the watch has come. */
export function bookmarkOf(served: Served, revision: number, initialEnd: boolean): KubeObject {
  const metadata = {
    resourceVersion: String(revision),
    ...(initialEnd ? { annotations: { [INITIAL_EVENTS_END]: 'true' } } : {}),
  };
  // The name every object has is the one thing a bookmark lacks.
  return {
    kind: served.definition.kind,
    apiVersion: apiVersionOf(served.definition),
    metadata,
  } as unknown as KubeObject;
}
