/** Hands out turns at a steady rate, so that the loss of a cluster does not move everything at the same moment. */
import type { Clock } from '#base/clock.ts';

export interface EvictionPace {
  /** How long the key has still to wait for its turn, in milliseconds; the turn stays its own until it is taken. */
  wait(key: string): number;
  /** The turn was used, or is not needed any more. */
  take(key: string): void;
}

/** As Karmada with a rate of 0. */
const STOPPED_MS = 1_800_000;

export function evictionPace(clock: Clock, perSecond: number): EvictionPace {
  const everyMs = perSecond > 0 ? 1_000 / perSecond : STOPPED_MS;
  const turns = new Map<string, number>();
  let next = Number.NEGATIVE_INFINITY;

  function turnOf(key: string): number {
    const known = turns.get(key);
    if (known !== undefined) return known;
    const turn = Math.max(clock.now(), next);
    next = turn + everyMs;
    turns.set(key, turn);
    return turn;
  }

  return {
    wait: (key) => Math.max(0, turnOf(key) - clock.now()),
    take: (key) => void turns.delete(key),
  };
}
