/**
 * The only entrance: every request of a user, a browser or kubectl comes through here.
 *
 * It knows who is calling before anything behind it is asked. Paths: `/healthz`, `/readyz`, `/signin?code=…` (changes a
 * one-time link for a cookie), `/instances/{name}/kube/…` (the instance proxy) and the console's files.
 */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { StatusError } from '#base/status-error.ts';
import { type Caller, type InstanceProxy, refuse, refuseUpgrade, type Target } from '../proxy/instance-proxy.ts';
import type { ConsoleFiles } from './console-files.ts';
import { SESSION_COOKIE, SESSION_MS, type Sessions } from './session.ts';

export interface Entrance {
  request(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

export interface EntranceOptions {
  readonly proxy: InstanceProxy;
  readonly sessions: Sessions;
  readonly console: ConsoleFiles;
  /** The administrator's bearer token. */
  readonly adminToken: string;
  readonly ready: () => boolean;
}

const ADMIN: Caller = { user: 'admin', groups: ['system:masters'] };

export function entrance(options: EntranceOptions): Entrance {
  const { proxy, sessions, console: files, adminToken, ready } = options;

  function callerOf(request: IncomingMessage): Caller {
    const bearer = request.headers.authorization?.match(/^Bearer (.+)$/i)?.[1];
    if (bearer !== undefined) {
      if (sameText(bearer, adminToken)) return ADMIN;
      throw new StatusError('Unauthorized', 'Unauthorized');
    }
    const user = sessions.userOf(cookieOf(request) ?? '');
    if (user === undefined) throw new StatusError('Unauthorized', 'Unauthorized');
    // A cookie travels by itself: another site's page must not be able to use it.
    if (!isSameSite(request))
      throw new StatusError('Forbidden', 'requests with a session must come from the console itself');
    return ADMIN;
  }

  function proxied(request: IncomingMessage): Target | undefined {
    const [, instance, path] = request.url?.match(/^\/instances\/([^/?]+)\/kube(\/.*)?$/) ?? [];
    if (instance === undefined) return undefined;
    return { instance: decodeURIComponent(instance), path: path ?? '/', caller: callerOf(request) };
  }

  function signIn(request: IncomingMessage, response: ServerResponse): void {
    const code = new URL(request.url ?? '/', 'http://localhost').searchParams.get('code') ?? '';
    const session = sessions.redeem(code);
    if (!session) {
      files.signedOut(response, 'This sign-in link was already used or is too old. `kairship open` makes a new one.');
      return;
    }
    const cookie = `${SESSION_COOKIE}=${session.cookie}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${SESSION_MS / 1000}`;
    // A page, not a redirect: a strict cookie set by a redirect from elsewhere would not be sent with it.
    files.welcome(response, cookie);
  }

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requireOwnHost(request);
    const path = request.url?.split('?')[0] ?? '/';
    if (path === '/healthz' || path === '/livez') return answer(response, 200, 'ok');
    if (path === '/readyz') return ready() ? answer(response, 200, 'ok') : answer(response, 503, 'starting');
    if (path === '/signin') return signIn(request, response);
    const target = proxied(request);
    if (target) return proxy.handle(target, request, response);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new StatusError('MethodNotAllowed', 'only GET is served here');
    if (sessions.userOf(cookieOf(request) ?? '') === undefined && files.isPage(path)) {
      return files.signedOut(
        response,
        'Sign in with the link that `kairship up` printed, or run `kairship open` for a new one.',
      );
    }
    return files.serve(path, response);
  }

  return {
    request(request, response) {
      route(request, response).catch((error: unknown) => refuse(response, error));
    },
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      const start = async () => {
        requireOwnHost(request);
        const target = proxied(request);
        if (!target) throw new StatusError('NotFound', 'nothing to upgrade here');
        await proxy.upgrade(target, request, socket, head);
      };
      start().catch((error: unknown) => refuseUpgrade(socket, error));
    },
  };
}

/** A name that resolves to this machine is no proof: without this check any web page could rebind its own name to us. */
function requireOwnHost(request: IncomingMessage): void {
  const host = request.headers.host?.replace(/:\d+$/, '') ?? '';
  if (!/^(localhost|127(\.\d+){3}|\[::1\])$/i.test(host)) {
    throw new StatusError('Forbidden', `this server does not answer to the name "${host}"`);
  }
}

function isSameSite(request: IncomingMessage): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = request.headers;
  return origin === undefined ? request.method === 'GET' : new URL(origin).host === request.headers.host;
}

function cookieOf(request: IncomingMessage): string | undefined {
  return request.headers.cookie?.match(new RegExp(`(?:^|; )${SESSION_COOKIE}=([^;]+)`))?.[1];
}

function sameText(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}

function answer(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}
