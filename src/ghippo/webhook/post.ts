import { StatusError } from '#base/status-error.ts';

/** Sends a message; resolves when it was acknowledged, throws otherwise. */
export type Post = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
) => Promise<void>;

/** Over HTTPS, or HTTP on this machine; a redirect is no acknowledgement, for the key was given for this address. */
export const httpPost: Post = async (url, headers, body, signal) => {
  requireSafe(url);
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
    redirect: 'manual',
    signal,
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new StatusError('ServiceUnavailable', `${url} answered ${answer.status}`);
};

function requireSafe(url: string): void {
  const { protocol, hostname } = new URL(url);
  const isHere = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  if (protocol === 'https:' || (protocol === 'http:' && isHere)) return;
  throw new StatusError('Invalid', `${url} is not safe: bindings are told over https only`);
}
