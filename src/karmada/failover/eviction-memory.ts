/**
 * Remembers what was evicted from where, so that a workload that is put back is not driven out again at once.
 *
 * A scheduler may return a workload to the cluster it was just taken from: one that tolerates a taint for a while still
 * passes for one that tolerates it. Without a pause the two would go on for ever, many times a second. Each repetition
 * doubles the pause; another cause begins anew.
 */
import type { Clock } from '#base/clock.ts';

export interface EvictionMemory {
  /** How long until the workload may be evicted from the cluster for this cause again, in milliseconds. */
  wait(binding: string, cluster: string, cause: string): number;
  evicted(binding: string, cluster: string, cause: string): void;
}

/** The first as often as Karmada looks at tainted clusters. */
const PAUSE_MS = { min: 10_000, max: 600_000 };
const FORGOTTEN_AFTER_MS = 2 * PAUSE_MS.max;

export function evictionMemory(clock: Clock): EvictionMemory {
  const known = new Map<string, { readonly at: number; readonly times: number; readonly cause: string }>();
  const keyOf = (binding: string, cluster: string) => `${cluster} ${binding}`;

  /** Entries are in the order of their time. */
  function forget(): void {
    for (const [key, { at }] of known) {
      if (at + FORGOTTEN_AFTER_MS > clock.now()) return;
      known.delete(key);
    }
  }

  return {
    wait(binding, cluster, cause) {
      const last = known.get(keyOf(binding, cluster));
      if (last?.cause !== cause) return 0;
      const pause = Math.min(PAUSE_MS.max, PAUSE_MS.min * 2 ** (last.times - 1));
      return Math.max(0, last.at + pause - clock.now());
    },
    evicted(binding, cluster, cause) {
      forget();
      const key = keyOf(binding, cluster);
      const last = known.get(key);
      known.delete(key);
      known.set(key, { at: clock.now(), times: last?.cause === cause ? last.times + 1 : 1, cause });
    },
  };
}
