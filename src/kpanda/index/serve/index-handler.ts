/**
 * The index over HTTP: a read-only Kubernetes of all clusters, in Clusterpedia's URL layout.
 *
 *     path → access of the caller → kinds → query → wait for its revision → answer as JSON, Table or metadata
 *
 * It is mounted by whoever owns the port, and told what a caller may read. Every answer says how fresh it is; what is
 * asked wrongly is refused with the rule, what takes too long with `Timeout`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, systemClock } from '#base/clock.ts';
import { type Log, silentLog } from '#base/log.ts';
import { notFound, StatusError } from '#base/status-error.ts';
import { type Exchange, send, sendFailure } from '#kube/apiserver/http/respond.ts';
import type { ResourceRoute } from '#kube/apiserver/http/route.ts';
import { KUBERNETES_VERSION } from '#kube/apiserver/version.ts';
import { apiVersionOf, groupResource } from '#kube/meta/gvk.ts';
import type { Access } from '../query/access.ts';
import { parseQuery } from '../query/parse-query.ts';
import type { IndexedKind, IndexReader } from '../store/index-store.ts';
import { type Asking, isTrue } from './asking.ts';
import { collectionKinds, collectionNames } from './collection.ts';
import { discoveryDocument, indexResources } from './index-discovery.ts';
import { indexPath } from './index-path.ts';
import { columnLookup } from './index-table.ts';
import { serveCollection, serveList } from './serve-list.ts';
import { serveObject } from './serve-object.ts';
import { serveWatch } from './serve-watch.ts';

export interface IndexHandler {
  /** Whether the path is the index's. */
  serves(path: string): boolean;
  /** Answers, whatever happens. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

export interface IndexHandlerDeps {
  readonly reader: IndexReader;
  /** What the caller may read; throws Unauthorized for whom it does not know. Asked again while a watch lasts. */
  accessOf(request: IncomingMessage): Promise<Access>;
  readonly clock?: Clock;
  readonly log?: Log;
  /** Ends watches when it aborts. */
  readonly closing?: AbortSignal;
}

export function indexHandler(deps: IndexHandlerDeps): IndexHandler {
  const { reader, clock = systemClock, log = silentLog, closing = new AbortController().signal } = deps;
  const columns = columnLookup(reader, () => clock.now());

  async function serve(exchange: Exchange, path: string): Promise<void> {
    const { request } = exchange;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new StatusError('MethodNotAllowed', 'the index is read-only: write to the cluster itself');
    }
    const asked = indexPath(path);
    if (!asked) throw notFound('path', path);
    const access = await deps.accessOf(request);
    if (asked.kind === 'root') return sendDocument(exchange, indexResources());
    if (asked.kind === 'collection') return collection(exchange, access, asked.name);
    if (asked.cluster !== undefined) await requireCluster(reader, asked.cluster);
    if (asked.route.kind === 'path') return plain(exchange, asked.route.path, asked.cluster);
    return objects(exchange, access, asked.route, asked.cluster);
  }

  async function plain(exchange: Exchange, path: string, cluster: string | undefined): Promise<void> {
    if (path === '/version') return send(exchange, 200, 'application/json', JSON.stringify(KUBERNETES_VERSION));
    if (/^\/(readyz|livez|healthz)$/.test(path)) return send(exchange, 200, 'text/plain', 'ok');
    if (path === '/openapi/v3') return send(exchange, 200, 'application/json', '{"paths":{}}');
    const { headers } = exchange.request;
    const document = discoveryDocument(path, await reader.kinds(cluster), headers.accept ?? '', headers.host ?? '');
    if (!document) throw notFound('path', path);
    sendDocument(exchange, document);
  }

  async function objects(
    exchange: Exchange,
    access: Access,
    route: ResourceRoute,
    cluster: string | undefined,
  ): Promise<void> {
    const all = await reader.kinds(cluster);
    const kind = all.find((each) => isOf(each, route));
    if (!kind) throw notServed(route);
    if (route.subresource !== undefined)
      throw new StatusError(
        'NotFound',
        `the index has no ${route.subresource} of ${groupResource(kind)}: ask the cluster itself`,
      );
    const asking = askingFor(exchange, access, [kind], all, route, cluster);
    if (route.name !== undefined) return serveObject(asking, kind, route.name);
    if (route.watch || isTrue(exchange.query.get('watch'))) {
      return serveWatch(asking, kind, { accessAgain: () => deps.accessOf(exchange.request), closing, log });
    }
    return serveList(asking, kind);
  }

  async function collection(exchange: Exchange, access: Access, name: string | undefined): Promise<void> {
    if (name === undefined) return send(exchange, 200, 'application/json', JSON.stringify(collectionNames()));
    const all = await reader.kinds();
    const kinds = collectionKinds(name, exchange.query, all);
    return serveCollection(askingFor(exchange, access, kinds, all, {}, undefined), name);
  }

  function askingFor(
    exchange: Exchange,
    access: Access,
    kinds: readonly IndexedKind[],
    all: readonly IndexedKind[],
    at: { readonly namespace?: string; readonly name?: string },
    cluster: string | undefined,
  ): Asking {
    const gone = new AbortController();
    exchange.response.on('close', () => gone.abort());
    const query = parseQuery(exchange.query, {
      kinds: kinds.map(({ id }) => id),
      ...(cluster === undefined ? {} : { cluster }),
      ...(at.namespace === undefined ? {} : { namespace: at.namespace }),
      ...(at.name === undefined ? {} : { name: at.name }),
      kindsNamed: (name) => all.filter((kind) => groupResource(kind) === name).map(({ id }) => id),
    });
    return { exchange, reader, access, query, kinds, cluster, clock, columns, gone: gone.signal };
  }

  return {
    serves: (path) => indexPath(path) !== undefined,
    async handle(request, response) {
      const url = request.url ?? '/';
      const mark = url.indexOf('?');
      const path = mark < 0 ? url : url.slice(0, mark);
      const query = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
      const exchange: Exchange = { request, response, query, warnings: [] };
      try {
        await serve(exchange, path);
      } catch (error) {
        if (!(error instanceof StatusError)) log.error('a request to the index failed', { path, error });
        sendFailure(exchange, error);
      }
    },
  };
}

function isOf(kind: IndexedKind, route: ResourceRoute): boolean {
  return kind.group === route.group && kind.version === route.version && kind.resource === route.resource;
}

async function requireCluster(reader: IndexReader, cluster: string): Promise<void> {
  if ((await reader.kinds(cluster)).length > 0) return;
  const known = await reader.sources();
  if (!known.some(({ name }) => name === cluster)) throw notFound('clusters', cluster, 'kpanda.io');
}

function notServed({ group, version, resource }: ResourceRoute): StatusError {
  const what = `${resource} of ${apiVersionOf({ group, version })}`;
  return new StatusError(
    'NotFound',
    `the server could not find the requested resource: no cluster asked for has ${what}`,
  );
}

function sendDocument(
  exchange: Exchange,
  document: { readonly body: string; readonly type: string; readonly etag: string },
): void {
  const { request, response } = exchange;
  const headers = { ETag: document.etag, Vary: 'Accept' };
  if (request.headers['if-none-match'] !== document.etag)
    return send(exchange, 200, document.type, document.body, headers);
  response.writeHead(304, headers).end();
}
