/**
 * Follows one resource of one server for as long as it is told to, through everything that can happen to a watch.
 *
 * The state comes first as a whole, then change by change: in one stream where the server can (`sendInitialEvents`),
 * else by a list in pages and a watch from its revision. A watch that ends or breaks is taken up from the last revision
 * seen, bookmarks included; when the server no longer knows that revision the whole state is asked for again. Failures
 * are answered by waiting longer each time, never by giving up.
 */
import { type Clock, sleep } from '#base/clock.ts';
import type { Ids } from '#base/ids.ts';
import type { Log } from '#base/log.ts';
import { hasReason, StatusError } from '#base/status-error.ts';
import type { KubeClient, ListOptions } from '#kube/client/kube-client.ts';
import { type Gvr, groupResource } from '#kube/meta/gvk.ts';
import { INITIAL_EVENTS_END, keyOf, type KubeObject, type WatchEvent } from '#kube/meta/object.ts';
import { backoff, fraction } from './backoff.ts';

export type Scope = Pick<ListOptions, 'namespace' | 'labelSelector' | 'fieldSelector'>;

export interface Reflection<T extends KubeObject> {
  readonly client: Pick<KubeClient, 'list' | 'watch'>;
  readonly gvr: Gvr;
  readonly scope: Scope;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly signal: AbortSignal;
  onState(objects: Iterable<T>): void;
  onEvent(event: WatchEvent<T>): void;
}

const WAIT = { minMs: 100, maxMs: 10_000 };
const PAGE = 500;
/** For how long the initial events may take before the state is listed instead. */
const INITIAL_EVENTS_MS = 60_000;
/** Watches are renewed at different times in this range, so that a server's clients do not all come back at once. */
const WATCH_SECONDS = { min: 300, max: 600 };

/** Resolves when the signal aborts. */
export async function reflect<T extends KubeObject>(reflection: Reflection<T>): Promise<void> {
  const { client, gvr, scope, clock, ids, signal } = reflection;
  const log = reflection.log.with({ resource: groupResource(gvr), ...scope });
  const wait = backoff(WAIT, ids);
  let revision: string | undefined;
  let streams = true;
  let pages = true;
  let failing = false;

  function wentWell(): void {
    wait.reset();
    if (failing) log.info('the watch is back');
    failing = false;
  }

  async function listAll(): Promise<string> {
    const found: T[] = [];
    const limit = pages ? { limit: PAGE } : {};
    let page = await client.list<T>(gvr, { ...scope, ...limit, signal });
    for (;;) {
      // One by one: spreading a list as long as a server without paging sends it would overflow the stack.
      for (const item of page.items) found.push(item);
      const next = page.metadata.continue;
      if (!next) break;
      page = await client.list<T>(gvr, { ...scope, ...limit, continue: next, signal }).catch((error: unknown) => {
        // Pages that expire before they are all fetched would expire again.
        pages = !hasReason(error, 'Expired', 'Gone');
        throw error;
      });
    }
    reflection.onState(found);
    return page.metadata.resourceVersion;
  }

  async function follow(): Promise<void> {
    let pending = revision === undefined ? new Map<string, T>() : undefined;
    const start = pending
      ? { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' as const }
      : { resourceVersion: revision ?? '' };
    const timeoutSeconds = Math.round(WATCH_SECONDS.min + fraction(ids) * (WATCH_SECONDS.max - WATCH_SECONDS.min));
    const startedAt = clock.now();
    const patience = pending ? impatience() : undefined;
    const options = {
      ...scope,
      ...start,
      allowWatchBookmarks: true,
      timeoutSeconds,
      signal: patience?.signal ?? signal,
    };
    try {
      for await (const event of client.watch<T>(gvr, options)) {
        if (pending) {
          if (!gather(pending, event)) continue;
          patience?.end();
          reflection.onState(pending.values());
          pending = undefined;
        } else {
          reflection.onEvent(event);
        }
        revision = event.object.metadata.resourceVersion ?? revision;
        wentWell();
      }
    } finally {
      patience?.end();
    }
    if (pending) throw new StatusError('ServiceUnavailable', 'the initial events broke off');
    if (clock.now() - startedAt < 1000) throw new StatusError('ServiceUnavailable', 'the watch ended at once');
  }

  /** Servers that do not know of initial events may send objects all the same, but never say when that was all. */
  function impatience() {
    const over = new AbortController();
    const end = clock.after(INITIAL_EVENTS_MS, () => {
      streams = false;
      over.abort();
    });
    return { signal: AbortSignal.any([signal, over.signal]), end };
  }

  while (!signal.aborted) {
    try {
      if (revision === undefined && !streams) revision = await listAll();
      await follow();
    } catch (error) {
      if (signal.aborted) return;
      if (revision === undefined && streams && hasReason(error, 'Invalid', 'BadRequest')) {
        streams = false;
        continue;
      }
      if (hasReason(error, 'Expired', 'Gone')) revision = undefined;
      const delay = wait.next();
      log[failing ? 'debug' : 'warn']('the watch failed', { error, retryInMs: Math.round(delay) });
      failing = true;
      await sleep(clock, delay, signal).catch(() => undefined);
    }
  }
}

/** Whether the initial events end with this one. */
function gather<T extends KubeObject>(state: Map<string, T>, { type, object }: WatchEvent<T>): boolean {
  if (type === 'BOOKMARK') return object.metadata.annotations?.[INITIAL_EVENTS_END] === 'true';
  if (type === 'DELETED') state.delete(keyOf(object));
  else state.set(keyOf(object), object);
  return false;
}
