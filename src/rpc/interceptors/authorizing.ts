import type { Interceptor } from '@connectrpc/connect';
import type { Clock } from '#base/clock.ts';
import { hasReason } from '#base/status-error.ts';
import { type Call, callOf } from './call.ts';
import { untilAborted } from './deadline.ts';

/** How streams on which nothing happens are looked at. */
export interface Looking {
  readonly clock: Clock;
  /** Throws Unauthorized or Forbidden when the call could not be made any more; other failures say nothing. */
  readonly again: (call: Call) => Promise<void> | void;
}

const EVERY_MS = 2_000;

/**
 * Asks before every call whether it may be made; `decide` throws a Forbidden if not. The implementation is not reached.
 * Of a stream of answers it asks before each, and with `looking` also while there are none: whoever lost the right hears
 * nothing more, and what answers them is told to stop.
 */
export const authorizing =
  (decide: (call: Call) => Promise<void> | void, looking?: Looking): Interceptor =>
  (next) =>
  async (incoming) => {
    const { call, request } = await callOf(incoming);
    await decide(call);
    if (!request.stream || !looking) return asking(await next(request), () => decide(call));
    const lost = new AbortController();
    const signal = AbortSignal.any([request.signal, lost.signal]);
    const response = await next({ ...request, signal });
    if (!response.stream) return response;
    const message = lookedAt(untilAborted(response.message, lost.signal), call, looking, (why) => lost.abort(why));
    return asking({ ...response, message }, () => decide(call));
  };

type Answer = Awaited<ReturnType<Parameters<Interceptor>[0]>>;

function asking(response: Answer, look: () => Promise<void> | void): Answer {
  return response.stream ? { ...response, message: each(response.message, look) } : response;
}

async function* each<T>(messages: AsyncIterable<T>, look: () => Promise<void> | void): AsyncGenerator<T> {
  for await (const message of messages) {
    await look();
    yield message;
  }
}

/** The stream; for as long as it lasts it is looked whether the call may go on. */
async function* lookedAt<T>(
  messages: AsyncIterable<T>,
  call: Call,
  { clock, again }: Looking,
  lose: (why: unknown) => void,
): AsyncGenerator<T> {
  let cancel = () => {};
  const look = async () => {
    try {
      await again(call);
    } catch (error) {
      if (hasReason(error, 'Unauthorized', 'Forbidden')) return lose(error);
    }
    arm();
  };
  let over = false;
  const arm = () => {
    if (!over) cancel = clock.after(EVERY_MS, () => void look());
  };
  arm();
  try {
    yield* messages;
  } finally {
    over = true;
    cancel();
  }
}
