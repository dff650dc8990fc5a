/** Answers discovery requests from documents rendered once for each change of what is served. */
import { createHash } from 'node:crypto';
import type { ApiExtension } from '../extension.ts';
import { type Exchange, send, sendJson } from '../http/respond.ts';
import type { Registry } from '../registry.ts';
import { type CatalogGroup, catalog } from './catalog.ts';
import { aggregated, apiGroup, apiGroupList, apiResourceList, apiVersions } from './documents.ts';

export interface Discovery {
  /** Answers if the path is one of discovery's; false when it is not, or names nothing served. */
  serve(exchange: Exchange, path: string): boolean;
  groups(): readonly CatalogGroup[];
}

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

export function discovery(registry: Registry, extensions: readonly ApiExtension[]): Discovery {
  let rendered: { readonly generation: number; readonly groups: readonly CatalogGroup[] } | undefined;
  let documents = new Map<string, { readonly body: Buffer; readonly etag: string }>();

  function groups(): readonly CatalogGroup[] {
    const generation = registry.generation();
    if (rendered?.generation !== generation) {
      rendered = { generation, groups: catalog(registry, extensions) };
      documents = new Map();
    }
    return rendered.groups;
  }

  function aggregatedDocument(path: '/api' | '/apis') {
    const all = groups();
    let document = documents.get(path);
    if (!document) {
      const body = Buffer.from(
        `${JSON.stringify(aggregated(all.filter(({ name }) => (name === '') === (path === '/api'))))}\n`,
      );
      const etag = `"${createHash('sha512').update(body).digest('hex').toUpperCase()}"`;
      documents.set(path, (document = { body, etag }));
    }
    return document;
  }

  function serveAggregated(exchange: Exchange, path: '/api' | '/apis'): void {
    const { body, etag } = aggregatedDocument(path);
    const headers = { ETag: etag, Vary: 'Accept', 'Cache-Control': 'public' };
    const known = exchange.request.headers['if-none-match'];
    if (known === etag) {
      exchange.response.writeHead(304, headers);
      exchange.response.end();
    } else send(exchange, 200, AGGREGATED, body, headers);
  }

  /** The older documents, one for each group and version. */
  function legacy(path: string, host: string): unknown {
    const [, root, group, version, ...more] = path.replace(/\/$/, '').split('/');
    if (more.length > 0) return undefined;
    if (root === 'api' && group === undefined) return apiVersions(host);
    if (root === 'apis' && group === undefined) return apiGroupList(groups());
    const name = root === 'api' ? '' : group;
    const found = groups().find((one) => one.name === name);
    if (!found || (root === 'api' && version !== undefined)) return undefined;
    const wanted = root === 'api' ? group : version;
    if (wanted === undefined) return apiGroup(found);
    const served = found.versions.find((one) => one.version === wanted);
    return served && apiResourceList(found.name, served);
  }

  return {
    groups,
    serve(exchange, path) {
      const bare = path.replace(/\/$/, '');
      if ((bare === '/api' || bare === '/apis') && wantsAggregated(exchange)) {
        serveAggregated(exchange, bare);
        return true;
      }
      if (!/^\/apis?(\/|$)/.test(path)) return false;
      const document = legacy(path, exchange.request.headers.host ?? '');
      if (document === undefined) return false;
      sendJson(exchange, 200, `${JSON.stringify(document)}\n`);
      return true;
    },
  };
}

function wantsAggregated({ request }: Exchange): boolean {
  for (const clause of (request.headers.accept ?? '').split(',')) {
    const parts = new Set(clause.split(';').map((part) => part.trim()));
    if (!parts.has('application/json')) continue;
    if (parts.size === 1) return false;
    if (parts.has('g=apidiscovery.k8s.io') && parts.has('v=v2') && parts.has('as=APIGroupDiscoveryList')) return true;
  }
  return false;
}
