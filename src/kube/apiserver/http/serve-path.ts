/** Paths that are no resources: health, version, metrics, the list of paths. */
import { METRICS_TYPE } from '#base/metrics.ts';
import { checks, type HealthCheck } from './health.ts';
import type { Discovery } from '../discovery/serve-discovery.ts';
import type { OpenApi } from '../discovery/serve-openapi.ts';
import type { VersionInfo } from '../version.ts';
import { type Exchange, send, sendJson, sendText } from './respond.ts';

export interface PathDeps {
  readonly discovery: Discovery;
  readonly openApi: OpenApi;
  readonly version: VersionInfo;
  readonly health: readonly HealthCheck[];
  /** Paths beyond those of the API, each with what it answers. */
  readonly documents: Documents;
  metrics(): string;
}

/** Answers by their path. */
export type Documents = Readonly<Record<string, { readonly type: string; body(): string }>>;

/** Answers any path, if only with 404. */
export function servePath(exchange: Exchange, path: string, deps: PathDeps): void {
  const { discovery, version } = deps;
  if (discovery.serve(exchange, path) || deps.openApi.serve(exchange, path)) return;
  if (path === '/version' || path === '/version/')
    return sendJson(exchange, 200, JSON.stringify(version, undefined, 2));
  if (path === '/') return sendJson(exchange, 200, `${JSON.stringify({ paths: paths(deps) })}\n`);
  if (path === '/metrics') return send(exchange, 200, METRICS_TYPE, deps.metrics());
  if (/^\/(healthz|livez|readyz)(\/|$)/.test(path) && checks(exchange, path, deps.health)) return;
  const document = Object.hasOwn(deps.documents, path) ? deps.documents[path] : undefined;
  if (document) return send(exchange, 200, document.type, document.body(), { 'Cache-Control': 'public, max-age=3600' });
  sendText(exchange, 404, '404 page not found\n');
}

function paths({ discovery, documents }: PathDeps): readonly string[] {
  const groups = discovery.groups().flatMap(({ name, versions }) => {
    if (name === '') return ['/api', '/api/v1'];
    return [`/apis/${name}`, ...versions.map(({ version }) => `/apis/${name}/${version}`)];
  });
  const others = [
    '/apis',
    '/apis/',
    '/healthz',
    '/livez',
    '/metrics',
    '/openapi/v2',
    '/openapi/v3',
    '/openapi/v3/',
    '/readyz',
    '/version',
  ];
  return [...groups, ...others, ...Object.keys(documents)].sort();
}
