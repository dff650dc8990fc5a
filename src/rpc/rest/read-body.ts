import { StatusError } from '#base/status-error.ts';
import type { NodeRequest } from '../node-request.ts';

/** The whole body, up to a limit. One byte more is refused at once, and not read. */
export function readBody(request: NodeRequest, limit: number): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const chunks: Buffer[] = [];
  let size = 0;
  const tooLarge = () => new StatusError('RequestEntityTooLarge', `the body is larger than ${limit} bytes`);
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.reject(tooLarge());
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) return void chunks.push(chunk);
    // Paused rather than destroyed, so that the refusal still finds its way back.
    request.pause();
    reject(tooLarge());
  });
  request.on('end', () => resolve(Buffer.concat(chunks)));
  request.on('error', reject);
  request.on('close', () => reject(new StatusError('BadRequest', 'the body ended too early')));
  return promise;
}
