/**
 * A stream being served: it counts against the server's limit, ends with the server, and ends when nothing has passed
 * over it for too long.
 */
import type { Clock } from '#base/clock.ts';
import { StatusError } from '#base/status-error.ts';
import type { StreamLimits } from './limits.ts';

export interface Session {
  /** Aborts when the session is to end, for whatever reason. */
  readonly signal: AbortSignal;
  /** Data has passed. */
  readonly touch: () => void;
  abort(reason: StatusError): void;
}

/** Runs `serve` with a session that is over when it returns. */
export type Sessions = <T>(closing: AbortSignal, serve: (session: Session) => Promise<T>) => Promise<T>;

export function sessions(limits: Pick<StreamLimits, 'sessions' | 'idleMs'>, clock: Clock): Sessions {
  let open = 0;
  return async (closing, serve) => {
    if (open >= limits.sessions) {
      const details = { retryAfterSeconds: 1 };
      throw new StatusError('TooManyRequests', `${limits.sessions} streams are open already`, { details });
    }
    open++;
    const stop = new AbortController();
    const idle = idleWatch(limits.idleMs, clock, () => stop.abort(new StatusError('Timeout', 'the stream was idle')));
    const signal = AbortSignal.any([closing, stop.signal]);
    try {
      return await serve({ signal, touch: idle.touch, abort: (reason) => stop.abort(reason) });
    } finally {
      open--;
      idle.stop();
      stop.abort(new StatusError('Gone', 'the stream is over'));
    }
  };
}

/** One timer for a stream, however often it is touched: when it rings it is set again for what is left. */
function idleWatch(idleMs: number, clock: Clock, onIdle: () => void) {
  let touched = clock.now();
  let cancel = clock.after(idleMs, ring);
  function ring(): void {
    const left = touched + idleMs - clock.now();
    if (left <= 0) onIdle();
    else cancel = clock.after(left, ring);
  }
  return {
    touch: () => void (touched = clock.now()),
    stop: () => cancel(),
  };
}
