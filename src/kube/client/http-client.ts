/**
 * {@link KubeClient} for any Kubernetes API server, over HTTP.
 *
 * Answers are decoded once and owned by the caller alone. A server that asks to come back later (429, or 5xx with
 * `Retry-After`) is asked again a few times; nothing else is repeated here, because only the caller knows whether it may
 * be. `request` and `upgrade` give proxies the same connection and identity for traffic that is not understood here.
 */
import { sleep, systemClock } from '#base/clock.ts';
import { StatusError } from '#base/status-error.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject, WatchEvent } from '#kube/meta/object.ts';
import type { ClusterConfig } from './cluster-config.ts';
import { discovery } from './discovery.ts';
import { jsonLines } from './json-lines.ts';
import type { KubeClient, ListOptions, Patch, WatchOptions } from './kube-client.ts';
import { decode, eventOf, failureOf, secondsToWait, textOf, withKinds } from './rest-answer.ts';
import { deleteBody, listQuery, pathOf, watchQuery, withBody, writeQuery } from './rest-request.ts';
import { type RawRequest, type RawResponse, type Transport, transport, type Upgraded } from './transport.ts';

export interface HttpClient extends KubeClient {
  readonly config: ClusterConfig;
  /** Any request as it is; the answer streams, whatever its status. */
  request(request: RawRequest): Promise<RawResponse>;
  upgrade(request: RawRequest): Promise<RawResponse | Upgraded>;
  /** Ends every connection, and with them what is still under way. */
  close(): void;
}

const ATTEMPTS = 5;
const PATCH_TYPES = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
} as const satisfies Record<Patch['type'], string>;

/** `wire` is another way to the same server, which its owner closes; without it, one of the client's own. */
export function httpClient(config: ClusterConfig, wire: Transport = transport(config)): HttpClient {
  const call = caller(config, wire);
  const discover = discovery(call.fetch);
  const { json, done } = call;

  return {
    config,
    get: (gvr, key, { subresource, resourceVersion, signal } = {}) =>
      json({ method: 'GET', path: pathOf(gvr, key, subresource, { resourceVersion }), signal }),
    async list<T extends KubeObject>(gvr: Gvr, options: ListOptions = {}) {
      const path = pathOf(gvr, { namespace: options.namespace }, undefined, listQuery(options));
      return withKinds<T>(await json({ method: 'GET', path, signal: options.signal }));
    },
    watch: (gvr, options) => watch(config, wire, gvr, options),

    create(gvr, object, options = {}) {
      const { namespace, name } = object.metadata;
      const at = { namespace, name: options.subresource === undefined ? undefined : name };
      return json(withBody('POST', pathOf(gvr, at, options.subresource, writeQuery(options)), object, options));
    },
    update: (gvr, object, options = {}) =>
      json(withBody('PUT', pathOf(gvr, object.metadata, options.subresource, writeQuery(options)), object, options)),
    patch: (gvr, key, patch, options = {}) =>
      json(
        withBody(
          'PATCH',
          pathOf(gvr, key, options.subresource, writeQuery(options)),
          patch.body,
          options,
          PATCH_TYPES[patch.type],
        ),
      ),
    apply(gvr, object, options) {
      const query = { ...writeQuery(options), force: options.force };
      const path = pathOf(gvr, object.metadata, options.subresource, query);
      return json(withBody('PATCH', path, object, options, 'application/apply-patch+yaml'));
    },
    delete: (gvr, key, options = {}) => done(withBody('DELETE', pathOf(gvr, key), deleteBody(options), options)),
    deleteCollection(gvr, options = {}) {
      const path = pathOf(gvr, { namespace: options.namespace }, undefined, listQuery(options));
      return done(withBody('DELETE', path, deleteBody(options), options));
    },

    discover,
    getText: async (path, signal) => (await call.ok({ method: 'GET', path, signal })).body,
    request: (request) => wire.stream(request),
    upgrade: (request) => wire.upgrade(request),
    close: () => wire.close(),
  };
}

/** Requests whose answer is read as a whole. */
function caller(config: ClusterConfig, wire: Transport) {
  const { clock = systemClock } = config;
  const compressed = isLoopback(config.server) ? {} : { 'accept-encoding': 'gzip' };

  async function fetch(request: RawRequest) {
    const headers = { accept: 'application/json', ...compressed, ...request.headers };
    for (let attempt = 1; ; attempt++) {
      const response = await wire.send({ ...request, headers });
      const body = await textOf(response, request.signal);
      const answer = { status: response.statusCode ?? 0, headers: response.headers, body };
      const wait = secondsToWait(answer);
      if (wait === undefined || attempt === ATTEMPTS) return answer;
      await sleep(clock, wait * 1000, request.signal);
    }
  }

  async function ok(request: RawRequest) {
    const answer = await fetch(request);
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw failureOf(answer.status, answer.body);
  }

  return {
    fetch,
    ok,
    json: async <T>(request: RawRequest): Promise<T> => decode((await ok(request)).body) as T,
    done: async (request: RawRequest): Promise<void> => void (await ok(request)),
  };
}

async function* watch<T extends KubeObject>(
  config: ClusterConfig,
  wire: Transport,
  gvr: Gvr,
  options: WatchOptions,
): AsyncGenerator<WatchEvent<T>> {
  const { signal } = options;
  if (signal.aborted) return;
  const path = pathOf(gvr, { namespace: options.namespace }, undefined, watchQuery(options));
  const { clock = systemClock, timeoutMs: headWithinMs = 60_000 } = config;
  let response: RawResponse | undefined;
  // A server that vanished without a word never ends what it promised to end; a watch must not wait for it for ever.
  const cancelLimit =
    options.timeoutSeconds === undefined
      ? undefined
      : clock.after((options.timeoutSeconds + 30) * 1000, () => response?.destroy(new Error('overdue')));
  try {
    const headers = { accept: 'application/json' };
    response = await wire.stream({ method: 'GET', path, headers, signal, headWithinMs });
    if (response.statusCode !== 200) throw failureOf(response.statusCode ?? 0, await textOf(response));
    for await (const event of jsonLines(response)) yield eventOf<T>(event);
  } catch (error) {
    if (signal.aborted) return;
    throw error instanceof StatusError
      ? error
      : new StatusError('ServiceUnavailable', `the watch of ${config.server}${path} broke off`, { cause: error });
  } finally {
    cancelLimit?.();
    response?.destroy();
  }
}

function isLoopback(server: string): boolean {
  const { hostname } = new URL(server);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
