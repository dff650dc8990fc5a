import type { Interceptor } from '@connectrpc/connect';
import { StatusError } from '#base/status-error.ts';
import { around } from './call.ts';

/** Answers at most `limit` streams at a time; one more is asked to come back. */
export function openStreams(limit: number): Interceptor {
  let open = 0;
  return (next) => async (request) => {
    if (!request.stream) return next(request);
    if (open >= limit) {
      throw new StatusError('TooManyRequests', `${limit} streams are open already`, {
        details: { retryAfterSeconds: 1 },
      });
    }
    open += 1;
    return around(() => next(request), {
      ended: () => {
        open -= 1;
      },
    });
  };
}
