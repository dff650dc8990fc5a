/** Time as a dependency, so that tests turn it by hand. Every timer in the product comes from a {@link Clock}. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `action` once after `ms`; the returned function takes it back. */
  after(ms: number, action: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, action) {
    // setTimeout overflows (and fires at once) above 2^31-1 ms; a timer that far away may as well be re-armed.
    const timer = setTimeout(action, Math.min(ms, 2_147_483_647));
    return () => clearTimeout(timer);
  },
};

/** A clock that only moves when told to; timers due are run in the order of their time. */
export interface FakeClock extends Clock {
  advance(ms: number): Promise<void>;
}

export function fakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  let now = start;
  let timers: { readonly at: number; readonly action: () => void }[] = [];
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

  return {
    now: () => now,
    after(ms, action) {
      const timer = { at: now + ms, action };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    async advance(ms) {
      const until = now + ms;
      await settle();
      for (;;) {
        const due = timers.filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at)[0];
        if (!due) break;
        timers = timers.filter((timer) => timer !== due);
        now = Math.max(now, due.at);
        due.action();
        await settle();
      }
      now = until;
    },
  };
}

/** Resolves after `ms`, or rejects with the signal's reason as soon as it aborts. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** A time as Kubernetes writes it in metadata: RFC 3339, whole seconds, UTC. */
export function rfc3339(ms: number): string {
  const second = Math.floor(ms / 1000);
  // Whoever asks usually asks again within the same second.
  if (second !== lastSecond) {
    lastText = `${new Date(ms).toISOString().slice(0, 19)}Z`;
    lastSecond = second;
  }
  return lastText;
}

let lastSecond = Number.NaN;
let lastText = '';

/** A time as Kubernetes writes a MicroTime (leases, events). */
export function rfc3339Micro(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000Z`;
}
