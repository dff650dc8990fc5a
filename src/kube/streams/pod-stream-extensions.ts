/**
 * `pods/log`, `exec`, `attach`, `portforward` and the proxies to pods, services and nodes, served from a backend.
 *
 *     apiServer({ …, extensions: podStreamExtensions({ client: () => server.client(), streams }) })
 *
 * Where to start: `pod-streams.ts` for what a backend gives; `command/`, `log/`, `port-forward/` and `proxy/` for how
 * each is served; `websocket/` and `spdy/` for the protocols below; `limits.ts` for every bound.
 */
import type { Pod } from '#gen/kube/types.ts';
import { type Clock, systemClock } from '#base/clock.ts';
import type { ApiExtension, ExtensionRequest } from '#kube/apiserver/extension.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { serveAttach, serveExec } from './command/serve-command.ts';
import { STREAM_LIMITS, type StreamLimits } from './limits.ts';
import { serveLog } from './log/serve-log.ts';
import type { PodStreams } from './pod-streams.ts';
import { servePortForward } from './port-forward/serve-port-forward.ts';
import type { Proxied } from './proxy/proxy-target.ts';
import { serveProxy } from './proxy/serve-proxy.ts';
import { sessions } from './session.ts';
import type { StreamDeps } from './stream-deps.ts';

export interface PodStreamOptions {
  /** Finds pods, services and nodes; it may see everything, since the caller has been authorized already. */
  readonly client: () => KubeClient;
  readonly streams: PodStreams;
  readonly clock?: Clock;
  /** The time in the cluster, where it is not the clock's: what `since` counts back from. */
  readonly now?: () => number;
  readonly limits?: Partial<StreamLimits>;
}

const PODS = { group: '', version: 'v1', resource: 'pods' };
const STREAM_VERBS = ['create', 'get'];
const PROXY_VERBS = ['create', 'delete', 'get', 'patch', 'update'];

export function podStreamExtensions(options: PodStreamOptions): readonly ApiExtension[] {
  const { client, streams, clock = systemClock } = options;
  const limits = { ...STREAM_LIMITS, ...options.limits };
  let turns = 0;
  const deps: StreamDeps = {
    client,
    streams,
    clock,
    limits,
    sessions: sessions(limits, clock),
    now: options.now ?? (() => clock.now()),
    turn: () => turns++,
    pod: ({ namespace, name = '' }) =>
      client().get<Pod>(PODS, { name, ...(namespace === undefined ? {} : { namespace }) }),
  };
  return [
    extension('pods', 'log', 'Pod', ['get'], (request) => serveLog(deps, request)),
    stream('exec', 'PodExecOptions', (request) => serveExec(deps, request)),
    stream('attach', 'PodAttachOptions', (request) => serveAttach(deps, request)),
    stream('portforward', 'PodPortForwardOptions', (request) => servePortForward(deps, request)),
    proxy(deps, 'pods', 'pod', 'PodProxyOptions'),
    proxy(deps, 'services', 'service', 'ServiceProxyOptions'),
    { ...proxy(deps, 'nodes', 'node', 'NodeProxyOptions'), namespaced: false },
  ];
}

type Serve = (request: ExtensionRequest) => Promise<void>;

/** A WebSocket begins as a GET: who may only read must not run commands by it. */
const stream = (subresource: string, kind: string, serve: Serve): ApiExtension => ({
  ...extension('pods', subresource, kind, STREAM_VERBS, serve),
  upgradeVerb: 'create',
});

const proxy = (deps: StreamDeps, resource: string, proxied: Proxied, kind: string): ApiExtension =>
  extension(resource, 'proxy', kind, PROXY_VERBS, (request) => serveProxy(deps, proxied, request));

function extension(
  resource: string,
  subresource: string,
  kind: string,
  verbs: readonly string[],
  serve: Serve,
): ApiExtension {
  return {
    group: '',
    version: 'v1',
    resource,
    subresource,
    kind: { kind },
    namespaced: true,
    verbs,
    async serve(request) {
      await serve(request);
      return undefined;
    },
  };
}
