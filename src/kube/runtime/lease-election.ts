/**
 * Agreement on one leader among replicas, by a Lease, as Kubernetes' own components do it.
 *
 * Whoever holds the Lease renews it every `retryMs`; others take it when they have not seen it renewed for `leaseMs`. A
 * leader that could not renew for `renewWithinMs` stops leading, before anyone else may begin. It may not notice in
 * time, paused by its machine and about to wake: {@link Leadership.guard} is what then refuses, and `fenced.ts` puts it
 * before every write.
 */
import { type Clock, sleep, systemClock } from '#base/clock.ts';
import { type Ids, randomIds } from '#base/ids.ts';
import { type Log, silentLog } from '#base/log.ts';
import { StatusError } from '#base/status-error.ts';
import { fraction } from './backoff.ts';
import { type LeaseOptions, lease } from './lease.ts';

export interface Leadership {
  readonly identity: string;
  /** Throws when the lease was not renewed for so long that someone else may soon hold it. */
  guard(): void;
  /** Aborts when leading is to end: because it was lost, or in good order. */
  readonly signal: AbortSignal;
  /** Aborts only when it was lost: what is still under way must not write any more. */
  readonly lost: AbortSignal;
}

export interface ElectionOptions extends Omit<LeaseOptions, 'leaseMs' | 'clock'> {
  readonly leaseMs?: number;
  readonly renewWithinMs?: number;
  readonly retryMs?: number;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly log?: Log;
}

export interface Election {
  /**
   * Competes until the signal aborts; each time it wins, `lead` runs until its leadership's signal aborts. The Lease is
   * kept until `lead` has returned and then given back, so the next leader begins at once and never beside this one.
   */
  run(lead: (leadership: Leadership) => Promise<void>, signal: AbortSignal): Promise<void>;
  /** The holder as last seen. */
  leader(): string | undefined;
}

export function leaseElection(options: ElectionOptions): Election {
  const { identity, clock = systemClock, ids = randomIds } = options;
  const { leaseMs = 15_000, renewWithinMs = 10_000, retryMs = 2_000 } = options;
  if (!(leaseMs > renewWithinMs && renewWithinMs > retryMs)) {
    throw new RangeError('a lease must last longer than its renewal may take, and that longer than one attempt');
  }
  const name = `${options.namespace}/${options.name}`;
  const log = (options.log ?? silentLog).with({ lease: name, identity });
  const own = lease({ ...options, leaseMs, clock });

  /** One attempt to get or keep it that ends in time, whatever the server does. */
  async function attempt(withinMs: number): Promise<boolean> {
    const limit = new AbortController();
    const late = Promise.withResolvers<never>();
    const cancel = clock.after(withinMs, () => {
      const error = new StatusError('Timeout', `no answer about ${name} within ${withinMs} ms`);
      late.reject(error);
      limit.abort(error);
    });
    try {
      return await Promise.race([own.take(limit.signal), late.promise]);
    } catch (error) {
      log.debug('the lease could not be taken or renewed', { error });
      return false;
    } finally {
      cancel();
    }
  }

  /** Resolves with the time from which the Lease is ours for sure: when the successful attempt began. */
  async function acquire(signal: AbortSignal): Promise<number | undefined> {
    while (!signal.aborted) {
      const begun = clock.now();
      if (await attempt(renewWithinMs)) return begun;
      // Not all at the same moment, or they would be in each other's way each time.
      await sleep(clock, retryMs * (1 + 0.2 * fraction(ids)), signal).catch(() => undefined);
    }
  }

  /** Renews until `over` aborts; resolves at once when that is no longer possible. */
  async function keep(term: Term, over: AbortSignal): Promise<void> {
    for (;;) {
      // The nearer the end, the more often: one more attempt is better than a change of leaders.
      await sleep(clock, Math.max(100, Math.min(retryMs, term.left() / 2)), over).catch(() => undefined);
      if (over.aborted) return;
      const begun = clock.now();
      if (term.left() > 0 && (await attempt(term.left()))) term.renewed(begun);
      else if (term.left() <= 0 || own.leader() !== identity) return;
    }
  }

  async function leadOnce(lead: (leadership: Leadership) => Promise<void>, from: number, signal: AbortSignal) {
    const term = termOf(from, renewWithinMs, clock);
    const [ending, lost, over] = [new AbortController(), new AbortController(), new AbortController()];
    const end = () => ending.abort(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    const guard = () => {
      if (!lost.signal.aborted && term.left() > 0) return;
      throw new StatusError('ServiceUnavailable', `${identity} may not lead any more: ${name} was not renewed in time`);
    };

    const led = lead({ identity, guard, signal: ending.signal, lost: lost.signal }).finally(() => over.abort());
    const kept = keep(term, over.signal).then(() => {
      if (over.signal.aborted) return;
      log.warn('leadership is lost');
      lost.abort(new StatusError('ServiceUnavailable', `${identity} lost ${name}`));
      ending.abort(lost.signal.reason);
    });
    try {
      await led;
    } finally {
      signal.removeEventListener('abort', end);
      await kept;
      if (!lost.signal.aborted) {
        await own.release().catch((error: unknown) => log.debug('the lease was not given back', { error }));
      }
    }
  }

  return {
    leader: () => own.leader(),
    async run(lead, signal) {
      while (!signal.aborted) {
        const from = await acquire(signal);
        if (from === undefined) return;
        log.info('leading');
        await leadOnce(lead, from, signal);
      }
    },
  };
}

interface Term {
  /** How long the leader may go on without renewing; 0 or less when it may not. */
  left(): number;
  renewed(at: number): void;
}

function termOf(from: number, renewWithinMs: number, clock: Clock): Term {
  let renewedAt = from;
  return {
    left() {
      const age = clock.now() - renewedAt;
      // A clock that was set back cannot tell how long ago that was: better no leader for a while than two.
      return age < 0 ? 0 : renewWithinMs - age;
    },
    renewed(at) {
      renewedAt = at;
    },
  };
}
