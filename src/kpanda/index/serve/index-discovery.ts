/** Discovery of what is indexed, so that kubectl finds its way: the union of the kinds of all clusters, or of one. */
import { createHash } from 'node:crypto';
import { type CatalogGroup, compareVersions } from '#kube/apiserver/discovery/catalog.ts';
import {
  aggregated,
  apiGroup,
  apiGroupList,
  apiResourceList,
  apiVersions,
} from '#kube/apiserver/discovery/documents.ts';
import { INDEX_ROOT } from './index-path.ts';
import type { IndexedKind } from '../store/index-store.ts';

export interface Discovered {
  readonly body: string;
  readonly type: string;
  readonly etag: string;
}

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** The document at a discovery path; undefined when there is none. */
export function discoveryDocument(
  path: string,
  kinds: readonly IndexedKind[],
  accept: string,
  host: string,
): Discovered | undefined {
  const bare = path.replace(/\/$/, '');
  const groups = groupsOf(kinds);
  if ((bare === '/api' || bare === '/apis') && accept.includes('as=APIGroupDiscoveryList')) {
    return document(aggregated(groups.filter(({ name }) => (name === '') === (bare === '/api'))), AGGREGATED);
  }
  const [, root, first, second, ...more] = bare.split('/');
  if ((root !== 'api' && root !== 'apis') || more.length > 0 || (root === 'api' && second !== undefined))
    return undefined;
  if (first === undefined) return document(root === 'api' ? apiVersions(host) : apiGroupList(groups));
  const group = groups.find(({ name }) => name === (root === 'api' ? '' : first));
  if (!group) return undefined;
  const wanted = root === 'api' ? first : second;
  if (wanted === undefined) return document(apiGroup(group));
  const version = group.versions.find((each) => each.version === wanted);
  return version && document(apiResourceList(group.name, version));
}

/** What the index itself offers in its group. */
export function indexResources(): Discovered {
  const resource = (name: string, kind: string) => ({
    name,
    singularName: '',
    namespaced: false,
    kind,
    verbs: ['get', 'list'],
  });
  return document({
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: INDEX_ROOT.slice('/apis/'.length),
    resources: [resource('collectionresources', 'CollectionResource'), resource('resources', 'Resources')],
  });
}

function document(value: unknown, type = 'application/json'): Discovered {
  const body = `${JSON.stringify(value)}\n`;
  return { body, type, etag: `"${createHash('sha256').update(body).digest('hex')}"` };
}

function groupsOf(kinds: readonly IndexedKind[]): readonly CatalogGroup[] {
  const groups = new Map<string, Map<string, IndexedKind[]>>();
  for (const kind of kinds) {
    const versions = groups.get(kind.group) ?? new Map<string, IndexedKind[]>();
    versions.set(kind.version, [...(versions.get(kind.version) ?? []), kind]);
    groups.set(kind.group, versions);
  }
  return [...groups]
    .sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .map(([name, versions]) => ({
      name,
      versions: [...versions]
        .sort(([a], [b]) => compareVersions(a, b))
        .map(([version, of]) => ({ version, resources: of.map(resourceOf) })),
    }));
}

/** Kubernetes' own groups first: `deployments` are those of apps, whoever else has some. */
function rank(group: string): number {
  if (group === '') return 0;
  return !group.includes('.') ? 1 : group.endsWith('.k8s.io') ? 2 : 3;
}

function resourceOf({ group, version, kind, ...rest }: IndexedKind) {
  return { ...rest, kind: { group, version, kind }, subresources: [] };
}
