/**
 * A resource as one version of the API shows it: its definition, and the cache of what is stored.
 *
 * Several versions may show the same stored objects; each sees them through {@link Served.view}.
 */
import { badRequest, type StatusError } from '#base/status-error.ts';
import { apiVersionOf } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type Entry, entryOf } from './cache/entry.ts';
import type { ResourceCache } from './cache/resource-cache.ts';
import { REGISTRY, type WatchCache } from './cache/watch-cache.ts';
import type { ResourceDefinition } from './resource.ts';

export interface Served {
  readonly definition: ResourceDefinition;
  /** `v1`, `apps/v1`. */
  readonly apiVersion: string;
  readonly listKind: string;
  /** Where its objects are in the store. */
  readonly prefix: string;
  readonly cache: ResourceCache;
  /** A stored object as this version shows it; the same entry for the version it is stored in. */
  view(entry: Entry): Entry;
  /** An object of this version as it is stored. */
  toStored(object: KubeObject): KubeObject;
}

export function served(definition: ResourceDefinition, cache: WatchCache): Served {
  const prefix = storagePrefix(definition.storedAs ?? definition);
  const apiVersion = apiVersionOf(definition);
  const base = {
    definition,
    apiVersion,
    listKind: definition.listKind ?? `${definition.kind}List`,
    prefix,
    cache: cache.resource(prefix),
  };
  if (!definition.storedAs && !definition.convert) {
    return { ...base, view: (entry) => entry, toStored: (object) => object };
  }

  const stored = apiVersionOf(definition.storedAs ?? definition);
  const convert = (object: KubeObject, to: string): KubeObject =>
    definition.convert ? definition.convert(object, to) : { ...object, apiVersion: to };
  const views = new WeakMap<Entry, Entry>();
  /** What this version wrote in its own form needs no second look when it is read. */
  const own = new WeakSet<KubeObject>();
  function view(entry: Entry): Entry {
    if (own.has(entry.object)) return entry;
    let shown = views.get(entry);
    if (!shown) {
      const object = convert(entry.object, apiVersion);
      shown = object === entry.object ? entry : entryOf(entry.key, entry.revision, object);
      views.set(entry, shown);
    }
    return shown;
  }
  function toStored(object: KubeObject): KubeObject {
    if (stored !== apiVersion) return convert(object, stored);
    own.add(object);
    return object;
  }
  return { ...base, view, toStored };
}

/** `/registry/configmaps/` for core resources, `/registry/apps/deployments/` for the others. */
export function storagePrefix({ group, resource }: { readonly group: string; readonly resource: string }): string {
  return group === '' ? `${REGISTRY}${resource}/` : `${REGISTRY}${group}/${resource}/`;
}

/** The key of an object; a name that would lead elsewhere in a path is no name. */
export function cacheKey(namespace: string | undefined, name: string): string {
  if (name === '.' || name === '..') throw badName(name, `may not be '${name}'`);
  if (name.includes('%')) throw badName(name, "may not contain '%'");
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}

function badName(name: string, why: string): StatusError {
  return badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${why}`);
}
