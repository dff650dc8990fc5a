/** What the server serves, grouped as discovery tells it: groups, their versions, their resources. */
import type { ApiExtension } from '../extension.ts';
import { subresourcesOf } from '../kinds/subresources.ts';
import type { Registry } from '../registry.ts';
import type { ResourceDefinition } from '../resource.ts';
import { isPart } from '../write/prepare-update.ts';

export interface CatalogGroup {
  readonly name: string;
  readonly versions: readonly CatalogVersion[];
}

export interface CatalogVersion {
  readonly version: string;
  readonly resources: readonly CatalogResource[];
}

export interface CatalogResource {
  readonly resource: string;
  readonly kind: Kind;
  readonly namespaced: boolean;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Empty for a parent that exists only through its subresources. */
  readonly verbs: readonly string[];
  readonly subresources: readonly CatalogSubresource[];
}

export interface CatalogSubresource {
  readonly subresource: string;
  readonly kind: Kind;
  readonly verbs: readonly string[];
}

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export const ALL_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const;

export function catalog(registry: Registry, extensions: readonly ApiExtension[]): readonly CatalogGroup[] {
  const groups = new Map<string, Map<string, Map<string, Draft>>>();
  const at = (group: string, version: string, resource: string, make: () => Draft): Draft => {
    const versions = getOr(groups, group, () => new Map<string, Map<string, Draft>>());
    const resources = getOr(versions, version, () => new Map<string, Draft>());
    return getOr(resources, resource, make);
  };
  for (const { definition } of registry.all()) {
    at(definition.group, definition.version, definition.resource, () => ofDefinition(definition));
  }
  for (const extension of extensions) {
    const entry = at(extension.group, extension.version, extension.resource, () => ofExtension(extension));
    if (extension.subresource !== undefined) addSubresource(entry, extension);
  }
  return [...groups].sort(byPriority).map(([name, versions]) => ({
    name,
    versions: [...versions].sort(byVersion).map(([version, resources]) => ({
      version,
      resources: [...resources.values()].sort((a, b) => compare(a.resource, b.resource)),
    })),
  }));
}

type Draft = CatalogResource & { subresources: CatalogSubresource[] };

function ofDefinition(definition: ResourceDefinition): Draft {
  const { group, version, kind, resource } = definition;
  const own = { group, version, kind };
  const parts = subresourcesOf(definition)
    // All others are there only when an extension serves them.
    .filter(({ name }) => (name === 'scale' ? definition.scale !== undefined : isPart(name)))
    .map(({ name, gvk = own, verbs }) => ({ subresource: name, kind: gvk, verbs }));
  return {
    resource,
    kind: own,
    namespaced: definition.namespaced,
    singular: definition.singular,
    shortNames: definition.shortNames,
    categories: definition.categories,
    verbs: definition.verbs ?? ALL_VERBS,
    subresources: parts,
  };
}

function ofExtension(extension: ApiExtension): Draft {
  const { group, version, resource } = extension;
  const parent = extension.subresource === undefined;
  return {
    resource,
    kind: parent ? kindOf(extension) : { group, version, kind: '' },
    namespaced: extension.namespaced,
    singular: extension.singular ?? '',
    shortNames: extension.shortNames ?? [],
    categories: extension.categories ?? [],
    verbs: parent ? extension.verbs : [],
    subresources: [],
  };
}

function addSubresource(entry: Draft, extension: ApiExtension): void {
  const { subresource = '', verbs } = extension;
  entry.subresources = [
    ...entry.subresources.filter((other) => other.subresource !== subresource),
    { subresource, kind: kindOf(extension), verbs },
  ].sort((a, b) => compare(a.subresource, b.subresource));
}

function kindOf({ group, version, kind }: ApiExtension): Kind {
  return { group: kind.group ?? group, version: kind.version ?? version, kind: kind.kind };
}

/** Kubernetes tells its own groups in this order, all others after them by name. */
const PRIORITY = [
  '',
  'apiregistration.k8s.io',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
  'discovery.k8s.io',
  'resource.k8s.io',
  'flowcontrol.apiserver.k8s.io',
];

function byPriority([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  const place = (group: string) => (PRIORITY.includes(group) ? PRIORITY.indexOf(group) : PRIORITY.length);
  return place(a) - place(b) || compare(a, b);
}

/** Stable versions before beta before alpha, higher before lower: the first is the preferred one. */
export function compareVersions(a: string, b: string): number {
  const [rankA, rankB] = [rankOf(a), rankOf(b)];
  for (const [index, value] of rankA.entries()) {
    const other = rankB[index] ?? 0;
    if (value !== other) return other - value;
  }
  return compare(a, b);
}

function rankOf(version: string): readonly number[] {
  const [, major, level, minor] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
  if (major === undefined) return [0, 0, 0];
  return [level === undefined ? 3 : level === 'beta' ? 2 : 1, Number(major), Number(minor ?? 0)];
}

function byVersion([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return compareVersions(a, b);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function getOr<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
