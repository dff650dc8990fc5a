import type { IncomingMessage } from 'node:http';

/**
 * The head of an answer as it came, for proxies that write to a socket themselves.
 *
 * An upgraded connection goes on in another protocol. A plain answer to an upgrade (`ends`) is passed on without its
 * chunks, so its body can only end with the connection, and its head must say so.
 */
export function responseHead(response: IncomingMessage, { ends }: { readonly ends: boolean }): string {
  const { statusCode = 502, statusMessage = '', rawHeaders } = response;
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (ends && /^(connection|transfer-encoding)$/i.test(rawHeaders[at] ?? '')) continue;
    lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  }
  return `${[...lines, ...(ends ? ['Connection: close'] : [])].join('\r\n')}\r\n\r\n`;
}
