/** The loop of one controller: takes keys while there is room, reconciles them, and puts back what has to come again. */
import { type Clock, sleep } from '#base/clock.ts';
import type { Ids } from '#base/ids.ts';
import type { Log } from '#base/log.ts';
import { hasReason, StatusError } from '#base/status-error.ts';
import type { Controller, Outcome } from './controller.ts';
import type { ControllerMetrics } from './controller-metrics.ts';
import { queue } from './queue.ts';

export interface Workers {
  /** The key may need work. */
  readonly wake: (key: string) => void;
  /** Keys are kept until then. */
  readonly begin: () => void;
  /** Begins nothing more; resolves when what is under way has ended, or would not. */
  readonly end: () => Promise<void>;
}

export interface WorkersDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly metrics: ControllerMetrics;
  readonly minRetryMs: number;
  readonly maxRetryMs: number;
  readonly timeoutMs: number;
  readonly stopWithinMs: number;
}

/** How many reconciles are begun before others on the event loop get their turn. */
const BATCH = 64;

export function workers(controller: Controller, deps: WorkersDeps): Workers {
  const { clock, ids, log, metrics } = deps;
  const room = controller.concurrency ?? 1;
  const underWay = new Map<string, Promise<void>>();
  const aborts = new Set<AbortController>();
  const { minRetryMs, maxRetryMs } = deps;
  const priorityOf = controller.priorityOf && ((key: string) => controller.priorityOf?.(key) ?? 0);
  const keys = queue({ clock, minRetryMs, maxRetryMs, onReady: schedule, ...(priorityOf ? { priorityOf } : {}) });
  let busy = 0;
  let scheduled = false;
  let begun = false;
  metrics.depth.follow(() => keys.depth());
  metrics.active.follow(() => busy);

  /** Not at once: the changes of one moment are then one reconcile, and no caller of `wake` waits for any. */
  function schedule(): void {
    if (scheduled || !begun) return;
    scheduled = true;
    setImmediate(pump);
  }

  function pump(): void {
    scheduled = false;
    for (let taken = 0; taken < BATCH && busy < room; taken++) {
      const key = keys.take();
      if (key === undefined) return;
      busy++;
      metrics.adds.inc();
      underWay.set(key, work(key));
    }
    if (busy < room && keys.depth() > 0) schedule();
  }

  async function work(key: string): Promise<void> {
    const startedAt = performance.now();
    const abort = new AbortController();
    // Made when something is said, which is seldom.
    let named: Log | undefined;
    const own = () => (named ??= log.with({ key, reconcileId: ids.uid() }));
    let hasRoom = true;
    const leave = () => {
      if (hasRoom) busy--;
      hasRoom = false;
    };
    aborts.add(abort);
    const cancelLimit = clock.after(deps.timeoutMs, () => {
      own().error('the reconcile takes too long and is aborted', { afterMs: deps.timeoutMs });
      abort.abort(new StatusError('Timeout', `reconciling "${key}" took longer than ${deps.timeoutMs / 1000} s`));
      leave();
      schedule();
    });
    try {
      const request = {
        key,
        signal: abort.signal,
        get log() {
          return own();
        },
      };
      settle(key, own, await controller.reconcile(request));
    } catch (error) {
      fail(key, own, error);
    } finally {
      cancelLimit();
      aborts.delete(abort);
      leave();
      metrics.seconds.observe((performance.now() - startedAt) / 1000);
      underWay.delete(key);
      keys.done(key);
      schedule();
    }
  }

  function settle(key: string, own: () => Log, { after, why }: Outcome): void {
    keys.forget(key);
    if (after === undefined) return metrics.results.success.inc();
    metrics.results.requeue_after.inc();
    if (why !== undefined) own().debug('will look again', { afterMs: after, why });
    keys.addAfter(key, after);
  }

  function fail(key: string, own: () => Log, error: unknown): void {
    metrics.results.error.inc();
    metrics.retries.inc();
    const retryInMs = keys.retry(key);
    // Someone else wrote first: expected where many write, and the next look has the new state.
    const level = hasReason(error, 'Conflict', 'AlreadyExists') ? 'debug' : 'warn';
    own()[level]('the reconcile failed', { error, retryInMs });
  }

  return {
    wake: keys.add,
    begin() {
      begun = true;
      schedule();
    },
    async end() {
      keys.close();
      const over = new AbortController();
      const patience = sleep(clock, deps.stopWithinMs, over.signal).then(
        () => {
          log.warn('gave up waiting for reconciles to end', { keys: [...underWay.keys()] });
          for (const abort of aborts) abort.abort(new StatusError('ServiceUnavailable', 'stopping'));
        },
        () => undefined,
      );
      await Promise.race([patience, Promise.all(underWay.values())]);
      over.abort();
    },
  };
}
