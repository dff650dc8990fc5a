/**
 * One API server over HTTP/1.1: connections, TLS, credentials, deadlines and the translation of network failures.
 *
 * Requests that end by themselves share a bounded pool of kept-alive connections; streams (watches, logs, upgrades) get
 * connections of their own, so any number of watches leaves room for writes. It knows nothing of resources; answers are
 * handed on as they are, whatever their status. A failure to get any answer is a `ServiceUnavailable`, a missed
 * deadline a `Timeout`; an aborted request rejects with the signal's reason. A read whose kept connection the server gave
 * up at that very moment is asked again on another.
 */
import type * as http from 'node:http';
import * as https from 'node:https';
import type { Duplex, Readable } from 'node:stream';
import { systemClock } from '#base/clock.ts';
import { request as plainRequest } from '#base/node-http.ts';
import { StatusError } from '#base/status-error.ts';
import type { ClusterConfig, Impersonation } from './cluster-config.ts';
import { connectionPools, type Pool } from './connection-pools.ts';

export interface RawRequest {
  readonly method: string;
  /** Path and query, below the server's own path. */
  readonly path: string;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: string | Uint8Array | Readable;
  readonly signal?: AbortSignal | undefined;
  /** For streams: how long to wait for the answer to begin; for ever when absent. */
  readonly headWithinMs?: number;
}

/** The answer's head; its body is still to be read (or destroyed). */
export type RawResponse = http.IncomingMessage;

/** The server took the upgrade: from here on both sides speak another protocol on `socket`. */
export interface Upgraded {
  readonly response: http.IncomingMessage;
  readonly socket: Duplex;
  /** What the server already sent of the new protocol. */
  readonly head: Buffer;
}

export interface Transport {
  /** For answers that end soon: pooled, with the configured deadline over the whole exchange. */
  send(request: RawRequest): Promise<RawResponse>;
  /** For answers that may never end: no deadline but the signal's. */
  stream(request: RawRequest): Promise<RawResponse>;
  /** Like `stream`, offering an upgrade; a plain answer means that the server did not take it. */
  upgrade(request: RawRequest): Promise<RawResponse | Upgraded>;
  close(): void;
}

export function transport(config: ClusterConfig): Transport {
  const { clock = systemClock, timeoutMs = 60_000 } = config;
  const url = new URL(config.server);
  const base = url.pathname === '/' ? '' : url.pathname.replace(/\/$/, '');
  const secure = url.protocol === 'https:';
  const open = secure ? https.request : plainRequest;
  const common: http.OutgoingHttpHeaders = { 'user-agent': config.userAgent ?? 'kairship/0.1.0' };
  const identity = identityHeaders(config);
  const pools = connectionPools(config);
  let closed = false;

  async function attempt(request: RawRequest, pool: Pool, token?: string): Promise<RawResponse | Upgraded> {
    if (closed) throw new StatusError('ServiceUnavailable', `the client of ${config.server} is closed`);
    request.signal?.throwIfAborted();
    const { clientCert } = config;
    const pair = typeof clientCert === 'function' ? await clientCert() : clientCert;
    const headers = { ...common, ...request.headers, ...identity };
    // Who asks is said by the configuration alone, and which server by its address.
    if (!('authorization' in identity)) delete headers.authorization;
    delete headers.host;
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    const outgoing = open({
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? (secure ? 443 : 80) : url.port,
      agent: pools.agent(pool, pair),
      method: request.method,
      path: base + request.path,
      headers,
    });
    // At once: a request can fail before a promise is next looked at.
    return answerOf(outgoing, request, pool, () => attempt(request, pool, token));
  }

  async function exchange(request: RawRequest, pool: Pool): Promise<RawResponse | Upgraded> {
    const { token } = config;
    if (typeof token !== 'function') return attempt(request, pool, token);
    const first = await token();
    const answer = await attempt(request, pool, first);
    if (!isRefused(answer) || isStream(request.body)) return answer;
    const second = await token(first);
    if (second === first) return answer;
    answer.resume();
    return attempt(request, pool, second);
  }

  function answerOf(
    outgoing: http.ClientRequest,
    request: RawRequest,
    pool: Pool,
    askAgain: () => Promise<RawResponse | Upgraded>,
  ): Promise<RawResponse | Upgraded> {
    const { signal, body } = request;
    return new Promise((resolve, reject) => {
      let incoming: RawResponse | undefined;
      let failure: unknown;
      const giveUp = (reason: unknown) => {
        failure = reason;
        const error = reason instanceof Error ? reason : new Error('aborted', { cause: reason });
        // Whoever reads the answer's body is told the true reason, not that a socket went away.
        (incoming ?? outgoing).destroy(error);
      };
      const onAbort = () => giveUp(signal?.reason);
      const within = pool === 'short' ? timeoutMs : request.headWithinMs;
      const cancelDeadline =
        within === undefined ? undefined : clock.after(within, () => giveUp(missedDeadline(config.server, within)));
      signal?.addEventListener('abort', onAbort, { once: true });
      if (signal?.aborted) onAbort();
      outgoing.on('close', () => {
        cancelDeadline?.();
        signal?.removeEventListener('abort', onAbort);
      });
      outgoing.on('error', (error) => {
        if (!failure && !incoming && mayAskAgain(outgoing, request)) resolve(askAgain());
        else reject(failure ?? unreachable(config.server, error));
      });
      outgoing.on('response', (response) => {
        incoming = response;
        if (pool === 'stream') cancelDeadline?.();
        resolve(response);
      });
      outgoing.on('upgrade', (response, socket, head) => resolve({ response, socket, head }));
      if (isStream(body)) {
        // A body that breaks off must break the request too, or the server would wait for the rest.
        body.on('error', giveUp).pipe(outgoing);
      } else {
        outgoing.end(body);
      }
    });
  }

  async function plain(request: RawRequest, pool: Pool): Promise<RawResponse> {
    const answer = await exchange(request, pool);
    if (!('socket' in answer && 'head' in answer)) return answer;
    answer.socket.destroy();
    throw new StatusError('InternalError', `${config.server} changed the protocol without being asked to`);
  }

  return {
    send: (request) => plain(request, 'short'),
    stream: (request) => plain(request, 'stream'),
    upgrade: (request) => exchange(request, 'stream'),
    close() {
      closed = true;
      pools.destroy();
    },
  };
}

function identityHeaders({ basicAuth, impersonate }: ClusterConfig): http.OutgoingHttpHeaders {
  const basic = basicAuth && Buffer.from(`${basicAuth.username}:${basicAuth.password}`).toString('base64');
  return {
    ...(basic ? { authorization: `Basic ${basic}` } : {}),
    ...(impersonate ? impersonationHeaders(impersonate) : {}),
  };
}

/** The headers by which a client asks to be treated as another user. */
export function impersonationHeaders({ user, uid, groups = [], extra = {} }: Impersonation): http.OutgoingHttpHeaders {
  const headers: http.OutgoingHttpHeaders = { 'impersonate-user': user };
  if (uid !== undefined) headers['impersonate-uid'] = uid;
  if (groups.length > 0) headers['impersonate-group'] = [...groups];
  for (const [name, values] of Object.entries(extra)) {
    headers[`impersonate-extra-${encodeURIComponent(name).toLowerCase()}`] = [...values];
  }
  return headers;
}

function isRefused(answer: RawResponse | Upgraded): answer is RawResponse {
  return 'statusCode' in answer && answer.statusCode === 401;
}

/** Ends by itself: a connection that is new is not asked on again. */
function mayAskAgain(outgoing: http.ClientRequest, { method, body }: RawRequest): boolean {
  return outgoing.reusedSocket && body === undefined && (method === 'GET' || method === 'HEAD');
}

/** What a proxy passes on of a request's body: nothing where there is none, so that a read may be asked again. */
export function bodyOf(request: http.IncomingMessage): Pick<RawRequest, 'body'> {
  const { 'transfer-encoding': encoding, 'content-length': length = '0' } = request.headers;
  return encoding !== undefined || Number(length) > 0 ? { body: request } : {};
}

function isStream(body: RawRequest['body']): body is Readable {
  return body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array);
}

function unreachable(server: string, cause: Error): StatusError {
  const detail = cause.message === '' && 'code' in cause ? String(cause.code) : cause.message;
  return new StatusError('ServiceUnavailable', `${server} cannot be reached: ${detail}`, { cause });
}

function missedDeadline(server: string, ms: number): StatusError {
  return new StatusError('Timeout', `${server} did not answer within ${ms / 1000} s`);
}
