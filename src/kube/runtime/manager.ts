/**
 * Runs controllers: from changes to keys, from keys to reconciles, each controller for itself.
 *
 * A controller starts when its informers are complete. A reconcile that throws is tried again after a growing delay; one
 * that takes longer than `reconcileTimeoutMs` is aborted and its place given to the next key, though its own key stays
 * taken until it ends, because a key is never worked on twice at a time. Nothing a controller does or fails to do
 * touches another. On abort nothing new is begun, what is under way may end within `stopWithinMs`. Start at
 * {@link manager}.
 */
import { type Clock, sleep, systemClock } from '#base/clock.ts';
import { type Ids, randomIds } from '#base/ids.ts';
import { type Log, silentLog } from '#base/log.ts';
import { type Metrics, metrics as newMetrics } from '#base/metrics.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Controller } from './controller.ts';
import { controllerMetrics } from './controller-metrics.ts';
import { type Informers, informers } from './informer.ts';
import { watchedKeys } from './watched-keys.ts';
import { workers } from './workers.ts';

export interface ManagerDeps {
  readonly client: Pick<KubeClient, 'list' | 'watch'>;
  readonly controllers: readonly Controller[];
  /** Informers shared with others; without them the manager has its own, which end with it. */
  readonly informers?: Informers;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly log?: Log;
  readonly metrics?: Metrics;
  readonly minRetryMs?: number;
  readonly maxRetryMs?: number;
  readonly reconcileTimeoutMs?: number;
  readonly stopWithinMs?: number;
}

export interface Manager {
  /** Runs until the signal aborts, and resolves when what was under way has ended. */
  start(signal: AbortSignal): Promise<void>;
  /** Resolves when every controller has seen the whole state and begun to work. */
  readonly ready: Promise<void>;
  /** Whether it works or is about to: false once it has ended, or could not start. */
  isRunning(controller: Controller): boolean;
}

const SYNC_COMPLAINT_MS = 15_000;

export function manager(deps: ManagerDeps): Manager {
  const { clock = systemClock, ids = randomIds, log = silentLog, metrics = newMetrics() } = deps;
  const working = deps.controllers.map(() => Promise.withResolvers<void>());
  const over = new Set<Controller>();
  const ready = Promise.all(working.map(({ promise }) => promise)).then(() => undefined);

  async function run(controller: Controller, begun: () => void, shared: Informers, signal: AbortSignal): Promise<void> {
    const own = log.with({ controller: controller.name });
    const crew = workers(controller, {
      clock,
      ids,
      log: own,
      metrics: controllerMetrics(metrics, controller.name),
      minRetryMs: deps.minRetryMs ?? 5,
      maxRetryMs: deps.maxRetryMs ?? 1_000_000,
      timeoutMs: deps.reconcileTimeoutMs ?? 300_000,
      stopWithinMs: deps.stopWithinMs ?? 30_000,
    });
    const sources = watchedKeys(controller, shared, crew.wake);
    try {
      const complaint = complainWhenSlow(own, sources.waitingFor, signal);
      await untilAborted(Promise.all([sources.synced, controller.source?.(crew.wake, signal)]), signal);
      complaint.abort();
      own.debug('starting');
      crew.begin();
      begun();
      await aborted(signal);
    } catch (error) {
      // Stopped before it was ready is no failure; anything else leaves this controller out, and only this one.
      if (!signal.aborted) own.error('the controller cannot start', { error });
    } finally {
      over.add(controller);
      sources.unsubscribe();
      await crew.end();
    }
  }

  function complainWhenSlow(own: Log, waitingFor: () => readonly string[], signal: AbortSignal): AbortController {
    const over = new AbortController();
    void sleep(clock, SYNC_COMPLAINT_MS, AbortSignal.any([over.signal, signal])).then(
      () => own.warn('still waiting for the whole state', { resources: waitingFor() }),
      () => undefined,
    );
    return over;
  }

  return {
    ready,
    isRunning: (controller) => !over.has(controller),
    async start(signal) {
      const shared = deps.informers ?? informers(deps.client, { signal, clock, ids, log });
      await Promise.all(
        deps.controllers.map((controller, index) =>
          run(controller, working[index]?.resolve ?? (() => {}), shared, signal),
        ),
      );
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function untilAborted(action: Promise<unknown>, signal: AbortSignal): Promise<void> {
  await Promise.race([action, aborted(signal).then(() => signal.throwIfAborted())]);
}
