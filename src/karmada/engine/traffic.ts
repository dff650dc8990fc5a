/**
 * Right of way: what goes down to members comes before what is reported up.
 *
 * An engine with nothing else to do writes statuses as fast as it can. While templates, bindings and Works are on their
 * way down, few statuses are written at once, and more the more of them wait: a burst reaches its members sooner and is
 * reported a moment later, a load that never ends is reported all the same.
 */
import { type Gate, gate } from '#base/gate.ts';
import type { Controller } from '#kube/runtime/index.ts';

export interface Traffic {
  /** The controller, its reconciles counted among what goes down. */
  readonly down: (controller: Controller) => Controller;
  /** What every status goes through on its way up. */
  readonly up: Gate;
}

const UP = { alone: 32, least: 2, oneMoreFor: 256 };

export function traffic(): Traffic {
  let goingDown = 0;
  const up = gate((waiting) => (goingDown === 0 ? UP.alone : UP.least + Math.floor(waiting / UP.oneMoreFor)));
  return {
    up,
    down: (controller) => ({
      ...controller,
      async reconcile(request) {
        goingDown++;
        try {
          return await controller.reconcile(request);
        } finally {
          if (--goingDown === 0) up.look();
        }
      },
    }),
  };
}
