/** What of a message's head passes a proxy, and what is of one connection only or not for the other side. */
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { namesIn } from '../upgrade.ts';

const HOP_BY_HOP = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/;
/** Credentials are for the API server; whoever is proxied to must not get to see them. */
const CREDENTIALS = /^(authorization|impersonate-.*|x-remote-.*)$/;
const TOKEN_PROTOCOL = 'base64url.bearer.authorization.k8s.io.';

export function requestHeaders(request: IncomingMessage, path: string): OutgoingHttpHeaders {
  const { headers } = request;
  const own = new Set(namesIn(headers.connection).map((name) => name.toLowerCase()));
  const passed = Object.entries(headers).filter(
    ([name]) => !HOP_BY_HOP.test(name) && !CREDENTIALS.test(name) && !own.has(name),
  );
  const body = headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' };
  return {
    ...Object.fromEntries(passed),
    ...body,
    ...protocols(headers),
    'x-forwarded-uri': path,
    'x-forwarded-host': headers.host ?? '',
    'x-forwarded-proto': 'encrypted' in request.socket ? 'https' : 'http',
  };
}

/** Browsers hide their token among the subprotocols of a WebSocket. */
function protocols(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const asked = namesIn(headers['sec-websocket-protocol']);
  if (asked.length === 0) return {};
  return { 'sec-websocket-protocol': asked.filter((name) => !name.startsWith(TOKEN_PROTOCOL)).join(', ') };
}

export function responseHeaders(answer: IncomingMessage, prefix: string, host: string): OutgoingHttpHeaders {
  const passed = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !HOP_BY_HOP.test(name)));
  const { location } = answer.headers;
  return location === undefined ? passed : { ...passed, location: within(location, prefix, host) };
}

/** A redirect to another page of the same server must lead through the proxy again. */
function within(location: string, prefix: string, host: string): string {
  const origin = /^https?:\/\/([^/]*)/.exec(location);
  if (origin && origin[1] !== host) return location;
  const path = origin ? location.slice(origin[0].length) || '/' : location;
  return path.startsWith('/') && !path.startsWith('//') ? `${prefix}${path}` : location;
}
