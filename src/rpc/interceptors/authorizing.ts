import type { Interceptor } from '@connectrpc/connect';
import { type Call, callOf } from './call.ts';

/**
 * Asks before every call whether it may be made; `decide` throws a Forbidden if not. The implementation is not reached.
 * Of a stream of answers it asks before each: whoever lost the right hears nothing more.
 */
export const authorizing =
  (decide: (call: Call) => Promise<void> | void): Interceptor =>
  (next) =>
  async (incoming) => {
    const { call, request } = await callOf(incoming);
    await decide(call);
    const response = await next(request);
    if (!response.stream) return response;
    return { ...response, message: each(response.message, () => decide(call)) };
  };

async function* each<T>(messages: AsyncIterable<T>, look: () => Promise<void> | void): AsyncGenerator<T> {
  for await (const message of messages) {
    await look();
    yield message;
  }
}
