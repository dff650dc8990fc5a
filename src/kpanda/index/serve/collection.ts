/** Collections: several kinds asked for at once, by the names and patterns Clusterpedia gave them. */
import { badRequest, notFound } from '#base/status-error.ts';
import { apiVersionOf } from '#kube/meta/gvk.ts';
import type { IndexedKind } from '../store/index-store.ts';

const WORKLOADS = new Set(['deployments', 'daemonsets', 'statefulsets']);

const COLLECTIONS: Readonly<Record<string, (kind: IndexedKind) => boolean>> = {
  workloads: ({ group, resource }) => group === 'apps' && WORKLOADS.has(resource),
  kuberesources: ({ group }) => !group.includes('.') || group.endsWith('.k8s.io'),
};

export function collectionNames() {
  return {
    kind: 'CollectionResourceList',
    apiVersion: 'clusterpedia.io/v1beta1',
    metadata: {},
    items: ['any', ...Object.keys(COLLECTIONS)].map((name) => ({ metadata: { name } })),
  };
}

export function collectionKinds(
  name: string,
  query: URLSearchParams,
  kinds: readonly IndexedKind[],
): readonly IndexedKind[] {
  const groups = split(query.get('groups'));
  const resources = split(query.get('resources'));
  const among = (kind: IndexedKind) =>
    groups.some((pattern) => isGroup(pattern, kind)) || resources.some((pattern) => isResource(pattern, kind));
  if (name === 'any') {
    if (groups.length + resources.length === 0) {
      throw badRequest(
        'the collection "any" wants to know of what: groups=apps,/v1 or resources=apps/deployments,/pods or groups=*',
      );
    }
    return kinds.filter(among);
  }
  const belongs = Object.hasOwn(COLLECTIONS, name) ? COLLECTIONS[name] : undefined;
  if (!belongs) throw notFound('collectionresources', name, 'clusterpedia.io');
  return kinds.filter((kind) => belongs(kind) && (groups.length + resources.length === 0 || among(kind)));
}

function split(text: string | null): readonly string[] {
  return (text ?? '').split(',').filter((each) => each !== '');
}

/** `apps`, `batch/v1`, `/v1` for the core group, `*`. */
function isGroup(pattern: string, kind: IndexedKind): boolean {
  if (pattern === '*') return true;
  const [group = '', version] = pattern.split('/');
  return kind.group === group && (version ?? kind.version) === kind.version;
}

/** `apps/deployments`, `/pods` for the core group, `batch/v1/jobs`. */
function isResource(pattern: string, kind: IndexedKind): boolean {
  const parts = pattern.split('/');
  const resource = parts.at(-1) ?? '';
  return (resource === '*' || kind.resource === resource) && isGroup(parts.slice(0, -1).join('/'), kind);
}

export function typeOf(kind: IndexedKind) {
  const { group, version, resource, kind: name } = kind;
  return { group, version, kind: name, resource, apiVersion: apiVersionOf(kind) };
}
