/**
 * What is read has a time within which it must be answered.
 *
 * A browser opens six connections to a place that speaks HTTP/1.1 and no more: questions to one instance that hangs would
 * hold them all, and the whole console would stand still with it. Streams, and whatever changes something, take as long as
 * they take.
 */
import { Code, ConnectError, type Interceptor } from '@connectrpc/connect';

const PATIENCE = 15_000;
const READS = /^(Get|List|Search|Explain)/;

export function answeredWithin(ms = PATIENCE): Interceptor {
  return (next) => async (request) => {
    if (request.stream || !READS.test(request.method.name)) return next(request);
    const late = AbortSignal.timeout(ms);
    try {
      return await next({ ...request, signal: AbortSignal.any([request.signal, late]) });
    } catch (error) {
      if (late.aborted && !request.signal.aborted)
        throw new ConnectError(`no answer within ${Math.round(ms / 1000)} s`, Code.DeadlineExceeded);
      throw error;
    }
  };
}
