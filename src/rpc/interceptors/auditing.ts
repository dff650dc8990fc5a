/**
 * Tells of every call when it is over: who, what, with which result.
 */
import type { Interceptor } from '@connectrpc/connect';
import type { Clock } from '#base/clock.ts';
import type { StatusError } from '#base/status-error.ts';
import { toStatusError } from '../status-codes.ts';
import { around, type Call, callOf } from './call.ts';

export interface Audited extends Call {
  /** Milliseconds since the epoch, and how many the call took. */
  readonly at: number;
  readonly ms: number;
  /** Undefined is success. */
  readonly error: StatusError | undefined;
}

/** Calls `record` once for every call, those refused by interceptors after this one included. */
export function auditing(clock: Clock, record: (entry: Audited) => void): Interceptor {
  return (next) => async (incoming) => {
    const at = clock.now();
    const { call, request } = await callOf(incoming);
    const ended = (error?: unknown) => {
      record({ ...call, at, ms: clock.now() - at, error: error === undefined ? undefined : toStatusError(error) });
    };
    return around(() => next(request), { ended });
  };
}
