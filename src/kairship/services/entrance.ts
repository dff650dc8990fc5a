/**
 * The only entrance: every request of a user, a browser or kubectl comes through here.
 *
 * It knows who is calling before anything behind it is asked. Paths: `/healthz`, `/readyz`, `/signin?code=…` (changes a
 * one-time link for a cookie), `/instances/{name}/kube/…` (the instance proxy), the API, and the console's files.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { StatusError } from '#base/status-error.ts';
import type { PlatformCaller } from '../access/authorize.ts';
import { cookieOf, type Identify } from '../access/identify.ts';
import { type Caller, type InstanceProxy, refuse, refuseUpgrade, type Target } from '../proxy/instance-proxy.ts';
import type { ConsoleFiles } from './console-files.ts';
import { SESSION_COOKIE, SESSION_MS, type Sessions } from './session.ts';

export interface Entrance {
  request(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

export interface EntranceOptions {
  readonly proxy: InstanceProxy;
  readonly identify: Identify;
  /** Who a caller is inside an instance; throws `Forbidden` for those who have nothing to do there. */
  readonly admit: (caller: PlatformCaller, instance: string) => Caller;
  readonly sessions: Sessions;
  readonly console: ConsoleFiles;
  /** Answers requests of the API and says true, or leaves a request alone. */
  readonly api: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly ready: () => boolean;
}

export function entrance(options: EntranceOptions): Entrance {
  const { proxy, identify, admit, sessions, console: files, api, ready } = options;

  async function proxied(request: IncomingMessage): Promise<Target | undefined> {
    const [, found, path] = request.url?.match(/^\/instances\/([^/?]+)\/kube(\/.*)?$/) ?? [];
    if (found === undefined) return undefined;
    const { method = 'GET', headers, socket } = request;
    const caller = await identify({ method, headers, address: socket.remoteAddress });
    if (!caller) throw new StatusError('Unauthorized', 'Unauthorized');
    const instance = decodeURIComponent(found);
    return { instance, path: path ?? '/', caller: admit(caller, instance) };
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
    if (api(request, response)) return;
    const target = await proxied(request);
    if (target) return proxy.handle(target, request, response);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new StatusError('MethodNotAllowed', 'only GET is served here');
    if (sessions.userOf(cookieOf(request.headers, SESSION_COOKIE) ?? '') === undefined && files.isPage(path)) {
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
        const target = await proxied(request);
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

function answer(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}
