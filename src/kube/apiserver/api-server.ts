/**
 * An API server that speaks Kubernetes: resources in a store, admitted, validated, watched and served.
 *
 *     const server = await apiServer({ store: memoryStore() });
 *     const client = server.client();                  // in this process
 *     await server.listen({ port: 6443, tls });        // for everybody else
 *
 * It knows no kind by name: kinds come in as definitions, custom ones as CRDs. Where to start: `http/http-server.ts`
 * for the way of a request, `verbs/` for what each verb does, `cache/` for where answers come from.
 */
import type { Socket } from 'node:net';
import { type Clock, systemClock } from '#base/clock.ts';
import { type Ids, randomIds } from '#base/ids.ts';
import { type Log, silentLog } from '#base/log.ts';
import { type Metrics, metrics as newMetrics } from '#base/metrics.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Store } from '#kube/store/store.ts';
import type { AdmissionPlugin, User } from './admission.ts';
import { AUTHENTICATED, type Authenticator, MASTERS } from './auth/authenticate.ts';
import { type Authorizer, mastersOnly } from './auth/authorize.ts';
import { podBinding } from './builtin/pod-binding.ts';
import { podEviction } from './builtin/pod-eviction.ts';
import { reviews } from './builtin/reviews.ts';
import { type WatchCache, watchCache } from './cache/watch-cache.ts';
import { compactRegularly } from './compaction.ts';
import type { Core } from './core.ts';
import { type Conversions, serveCustomResources } from './custom/custom-resources.ts';
import { discovery } from './discovery/serve-discovery.ts';
import { openApi } from './discovery/serve-openapi.ts';
import type { ApiExtension } from './extension.ts';
import { extensions as extensionsOf } from './extensions.ts';
import type { HealthCheck } from './http/health.ts';
import { listen, type Listening, type ListenOptions } from './http/http-server.ts';
import type { RequestWitness } from './http/request-notes.ts';
import type { Documents } from './http/serve-path.ts';
import { immortalNamespaces } from './immortal-namespaces.ts';
import { inProcessClient } from './in-process-client.ts';
import { LIMITS, type Limits } from './limits.ts';
import { builtinResources, serviceAddresses } from './kinds/index.ts';
import { requestMetrics } from './request-metrics.ts';
import { registry as registryOf } from './registry.ts';
import type { ResourceDefinition } from './resource.ts';
import { served, storagePrefix } from './served.ts';
import { ensureSystemObjects } from './system-objects.ts';
import { withServerRules } from './server-rules.ts';
import { KUBERNETES_VERSION, type VersionInfo } from './version.ts';
import { watchHub } from './watch-hub.ts';

export interface ApiServerOptions {
  readonly store: Store;
  /** What is served besides custom resources; all built-in kinds when absent. */
  readonly resources?: readonly ResourceDefinition[];
  readonly admission?: readonly AdmissionPlugin[];
  /** How custom resources look in their other versions, in place of a conversion webhook. */
  readonly conversions?: Conversions;
  readonly authenticators?: readonly Authenticator[];
  /** Whether requests without credentials are served as `system:anonymous`; refused otherwise. */
  readonly anonymous?: boolean;
  readonly authorizer?: Authorizer;
  readonly extensions?: readonly ApiExtension[];
  readonly health?: readonly HealthCheck[];
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly log?: Log;
  readonly version?: VersionInfo;
  readonly limits?: Partial<Limits>;
  /** Where the server counts, if others count there too. */
  readonly metrics?: Metrics;
  /** Told of every request over HTTP. */
  readonly witness?: RequestWitness;
  /** Paths beyond those of the API, each with what it answers to whoever may `get` it. */
  readonly documents?: Documents;
}

export interface ApiServer {
  /** A client in this process; without a user it may do everything. `agent` is recorded with its writes. */
  client(user?: User, agent?: string): KubeClient;
  listen(options?: ListenOptions): Promise<Listening>;
  /**
   * Tells `observer` of every stored object of a resource, then of each change, before the write that made it is
   * answered: whoever has been answered finds the observer informed. It must be quick. The returned function ends it.
   */
  observe(resource: { readonly group: string; readonly resource: string }, observer: Observer): () => void;
  /** Ends all requests and watches. The store is its owner's to close. */
  close(): Promise<void>;
}

/** Told of an object as it was and as it is: `after` is absent when it is gone, `before` when it is new. */
export type Observer = (before: KubeObject | undefined, after: KubeObject | undefined) => void;

/** The server itself, and its own controllers. */
export const SYSTEM_USER: User = { name: 'system:apiserver', groups: [MASTERS, AUTHENTICATED] };

export async function apiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { store, clock = systemClock, ids = randomIds, log = silentLog, authorizer = mastersOnly } = options;
  const limits = { ...LIMITS, ...options.limits };
  const closing = new AbortController();
  const resources = options.resources ?? builtins(() => cache);
  const coreResources = new Set(resources.filter(({ group }) => group === '').map(({ resource }) => resource));
  const cache: WatchCache = await watchCache({ store, coreResources, clock, log, limits, signal: closing.signal });
  const registry = registryOf();
  for (const definition of resources) registry.add(served(withServerRules(definition), cache));
  const core: Core = {
    store,
    cache,
    hub: watchHub(cache),
    registry,
    admission: [immortalNamespaces, ...(options.admission ?? [])],
    clock,
    ids,
    log,
    limits,
  };
  const authenticators = options.authenticators ?? [];
  const extensions = extensionsOf([
    ...(options.extensions ?? []),
    ...podBinding(core),
    podEviction(core),
    ...reviews({ core, authorizer, authenticators }),
  ]);
  const found = discovery(registry, extensions.all);
  const metrics = options.metrics ?? newMetrics();
  const requests = requestMetrics(metrics, core);
  const health: readonly HealthCheck[] = [
    { name: 'ping', healthy: () => true },
    { name: 'store', healthy: () => cache.healthy() },
    { name: 'shutdown', readinessOnly: true, healthy: () => !closing.signal.aborted },
    ...(options.health ?? []),
  ];
  const version = options.version ?? KUBERNETES_VERSION;
  const client = (user: User = SYSTEM_USER, agent = 'kairship') =>
    inProcessClient(
      { core, authorizer, extensions, groups: () => found.groups(), text, closing: closing.signal },
      user,
      agent,
    );
  function text(path: string): string | undefined {
    if (path === '/version') return JSON.stringify(version);
    if (path === '/metrics') return metrics.render();
    return /^\/(healthz|livez|readyz)$/.test(path) ? 'ok' : undefined;
  }

  const servers = new Set<Listening>();
  serveCustomResources(core, client(SYSTEM_USER, 'kube-apiserver'), closing.signal, options.conversions);
  await ensureSystemObjects(client(SYSTEM_USER, 'kube-apiserver'), registry);
  compactRegularly(core, closing.signal);

  return {
    client,
    async listen(where = {}) {
      const listening = await listen(
        {
          core,
          authenticators,
          anonymous: options.anonymous ?? false,
          authorizer,
          extensions,
          requests,
          witness: options.witness,
          documents: options.documents ?? {},
          closing: closing.signal,
          discovery: found,
          openApi: openApi(registry, version.gitVersion, extensions.all),
          version,
          health,
          metrics: () => metrics.render(),
        },
        where,
      );
      servers.add(listening);
      return listening;
    },
    observe(resource, observer) {
      const prefix = storagePrefix(resource);
      for (const { object } of cache.resource(prefix).entries()) observer(undefined, object);
      return cache.listen(prefix, (events) => {
        for (const { previous, entry } of events) observer(previous?.object, entry?.object);
      });
    },
    async close() {
      closing.abort();
      await Promise.all([...servers].map(stop));
    },
  };
}

/** All built-in kinds, with Services that get addresses no other Service of this server has. */
function builtins(cache: () => WatchCache): readonly ResourceDefinition[] {
  const services = () =>
    cache()
      .resource(storagePrefix({ group: '', resource: 'services' }))
      .entries();
  return builtinResources({ addresses: serviceAddresses({ services: () => services().map(({ object }) => object) }) });
}

/** Watches have ended with the signal; what is idle or still sending is cut off. */
function stop({ server }: Listening): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // One that is still shaking hands is no connection of HTTP yet, and would stay open as one.
    server.on('secureConnection', (socket: Socket) => socket.destroy());
    setImmediate(() => server.closeAllConnections());
  });
}
