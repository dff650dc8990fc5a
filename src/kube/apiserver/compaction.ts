/** Keeps the store's history short: what the cache no longer answers from, nobody else asks for. */
import type { Core } from './core.ts';

export function compactRegularly({ store, cache, clock, limits, log }: Core, signal: AbortSignal): void {
  let before = cache.revision();
  let cancel = clock.after(limits.compactionIntervalMs, again);
  signal.addEventListener('abort', () => cancel(), { once: true });

  function again(): void {
    const revision = before;
    before = cache.revision();
    store.compact(revision).catch((error: unknown) => log.warn('the store cannot be compacted', { revision, error }));
    cancel = clock.after(limits.compactionIntervalMs, again);
  }
}
