/**
 * What a URL path asks for. Paths of resources are taken apart here, once; everything else is a path by itself.
 *
 *     /api/v1/namespaces/{ns}/pods/{name}/status    /apis/{group}/{version}/{resource}/{name}
 */
import type { Draft } from '#base/json.ts';

export type Route = ResourceRoute | { readonly kind: 'path'; readonly path: string };

export interface ResourceRoute {
  readonly kind: 'resource';
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  /** What follows the subresource, for those that are trees of their own (`proxy`). */
  readonly rest?: string;
  /** The old way to ask for a watch: `/api/v1/watch/…`. */
  readonly watch: boolean;
}

export function routeOf(path: string): Route {
  const decoded = decode(path);
  if (decoded === undefined) return { kind: 'path', path };
  // As in Go, an escaped slash is a slash: no name has one.
  const parts = decoded.split('/');
  if (parts[1] === 'api' && parts.length > 3 && parts[3] !== '') return resourceRoute('', parts[2] ?? '', parts, 3);
  if (parts[1] === 'apis' && parts.length > 4 && parts[4] !== '') {
    return resourceRoute(parts[2] ?? '', parts[3] ?? '', parts, 4);
  }
  return { kind: 'path', path };
}

/** Under a namespace these are parts of the namespace itself, not resources in it. */
const OF_NAMESPACE = new Set(['status', 'finalize']);

function resourceRoute(group: string, version: string, parts: readonly string[], from: number): Route {
  const watch = parts[from] === 'watch' && parts.length > from + 1;
  const first = watch ? from + 1 : from;
  const third = parts[first + 2];
  const inNamespace = parts[first] === 'namespaces' && !!third && !OF_NAMESPACE.has(third);
  const at = inNamespace ? first + 2 : first;
  const route: Draft<ResourceRoute> = { kind: 'resource', group, version, resource: parts[at] ?? '', watch };
  const [namespace, name, subresource] = [parts[first + 1], parts[at + 1], parts[at + 2]];
  if (inNamespace && namespace !== undefined) route.namespace = namespace;
  if (name) route.name = name;
  if (subresource) route.subresource = subresource;
  if (parts.length > at + 3) route.rest = parts.slice(at + 3).join('/');
  return route;
}

function decode(part: string): string | undefined {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
