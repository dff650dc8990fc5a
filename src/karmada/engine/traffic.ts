/**
 * Right of way: what goes down to members comes before what is reported up, and both before what is only kept.
 *
 * An engine with nothing else to do writes statuses as fast as it can. While templates, bindings and Works are on their
 * way down, and for a moment after, statuses wait: briefly while there is time to spare, for longer while there is none.
 * After that some are written at once, and more the more of them wait. So a burst reaches its members sooner and is
 * reported a moment later, and a load that never ends is reported all the same.
 */
import { performance } from 'node:perf_hooks';
import { type Clock, systemClock } from '#base/clock.ts';
import { type Gate, gate } from '#base/gate.ts';
import type { Controller } from '#kube/runtime/index.ts';

export interface Traffic {
  /** The controller, its reconciles counted among what goes down. */
  readonly down: (controller: Controller) => Controller;
  /** What every status goes through on its way up. */
  readonly up: Gate;
  /** For what nobody waits for: calls back after the time asked for, when there is a lull. */
  readonly atLeisure: Clock['after'];
}

export interface TrafficDeps {
  readonly clock?: Clock;
  /** Whether this thread has had no time to spare of late. */
  readonly isPressed?: () => boolean;
}

const UP = { alone: 32, least: 2, oneMoreFor: 256 };
/** Nothing has gone down for so long, so it is over: from one hop to the next takes a few milliseconds. */
const LULL_MS = 20;
/** For how long statuses wait for those who have right of way. */
const PATIENCE_MS = { usual: 100, pressed: 2_000 };

export function traffic({ clock = systemClock, isPressed = pressed() }: TrafficDeps = {}): Traffic {
  let goingDown = 0;
  let lastDown = Number.NEGATIVE_INFINITY;
  let looksAgain = false;
  /** Since when each status waits, in the order in which they came. */
  const held = new Set<{ readonly since: number }>();
  const enter = gate(widthFor);

  function up<T>(action: () => Promise<T>): Promise<T> {
    const own = { since: clock.now() };
    held.add(own);
    return enter(() => {
      held.delete(own);
      return action();
    });
  }

  const isLull = () => goingDown === 0 && clock.now() - lastDown >= LULL_MS;

  function widthFor(waiting: number): number {
    if (isLull()) return UP.alone;
    lookAgain();
    const [oldest] = held;
    const patience = isPressed() ? PATIENCE_MS.pressed : PATIENCE_MS.usual;
    const isHeld = oldest !== undefined && clock.now() - oldest.since < patience;
    return isHeld ? 0 : UP.least + Math.floor(waiting / UP.oneMoreFor);
  }

  /** Nobody tells when a lull begins. */
  function lookAgain(): void {
    if (looksAgain) return;
    looksAgain = true;
    clock.after(LULL_MS, () => {
      looksAgain = false;
      enter.look();
    });
  }

  function atLeisure(ms: number, action: () => void): () => void {
    let cancel = clock.after(ms, function look() {
      if (isLull()) action();
      else cancel = clock.after(LULL_MS, look);
    });
    return () => cancel();
  }

  return {
    up,
    atLeisure,
    down: (controller) => ({
      ...controller,
      async reconcile(request) {
        goingDown++;
        try {
          return await controller.reconcile(request);
        } finally {
          goingDown--;
          lastDown = clock.now();
        }
      },
    }),
  };
}

const LOOKED_AT_MS = 50;
const PRESSED = 0.9;

/** Whether the event loop has hardly been idle, as of a moment ago. */
function pressed(): () => boolean {
  let before = performance.eventLoopUtilization();
  let at = performance.now();
  let is = false;
  return () => {
    if (performance.now() - at < LOOKED_AT_MS) return is;
    const now = performance.eventLoopUtilization();
    is = performance.eventLoopUtilization(now, before).utilization > PRESSED;
    [before, at] = [now, performance.now()];
    return is;
  };
}
