/**
 * Watches: first what there is (when asked for), then what was missed, then what happens.
 *
 * A watch starts as a {@link WatchPlan}; {@link runWatch} then feeds an outlet at the pace at which it drains. Only
 * once the outlet has caught up does it join the fan-out, so a slow reader of a large start costs no more than its
 * place in the snapshot. History that runs out in the meantime ends the watch with 410.
 */
import type { Entry } from '../cache/entry.ts';
import type { Core } from '../core.ts';
import { expiredWatch } from '../failures.ts';
import { type SeenEvent, type Selection, type Selectors, selection } from '../selection.ts';
import type { Served } from '../served.ts';
import type { Membership, Representation } from '../watch-hub.ts';
import { notOlderThan } from './get.ts';
import { checkRevisionOptions, type RevisionOptions, watchRevision } from './list-options.ts';

export interface WatchQuery extends Selectors, RevisionOptions {
  readonly allowWatchBookmarks?: boolean | undefined;
  readonly timeoutSeconds?: number | undefined;
}

export interface WatchPlan {
  readonly served: Served;
  readonly selection: Selection;
  /** What there is at `from`, told before anything else. */
  readonly initial: readonly Entry[];
  /** Changes after this revision are told. */
  readonly from: number;
  readonly initialEnd: boolean;
  readonly bookmarks: boolean;
  readonly timeoutMs: number;
}

/** Where a watch goes. */
export interface Outlet<Payload> {
  /** Takes a payload; a promise says when the outlet can take more. */
  write(payload: Payload): Promise<void> | undefined;
  /** False when the outlet is too far behind to be kept. */
  keepsUp(): boolean;
}

export async function planWatch(core: Core, served: Served, query: WatchQuery): Promise<WatchPlan> {
  checkRevisionOptions(query, true);
  const asked = watchRevision(query.resourceVersion);
  const wanted = selection(served, query);
  const { sendInitialEvents } = query;
  if (sendInitialEvents) await notOlderThan(core, asked);
  const showsState = sendInitialEvents ?? asked === 0;
  const from = showsState || asked === 0 ? core.cache.revision() : asked;
  return {
    served,
    selection: wanted,
    initial: showsState ? wanted.among(served.cache.entries()) : [],
    from,
    initialEnd: sendInitialEvents === true && query.allowWatchBookmarks === true,
    bookmarks: query.allowWatchBookmarks === true,
    timeoutMs: query.timeoutSeconds
      ? Math.max(0, query.timeoutSeconds) * 1000
      : core.limits.watchTimeoutMs * (1 + Math.random()),
  };
}

const SLICE = 500;

/** Resolves when the watch has ended by itself or by `signal`; throws 410 when it cannot go on without a gap. */
export async function runWatch<Payload>(
  core: Core,
  plan: WatchPlan,
  as: Representation<Payload>,
  outlet: Outlet<Payload>,
  signal: AbortSignal,
): Promise<void> {
  let revision = plan.from;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  if (signal.aborted) return;
  signal.addEventListener('abort', () => end(), { once: true });
  const stopTimers = startTimers();
  let membership: Membership | undefined;

  try {
    for (let i = 0; i < plan.initial.length; i += SLICE) {
      await outlet.write(as.events(plan.initial.slice(i, i + SLICE).map(asAdded)));
      if (signal.aborted) return;
    }
    if (plan.initialEnd) await outlet.write(as.bookmark(plan.from, true));
    if (plan.from > core.cache.revision()) await Promise.race([core.cache.seen(plan.from), ended]);
    while (!signal.aborted) {
      const congested = catchUp();
      if (congested) await congested;
      else break;
    }
    await ended;
    membership?.flush();
  } finally {
    membership?.leave();
    stopTimers();
  }

  /** Tells what was missed and joins the fan-out in the same turn, unless the outlet must drain first. */
  function catchUp(): Promise<void> | undefined {
    const missed = plan.served.cache.since(revision);
    if (!missed) throw expiredWatch(revision, plan.served.cache.oldest());
    revision = missed.at(-1)?.revision ?? revision;
    const events = missed.map((event) => plan.selection.seen(event)).filter((event) => event !== undefined);
    const congested = events.length > 0 ? outlet.write(as.events(events)) : undefined;
    if (!congested) membership = core.hub.join(plan.served, plan.selection, as, { deliver, end });
    return congested;
  }

  function deliver(payload: Payload): void {
    void outlet.write(payload);
    if (!outlet.keepsUp()) end();
  }

  function startTimers(): () => void {
    const { clock, limits } = core;
    function bookmark(): void {
      // While still catching up, the watcher has not seen what a bookmark would claim.
      if (!plan.bookmarks || !membership) return;
      membership.flush();
      void outlet.write(as.bookmark(core.cache.revision(), false));
    }
    let repeat = plan.bookmarks ? clock.after(limits.bookmarkIntervalMs, again) : () => undefined;
    function again(): void {
      bookmark();
      repeat = clock.after(limits.bookmarkIntervalMs, again);
    }
    const beforeEnd = plan.timeoutMs - limits.lastBookmarkMs;
    const last = beforeEnd > 0 ? clock.after(beforeEnd, bookmark) : () => undefined;
    const timeout = clock.after(plan.timeoutMs, end);
    return () => [repeat, last, timeout].forEach((cancel) => cancel());
  }
}

function asAdded(entry: Entry): SeenEvent {
  return { type: 'ADDED', entry };
}
