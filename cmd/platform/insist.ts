import { sleep, systemClock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';

const AGAIN_MS = 1_000;

/** Does what a program cannot go on without, again and again while what it needs is away; says so once. */
export async function insist<T>(
  what: string,
  action: () => Promise<T>,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await action();
    } catch (error) {
      signal.throwIfAborted();
      log[attempt === 1 ? 'warn' : 'debug'](`waiting for ${what}`, { error });
      await sleep(systemClock, AGAIN_MS, signal);
    }
  }
}
