/**
 * One line for every call that failed through our own fault, and one at debug level for every other.
 */
import type { Interceptor } from '@connectrpc/connect';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { CALLER } from '../caller.ts';
import { toStatusError } from '../status-codes.ts';
import { around, rpcName } from './call.ts';

/** Outermost, so that it hears of every error; the message of a request is never logged. */
export function logging(clock: Clock, log: Log): Interceptor {
  return (next) => (request) => {
    const start = clock.now();
    const ended = (error?: unknown) => {
      const fields = {
        rpc: rpcName(request.method),
        user: request.contextValues.get(CALLER)?.user,
        ms: clock.now() - start,
      };
      if (error === undefined) return log.debug('call', fields);
      const status = toStatusError(error);
      if (status.code < 500) return log.debug('call refused', { ...fields, reason: status.reason });
      log.error('call failed', { ...fields, error: status.cause instanceof Error ? status.cause : status });
    };
    return around(() => next(request), { ended });
  };
}
