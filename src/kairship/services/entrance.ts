/**
 * The only entrance: every request of a user, a browser or kubectl comes through here.
 *
 * It knows who is calling before anything behind it is asked. Paths: `/healthz`, `/readyz`, `/signin…` and `/signout`
 * (`sign-in.ts`), `/instances/{name}/kube/…` and `/global/kube/…` (the instance proxy), the API, terminals
 * (`cloudshell/shell-terminals.ts`), and the files of the console. Programs are answered in JSON, people with pages.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { StatusError } from '#base/status-error.ts';
import type { PlatformCaller } from '../access/authorize.ts';
import type { KubeCall } from '../access/kube-audit.ts';
import type { Identify } from '../access/identify.ts';
import type { AgentCallers } from '../proxy/agent-callers.ts';
import {
  type Caller,
  GLOBAL_CLUSTER,
  type InstanceProxy,
  refuse,
  refuseUpgrade,
  type Target,
} from '../proxy/instance-proxy.ts';
import { openExchanges } from '../proxy/open-exchanges.ts';
import type { ShellTerminals } from './cloudshell/shell-terminals.ts';
import type { ConsoleFiles } from './console-files.ts';
import type { SignInDesk } from './sign-in.ts';

export interface Entrance {
  request(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

export interface EntranceOptions {
  readonly proxy: InstanceProxy;
  readonly identify: Identify;
  /** Who a caller is inside an instance or the global cluster; throws `Forbidden` for those who have nothing to do there. */
  readonly admit: (caller: PlatformCaller, instance: string) => Caller;
  /** Who an agent is inside the instance whose member it answers for. */
  readonly agents: AgentCallers;
  readonly desk: SignInDesk;
  readonly console: ConsoleFiles;
  /** Answers requests of the API and says true, or leaves a request alone. */
  readonly api: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly terminals: ShellTerminals;
  /** Told of every request to an instance that was answered; decides what of it is worth keeping. */
  readonly record: (call: KubeCall) => void;
  readonly ready: () => boolean;
  /** Names it answers to beyond those of this machine. */
  readonly hosts?: readonly string[];
}

interface Visit extends Target {
  readonly byAgent: boolean;
}

const SWITCHED = 101;

export function entrance(options: EntranceOptions): Entrance {
  const { proxy, identify, admit, agents, desk, console: files, api, ready } = options;
  const exchanges = openExchanges();

  async function callerOf({ method = 'GET', headers, socket }: IncomingMessage): Promise<PlatformCaller> {
    // Any page may open a WebSocket to anywhere, and a browser says from which page: a session needs one of ours.
    const verb = headers.upgrade === undefined ? method : 'CONNECT';
    const caller = await identify({ method: verb, headers, address: socket.remoteAddress });
    if (!caller) throw new StatusError('Unauthorized', 'Unauthorized');
    return caller;
  }

  async function proxied(request: IncomingMessage): Promise<Visit | undefined> {
    const [, place, path] = request.url?.match(/^\/(instances\/[^/?]+|global)\/kube(\/.*)?$/) ?? [];
    if (place === undefined) return undefined;
    const instance = place === 'global' ? GLOBAL_CLUSTER : decodeURIComponent(place.slice('instances/'.length));
    const agent = await agentIn(instance, request);
    const caller = agent ?? admit(await callerOf(request), instance);
    return { instance, path: path ?? '/', caller, byAgent: agent !== undefined };
  }

  async function agentIn(instance: string, { headers }: IncomingMessage): Promise<Caller | undefined> {
    const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
    return bearer === undefined || instance === GLOBAL_CLUSTER ? undefined : agents(instance, bearer);
  }

  /** For as long as it is open, it is its caller's to have. */
  function keepAdmitted(request: IncomingMessage, { caller }: Target): () => void {
    const again = async () => (await proxied(request))?.caller ?? caller;
    return exchanges.add(caller, again, () => request.socket.destroy());
  }

  /** What an agent writes is its work, not what somebody did. */
  function onRecord({ instance, path, caller, byAgent }: Visit, request: IncomingMessage, status: number): void {
    const { method = 'GET', headers, socket } = request;
    if (byAgent || instance === GLOBAL_CLUSTER) return;
    options.record({
      instance,
      method,
      path,
      status,
      upgrade: headers.upgrade !== undefined,
      user: caller.user,
      byToken: headers.authorization !== undefined,
      address: socket.remoteAddress,
      agent: headers['user-agent'],
    });
  }

  async function openTerminal(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const place = options.terminals.placeOf(request.url);
    if (!place) throw new StatusError('NotFound', 'nothing to upgrade here');
    const admitted = async () => {
      const caller = await callerOf(request);
      await options.terminals.requireOpen({ place, caller, request });
      return caller;
    };
    const caller = await admitted();
    socket.on(
      'close',
      exchanges.add(caller, admitted, () => socket.destroy()),
    );
    await options.terminals.serve({ place, caller, request }, socket, head);
  }

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requireOwnHost(request, options.hosts);
    const path = request.url?.split('?')[0] ?? '/';
    if (path === '/healthz' || path === '/livez') return answer(response, 200, 'ok');
    if (path === '/readyz') return ready() ? answer(response, 200, 'ok') : answer(response, 503, 'starting');
    if (await desk.handle(request, response)) return;
    if (api(request, response)) return;
    const target = await proxied(request);
    if (target) {
      response.on('close', keepAdmitted(request, target));
      response.on('finish', () => onRecord(target, request, response.statusCode));
      return proxy.handle(target, request, response);
    }
    if (isForPrograms(request, path)) {
      await callerOf(request);
      throw new StatusError('NotFound', `nothing is served at ${path}`);
    }
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new StatusError('MethodNotAllowed', 'only GET is served here');
    if (files.isPage(path) && !(await desk.isSignedIn(request))) return desk.signedOut(request, response);
    return files.serve(path, response);
  }

  return {
    request(request, response) {
      route(request, response).catch((error: unknown) => refuse(response, error));
    },
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      const start = async () => {
        requireOwnHost(request, options.hosts);
        const target = await proxied(request);
        if (!target) return openTerminal(request, socket, head);
        socket.on('close', keepAdmitted(request, target));
        await proxy.upgrade(target, request, socket, head);
        onRecord(target, request, SWITCHED);
      };
      start().catch((error: unknown) => refuseUpgrade(socket, error));
    },
  };
}

/** A name that resolves to this machine is no proof: without this check any web page could rebind its own name to us. */
function requireOwnHost(request: IncomingMessage, hosts: readonly string[] = []): void {
  const host = request.headers.host?.replace(/:\d+$/, '') ?? '';
  if (!/^(localhost|127(\.\d+){3}|\[::1\])$/i.test(host) && !hosts.includes(host.toLowerCase())) {
    throw new StatusError('Forbidden', `this server does not answer to the name "${host}"`);
  }
}

/** Whoever shows a token, or asks for a path of an API, wants no page. */
function isForPrograms({ headers }: IncomingMessage, path: string): boolean {
  return headers.authorization !== undefined || /^\/(apis?|openapi|[\w.]+Service)(\/|$)/.test(path);
}

function answer(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}
