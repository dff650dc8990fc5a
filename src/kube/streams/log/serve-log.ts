/** `pods/log`: the log of a container as plain text, for as long as it is followed. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StatusError } from '#base/status-error.ts';
import type { ExtensionRequest } from '#kube/apiserver/extension.ts';
import { containerOf } from '../container.ts';
import type { StreamDeps } from '../stream-deps.ts';
import { logQuery } from './log-options.ts';

export async function serveLog(deps: StreamDeps, request: ExtensionRequest): Promise<void> {
  const { raw, signal: closing, query } = request;
  if (!raw || !('response' in raw)) throw new StatusError('NotImplemented', 'a log is read over HTTP');
  const { response } = raw;
  const { limitBytes, tailLines, since, ...asked } = logQuery(request.name ?? '', query, deps.now());
  const pod = await deps.pod(request);
  const container = containerOf(pod, asked.container);
  if (!pod.spec?.nodeName) {
    // Nothing has been started, so nothing has been said.
    response.writeHead(204).end();
    return;
  }
  await deps.sessions(closing, async (session) => {
    response.on('close', () => session.abort(new StatusError('Gone', 'the client has gone')));
    const lines = await deps.streams.logs(pod, {
      ...asked,
      container,
      ...(tailLines === undefined ? {} : { tailLines }),
      ...(since === undefined ? {} : { since }),
      signal: session.signal,
    });
    response.writeHead(200, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-cache, private' });
    // The head at once: a followed log may have nothing to say for minutes.
    response.flushHeaders();
    const body = Readable.from(limited(lines, limitBytes, session.touch), { objectMode: false });
    // Either side may go at any time; that is how logs end, and nobody is left to be told.
    await pipeline(body, response, { signal: session.signal }).catch(() => response.destroy());
  });
}

/** Cuts after so many bytes, in the middle of a line if need be. */
export async function* limited(
  chunks: AsyncIterable<Uint8Array>,
  limitBytes: number | undefined,
  onData: () => void = () => undefined,
): AsyncGenerator<Uint8Array> {
  let left = limitBytes ?? Number.POSITIVE_INFINITY;
  for await (const chunk of chunks) {
    onData();
    yield chunk.length > left ? chunk.subarray(0, left) : chunk;
    left -= chunk.length;
    if (left <= 0) return;
  }
}
