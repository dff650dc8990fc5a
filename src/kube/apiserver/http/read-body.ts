/** Reads a request's body, up to the limit. */
import type { IncomingMessage } from 'node:http';
import { StatusError } from '#base/status-error.ts';

export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.reject(tooLarge(limit));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        request.pause();
        reject(tooLarge(limit));
      } else chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    const gone = () => reject(new StatusError('BadRequest', 'the client went away before its request was whole'));
    request.on('error', gone);
    request.on('close', () => {
      if (!request.complete) gone();
    });
  });
}

function tooLarge(limit: number): StatusError {
  return new StatusError('RequestEntityTooLarge', `Request entity too large: limit is ${limit}`);
}
