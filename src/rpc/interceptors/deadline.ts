/**
 * Lets no call go on after its time, or after its caller has left, whether its implementation looks at the signal or not.
 *
 * The time is the one the caller asked for, which the protocols have put into the signal, or else the default. A stream
 * has only the first: it may be meant to stay open for days.
 */
import type { Interceptor } from '@connectrpc/connect';
import type { Clock } from '#base/clock.ts';
import { StatusError } from '#base/status-error.ts';

export function deadline(clock: Clock, defaultMs: number): Interceptor {
  return (next) => async (request) => {
    if (request.stream) {
      const response = await next(request);
      return response.stream ? { ...response, message: untilAborted(response.message, request.signal) } : response;
    }
    const late = new AbortController();
    const cancel = clock.after(defaultMs, () =>
      late.abort(new StatusError('Timeout', `the call took longer than ${defaultMs} ms`)),
    );
    const signal = AbortSignal.any([request.signal, late.signal]);
    try {
      return await beforeAbort(next({ ...request, signal }), signal);
    } finally {
      cancel();
    }
  };
}

/** The stream, up to the moment the signal aborts: then it fails with the signal's reason. */
export async function* untilAborted<T>(messages: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = messages[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await beforeAbort(iterator.next(), signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: an implementation that waits for something else would keep us waiting with it.
    void iterator.return?.().catch(() => undefined);
  }
}

async function beforeAbort<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const listener = () => reject(signal.reason);
  signal.addEventListener('abort', listener, { once: true });
  if (signal.aborted) listener();
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener('abort', listener);
  }
}
