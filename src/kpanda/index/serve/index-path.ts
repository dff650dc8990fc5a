/**
 * Clusterpedia's URL layout:
 *
 *     …/resources/{version,api,apis,…}            all clusters as if they were one
 *     …/resources/clusters/{cluster}/…            one of them
 *     …/collectionresources[/{name}]              several kinds in one answer
 */
import { type Route, routeOf } from '#kube/apiserver/http/route.ts';

export const INDEX_ROOT = '/apis/clusterpedia.io/v1beta1';

export type IndexPath =
  | { readonly kind: 'root' }
  | { readonly kind: 'collection'; readonly name?: string }
  | { readonly kind: 'kube'; readonly cluster?: string; readonly route: Route };

/** Undefined for a path that is not of the index. */
export function indexPath(path: string): IndexPath | undefined {
  if (path === INDEX_ROOT || path === `${INDEX_ROOT}/`) return { kind: 'root' };
  if (!path.startsWith(`${INDEX_ROOT}/`)) return undefined;
  const [what, ...rest] = path.slice(INDEX_ROOT.length + 1).split('/');
  if (what === 'collectionresources') {
    const [name] = rest;
    return rest.length > 1 ? undefined : { kind: 'collection', ...(name ? { name: safely(name) } : {}) };
  }
  if (what !== 'resources') return undefined;
  if (rest[0] !== 'clusters' || !rest[1]) return { kind: 'kube', route: routeOf(`/${rest.join('/')}`) };
  return { kind: 'kube', cluster: safely(rest[1]), route: routeOf(`/${rest.slice(2).join('/')}`) };
}

function safely(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
