import type { Log } from '#base/log.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';

/**
 * A level-triggered controller: told only *which* object may need work, it looks at the world and repairs it.
 *
 * The runtime owns queue, rate limit, retries, panic isolation, metrics and events; the reconciler owns none of them.
 * Throwing means "try again with back-off", returning {@link done} means "converged as far as I can tell".
 */
export interface Controller {
  readonly name: string;
  /** What is watched, and which keys each change wakes. Without `wakes`, the object's own key. */
  readonly watches: readonly Watch[];
  /** How many keys may be reconciled at once; one key never runs twice at a time. */
  readonly concurrency?: number;
  /** Of the keys that wait, those of higher priority come first, then those that waited longest. Without it, all equal. */
  priorityOf?(key: string): number;
  /**
   * News from elsewhere than `watches` (other clusters, resources found at run time, timers): calls `wake` for a key
   * whenever it may need work, until the signal aborts. The first reconcile waits for it to return.
   */
  source?(wake: (key: string) => void, signal: AbortSignal): void | Promise<void>;
  reconcile(request: Reconcile): Promise<Outcome>;
}

export interface Watch {
  readonly gvr: Gvr;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Keys to reconcile for a change; `old` is the state seen before, absent for a new object. */
  wakes?(object: KubeObject, old: KubeObject | undefined, change: 'added' | 'modified' | 'deleted'): Iterable<string>;
}

export interface Reconcile {
  readonly key: string;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export type Outcome = { readonly after?: number; readonly why?: string };

/** Converged: nothing to do until something changes. */
export const done: Outcome = {};

/** Look again after `ms`, whatever happens before; `why` is for people reading the log. */
export function retryIn(ms: number, why: string): Outcome {
  return { after: ms, why };
}
