import { type Clock, systemClock } from '#base/clock.ts';

/**
 * A clock that runs `speed` times as fast as the one below it, from this moment on.
 *
 * Everything in a simulated cluster asks this one clock, so deadlines, back-offs, schedules and the times written into
 * objects stay consistent with each other at every speed.
 */
export function scaledClock(speed: number, below: Clock = systemClock): Clock {
  if (speed === 1) return below;
  const start = below.now();
  return {
    now: () => start + (below.now() - start) * speed,
    after: (ms, action) => below.after(ms / speed, action),
  };
}
