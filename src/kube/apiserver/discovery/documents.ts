/** Discovery as clients read it: the aggregated document of all groups, and the older one for each of them. */
import { createHash } from 'node:crypto';
import { apiVersionOf } from '#kube/meta/gvk.ts';
import type { CatalogGroup, CatalogResource, CatalogVersion } from './catalog.ts';

/** `apidiscovery.k8s.io/v2`, one document for the core group (`/api`), one for all others (`/apis`). */
export function aggregated(groups: readonly CatalogGroup[]) {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map((group) => ({
      metadata: group.name === '' ? {} : { name: group.name },
      versions: group.versions.map(({ version, resources }) => ({
        version,
        resources: resources.map((resource) => aggregatedResource(group.name, version, resource)),
        freshness: 'Current',
      })),
    })),
  };
}

function aggregatedResource(group: string, version: string, entry: CatalogResource) {
  const responseKind = (kind: CatalogResource['kind']) =>
    kind.group === group && kind.version === version ? { group: '', version: '', kind: kind.kind } : kind;
  return {
    resource: entry.resource,
    responseKind: responseKind(entry.kind),
    scope: scopeOf(entry),
    singularResource: entry.singular,
    verbs: entry.verbs,
    ...(entry.shortNames.length > 0 ? { shortNames: entry.shortNames } : {}),
    ...(entry.categories.length > 0 ? { categories: entry.categories } : {}),
    ...(entry.subresources.length > 0
      ? {
          subresources: entry.subresources.map(({ subresource, kind, verbs }) => ({
            subresource,
            responseKind: responseKind(kind),
            verbs,
          })),
        }
      : {}),
  };
}

function scopeOf({ namespaced }: CatalogResource): string {
  return namespaced ? 'Namespaced' : 'Cluster';
}

export function apiVersions(serverAddress: string) {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

export function apiGroupList(groups: readonly CatalogGroup[]) {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.filter(({ name }) => name !== '').map(groupEntry) };
}

export function apiGroup(group: CatalogGroup) {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(group) };
}

function groupEntry({ name, versions }: CatalogGroup) {
  const entries = versions.map(({ version }) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: entries, preferredVersion: entries[0] };
}

export function apiResourceList(group: string, { version, resources }: CatalogVersion) {
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: apiVersionOf({ group, version }),
    resources: resources.flatMap((entry) => [
      ...(entry.verbs.length > 0 ? [legacyResource(group, version, entry)] : []),
      ...entry.subresources.map((part) => ({
        name: `${entry.resource}/${part.subresource}`,
        singularName: '',
        namespaced: entry.namespaced,
        ...foreign(group, version, part.kind),
        kind: part.kind.kind,
        verbs: part.verbs,
      })),
    ]),
  };
}

function legacyResource(group: string, version: string, entry: CatalogResource) {
  const stored = entry.verbs.includes('list');
  return {
    name: entry.resource,
    singularName: entry.singular,
    namespaced: entry.namespaced,
    ...foreign(group, version, entry.kind),
    kind: entry.kind.kind,
    verbs: entry.verbs,
    ...(entry.shortNames.length > 0 ? { shortNames: entry.shortNames } : {}),
    ...(entry.categories.length > 0 ? { categories: entry.categories } : {}),
    ...(stored ? { storageVersionHash: storageVersionHash(group, version, entry.kind.kind) } : {}),
  };
}

function foreign(group: string, version: string, kind: CatalogResource['kind']) {
  return kind.group === group && kind.version === version ? {} : { group: kind.group, version: kind.version };
}

/** The start of a digest of the stored type, by which clients notice that it changed. */
function storageVersionHash(group: string, version: string, kind: string): string {
  return createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString('base64');
}
