/** What requests of browsers around signing in have in common. */
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { StatusError } from '#base/status-error.ts';
import type { Origin } from '#ghippo/identity/index.ts';
import { peerOf } from '#rpc/node-request.ts';

const MOST_FORM_BYTES = 16 * 1024;
/** A cookie has to hold it. */
const MOST_NEXT = 2000;

export function targetOf({ url }: IncomingMessage): URL {
  return new URL(url ?? '/', 'http://localhost');
}

/** The page that a request wants to go on to after signing in. */
export const nextIn = (request: IncomingMessage) => nextOf(targetOf(request).searchParams.get('next'));

/** A page of our own to go on to; nothing else, or a link could lead people who have just signed in anywhere. */
export function nextOf(next: string | null | undefined): string | undefined {
  if (!next || next.length > MOST_NEXT || !URL.canParse(next, 'http://localhost')) return undefined;
  const { origin, pathname, search, hash } = new URL(next, 'http://localhost');
  const path = pathname + search + hash;
  // Two slashes at the beginning would be the name of another host.
  return origin === 'http://localhost' && /^\/[^/\\]/.test(path) ? path : undefined;
}

export function originOf(request: IncomingMessage): Origin {
  const { address } = peerOf(request);
  const agent = request.headers['user-agent'];
  return { ...(address === undefined ? {} : { address }), ...(agent === undefined ? {} : { agent }) };
}

export async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  if (Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY) > MOST_FORM_BYTES)
    throw new StatusError('RequestEntityTooLarge', 'the form is too long');
  return new URLSearchParams(await text(request));
}
