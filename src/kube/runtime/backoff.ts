import type { Ids } from '#base/ids.ts';

/** Delays that double from `minMs` to `maxMs`, until told that things went well. */
export interface Backoff {
  /** The next delay, somewhere in the upper half of its step: many that failed together do not come back together. */
  next(): number;
  reset(): void;
}

export function backoff(limits: { readonly minMs: number; readonly maxMs: number }, ids: Ids): Backoff {
  let failures = 0;
  return {
    next() {
      const step = exponential(limits, failures++);
      return step / 2 + (step / 2) * fraction(ids);
    },
    reset() {
      failures = 0;
    },
  };
}

/** `minMs` doubled `times` times, at most `maxMs`. */
export function exponential(limits: { readonly minMs: number; readonly maxMs: number }, times: number): number {
  // The exponent is capped because 2 ** 1024 is no longer a number.
  return Math.min(limits.maxMs, limits.minMs * 2 ** Math.min(times, 50));
}

/** A number from 0 up to (not including) 1. */
export function fraction(ids: Ids): number {
  return Number.parseInt(ids.uid().slice(-8), 16) / 2 ** 32;
}
