/** A watch over HTTP: frames written straight to the socket, a bounded buffer, an orderly end. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { statusOf, StatusError } from '#base/status-error.ts';
import { randomUUID } from 'node:crypto';
import type { Core } from '../core.ts';
import { errorLine } from '../representations/watch-lines.ts';
import { runWatch, type WatchPlan } from '../verbs/watch.ts';
import type { Representation } from '../watch-hub.ts';
import type { Exchange } from './respond.ts';

export async function streamWatch(
  core: Core,
  exchange: Exchange,
  plan: WatchPlan,
  as: Representation<Buffer>,
  closing: AbortSignal,
): Promise<void> {
  const { response } = exchange;
  if (core.hub.watchers() >= core.limits.watchers) {
    throw new StatusError('TooManyRequests', 'too many watches are open', { details: { retryAfterSeconds: 1 } });
  }
  response.writeHead(200, {
    'Audit-Id': exchange.notes?.id ?? randomUUID(),
    'Cache-Control': 'no-cache, private',
    'Content-Type': 'application/json',
    'Transfer-Encoding': 'chunked',
  });
  response.flushHeaders();
  exchange.notes?.started();
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  // A request sent before the answer to another one is whole has the connection only after it.
  if (!response.socket) await once(response, 'socket', { signal: gone.signal }).catch(() => undefined);
  const outlet = outletOf(response, core.limits.watcherBufferBytes);
  try {
    await runWatch(core, plan, as, outlet, AbortSignal.any([gone.signal, closing]));
  } catch (error) {
    void outlet.write(errorLine(statusOf(error)));
  }
  if (outlet.keepsUp()) end(response);
  else response.destroy();
}

/** Frames bypass the response, which would frame them once more for each watcher. */
function outletOf(response: ServerResponse, bufferBytes: number) {
  const { socket } = response;
  let draining: PromiseWithResolvers<void> | undefined;
  const drained = () => {
    draining?.resolve();
    draining = undefined;
  };
  socket?.on('drain', drained);
  response.on('close', () => {
    socket?.off('drain', drained);
    drained();
  });
  return {
    write(frame: Buffer): Promise<void> | undefined {
      if (!socket || socket.destroyed || socket.write(frame)) return undefined;
      return (draining ??= Promise.withResolvers<void>()).promise;
    },
    keepsUp: () => !socket || socket.writableLength <= bufferBytes,
  };
}

function end(response: ServerResponse): void {
  if (!response.writableEnded) response.end();
}
