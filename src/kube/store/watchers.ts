/**
 * Watching, the same for every store: who watches what, and the seam between history and what is being written.
 *
 * A watcher starts by replaying history from its own position; once it has caught up with what was published it turns
 * live and is handed each commit as it happens. There is no gap and no duplicate at the seam, because a watcher turns
 * live only in the same turn in which it finds that nothing was published since it read, and takes nothing at or below
 * its position. A watcher that falls far behind loses its queue and goes back to replaying, so a slow reader
 * costs reads instead of memory, and is `Expired` if compaction overtakes it.
 *
 * Start at {@link watchers}. History arrives in arrays of up to {@link REPLAY_LIMIT} changes, live changes in one array
 * per commit.
 */
import type { Change, Revision } from './store.ts';

export const REPLAY_LIMIT = 1_000;
/** How many changes wait for one slow watcher before it has to read them again. */
export const QUEUE_LIMIT = 10_000;

export interface Replay {
  readonly changes: readonly Change[];
  /** `changes` holds everything after the asked revision up to this one. */
  readonly upTo: Revision;
}

/** Where watchers read what they missed. */
export interface History {
  /** The newest revision that `publish` was called with, or the one the store was opened at. */
  published(): Revision;
  /** Up to `limit` changes after `from`; throws `Expired` when some of them are forgotten. */
  replay(prefix: string, from: Revision, limit: number): Promise<Replay>;
}

export interface Watchers {
  watch(prefix: string, from: Revision, signal: AbortSignal): AsyncIterable<readonly Change[]>;
  /** Offers one commit to all watchers; a reader that waits is woken before this returns. */
  publish(commit: readonly Change[]): void;
  /** Ends every watcher, after what it was already offered; with `failure`, by throwing it. */
  end(failure?: Error): void;
}

type Batch = IteratorResult<readonly Change[], undefined>;
type Watcher = AsyncIterator<readonly Change[], undefined> & {
  offer(commit: readonly Change[]): void;
  end(failure?: Error): void;
};

const DONE: Batch = { done: true, value: undefined };

export function watchers(history: History): Watchers {
  const open = new Set<Watcher>();
  let over: { readonly failure: Error | undefined } | undefined;

  function start(prefix: string, from: Revision, signal: AbortSignal): Watcher {
    const created = watcher(history, prefix, from, signal, () => open.delete(created));
    if (over) created.end(over.failure);
    else if (!signal.aborted) open.add(created);
    return created;
  }

  return {
    watch: (prefix, from, signal) => ({ [Symbol.asyncIterator]: () => start(prefix, from, signal) }),
    publish(commit) {
      for (const each of open) each.offer(commit);
    },
    end(failure) {
      over = { failure };
      for (const each of open) each.end(failure);
    },
  };
}

function watcher(history: History, prefix: string, from: Revision, signal: AbortSignal, gone: () => void): Watcher {
  let position = from;
  let live = false;
  let over = signal.aborted;
  let failure: Error | undefined;
  let queue: (readonly Change[])[] = [];
  let queued = 0;
  let waiting: PromiseWithResolvers<Batch> | undefined;

  const wanted = (change: Change) => change.revision > position && change.key.startsWith(prefix);

  function offer(commit: readonly Change[]): void {
    if (!live) return; // it will be replayed
    const batch = commit.every(wanted) ? commit : commit.filter(wanted);
    if (batch.length === 0) return;
    if (waiting) answer(batch);
    else if (queued + batch.length > QUEUE_LIMIT) fallBehind();
    else {
      queue.push(batch);
      queued += batch.length;
    }
  }

  function fallBehind(): void {
    live = false;
    queue = [];
    queued = 0;
  }

  // Resolved directly, without an async function between: whoever waits here runs before the writer does.
  function answer(batch: readonly Change[]): void {
    waiting?.resolve(delivered(batch));
    waiting = undefined;
  }

  function delivered(batch: readonly Change[]): Batch {
    position = batch.at(-1)?.revision ?? position;
    return { done: false, value: batch };
  }

  function next(): Promise<Batch> {
    const batch = queue.shift();
    if (batch) {
      queued -= batch.length;
      return Promise.resolve(delivered(batch));
    }
    if (over) return ended();
    if (!live) return catchUp();
    waiting = Promise.withResolvers();
    return waiting.promise;
  }

  async function catchUp(): Promise<Batch> {
    try {
      const { changes, upTo } = await history.replay(prefix, position, REPLAY_LIMIT);
      if (over) return ended();
      position = upTo;
      live = upTo >= history.published();
      return changes.length > 0 ? { done: false, value: changes } : next();
    } catch (error) {
      if (over) return ended();
      end();
      throw error;
    }
  }

  function ended(): Promise<Batch> {
    if (!failure) return Promise.resolve(DONE);
    const thrown = failure;
    failure = undefined; // thrown once, then the iteration is over
    return Promise.reject(thrown);
  }

  function end(reason?: Error): void {
    if (over) return;
    over = true;
    failure = reason;
    signal.removeEventListener('abort', abort);
    gone();
    waiting?.resolve(ended());
    waiting = undefined;
  }

  function abort(): void {
    queue = [];
    end();
  }

  signal.addEventListener('abort', abort, { once: true });
  return {
    next,
    offer,
    end,
    return() {
      abort();
      return Promise.resolve(DONE);
    },
  };
}
