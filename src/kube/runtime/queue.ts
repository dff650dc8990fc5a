/**
 * The keys a controller still has to look at.
 *
 * A key waits at most once, however often it is added; while it is worked on, another add makes it wait until that work
 * is done, so nobody ever works on a key twice at a time and no add is lost. Failed keys come back after a delay that
 * doubles with each failure in a row. Taking is synchronous: whoever is told by `onReady` takes as much as it can carry.
 */
import type { Clock } from '#base/clock.ts';
import { exponential } from './backoff.ts';
import { readyKeys } from './ready-keys.ts';

export interface Queue {
  readonly add: (key: string) => void;
  /** Adds it after `ms`; when it waits for a sooner time already, that one counts. */
  addAfter(key: string, ms: number): void;
  /** Adds it after a delay that grows with each call until `forget`; tells the delay. */
  retry(key: string): number;
  /** The key went well: its next failure counts as the first. */
  forget(key: string): void;
  /** The key that waited longest of the highest priority, now worked on until `done`; undefined when none is ready. */
  take(): string | undefined;
  done(key: string): void;
  /** How many keys are ready and wait to be taken. */
  depth(): number;
  /** Ready, delayed or being worked on: nothing is left when this is 0. */
  size(): number;
  /** Forgets all that is delayed and refuses to take more. */
  close(): void;
}

export interface QueueOptions {
  readonly clock: Clock;
  readonly minRetryMs?: number;
  readonly maxRetryMs?: number;
  /** Called when there may be something to take. */
  readonly onReady: () => void;
  /** Keys of higher priority are taken first; all are equal without it. */
  readonly priorityOf?: (key: string) => number;
}

export function queue({ clock, minRetryMs = 5, maxRetryMs = 1_000_000, onReady, priorityOf }: QueueOptions): Queue {
  const limits = { minMs: minRetryMs, maxMs: maxRetryMs };
  const ready = readyKeys(priorityOf);
  /** Wanted: waiting in `ready`, or added again while being worked on. */
  const wanted = new Set<string>();
  const working = new Set<string>();
  const delayed = new Map<string, { readonly at: number; readonly cancel: () => void }>();
  const failures = new Map<string, number>();
  let closed = false;

  function makeReady(key: string): void {
    ready.push(key);
    onReady();
  }

  function add(key: string): void {
    if (closed) return;
    if (wanted.has(key)) return ready.move(key);
    wanted.add(key);
    if (!working.has(key)) makeReady(key);
  }

  function addAfter(key: string, ms: number): void {
    if (closed) return;
    if (ms <= 0) return add(key);
    const at = clock.now() + ms;
    const waiting = delayed.get(key);
    if (waiting && waiting.at <= at) return;
    waiting?.cancel();
    const cancel = clock.after(ms, () => {
      delayed.delete(key);
      add(key);
    });
    delayed.set(key, { at, cancel });
  }

  return {
    add,
    addAfter,
    retry(key) {
      const before = failures.get(key) ?? 0;
      failures.set(key, before + 1);
      const delay = exponential(limits, before);
      addAfter(key, delay);
      return delay;
    },
    forget: (key) => void failures.delete(key),
    take() {
      const key = closed ? undefined : ready.shift();
      if (key === undefined) return undefined;
      wanted.delete(key);
      working.add(key);
      return key;
    },
    done(key) {
      working.delete(key);
      if (wanted.has(key)) makeReady(key);
    },
    depth: () => ready.length(),
    size: () => new Set([...wanted, ...working, ...delayed.keys()]).size,
    close() {
      closed = true;
      for (const { cancel } of delayed.values()) cancel();
      delayed.clear();
    },
  };
}
