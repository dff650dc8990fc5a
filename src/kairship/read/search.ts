/** Finds any object in any instance and any member, among what the caller may see. */
import type { Reach } from '#ghippo/decision/index.ts';
import type { Access, Grant } from '#kpanda/index/query/access.ts';
import type { Order } from '#kpanda/index/query/query.ts';
import type { IndexedKind, IndexReader, StreamFreshness } from '#kpanda/index/store/index-store.ts';
import { parseLabelSelector } from '#kube/meta/label-selector.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { virtualCluster } from '../instances/virtual-cluster.ts';
import { parseSearch } from './search-query.ts';

export interface SearchRequest {
  readonly query: string;
  /** Only these instances and their members; all the caller may see when absent. */
  readonly instances: readonly string[];
  /** The members of an instance of which it may tell. */
  readonly membersOf: (instance: string) => Promise<readonly string[]>;
  readonly reach: Reach;
  readonly page: number;
  readonly pageSize: number;
  readonly order: readonly Order[];
}

export interface FoundObject {
  readonly instance: string;
  /** Absent for what is in the instance itself. */
  readonly cluster?: string;
  readonly object: KubeObject;
}

type Place = Omit<FoundObject, 'object'>;

export interface Found {
  readonly objects: readonly FoundObject[];
  readonly total: number;
  readonly freshness: readonly StreamFreshness[];
}

export type Search = (request: SearchRequest) => Promise<Found>;

/** Kinds nobody looks for by name. */
const NOISE = new Set(['events', 'leases', 'endpointslices', 'controllerrevisions', 'works']);

export function search(index: IndexReader): Search {
  /** Each place of the instances: where its objects are in the index, and what it is called. */
  async function placesOf({ instances, membersOf }: SearchRequest): Promise<ReadonlyMap<string, Place>> {
    const places = new Map<string, Place>();
    for (const instance of instances) {
      places.set(virtualCluster(instance), { instance });
      for (const cluster of await membersOf(instance))
        if (!places.has(cluster)) places.set(cluster, { instance, cluster });
    }
    return places;
  }

  return async (request) => {
    const asked = parseSearch(request.query);
    const places = await placesOf(request);
    const kinds = chosen(await index.kinds(), asked.kinds);
    const clusters = [...places.keys()].filter((name) => isAsked(places.get(name), asked.clusters));
    if (kinds.length === 0 || clusters.length === 0) return { objects: [], total: 0, freshness: [] };
    const query = {
      kinds: kinds.map(({ id }) => id),
      clusters,
      ...(asked.words.length > 0 ? { words: asked.words } : {}),
      ...(asked.names.length > 0 ? { names: asked.names } : {}),
      ...(asked.notNames.length > 0 ? { notNameParts: asked.notNames } : {}),
      ...(asked.namespaces.length > 0 ? { namespaces: asked.namespaces } : {}),
      ...(asked.labels.length > 0 ? { labels: parseLabelSelector(asked.labels.join(',')) } : {}),
      order: request.order,
    };
    const access = accessOf(places, request.reach);
    const offset = (request.page - 1) * request.pageSize;
    const [page, total, { streams }] = await Promise.all([
      index.page({ ...query, limit: request.pageSize, offset }, access),
      index.count(query, access),
      index.freshness(query, access),
    ]);
    const objects = page.objects.flatMap(({ cluster, body }) => {
      const place = places.get(cluster);
      return place ? [{ ...place, object: JSON.parse(body) as KubeObject }] : [];
    });
    return { objects, total, freshness: streams };
  };
}

function chosen(known: readonly IndexedKind[], asked: readonly string[]): readonly IndexedKind[] {
  if (asked.length === 0) return known.filter(({ resource }) => !NOISE.has(resource));
  const wanted = new Set(asked.map((text) => text.toLowerCase()));
  return known.filter(({ kind, resource, singular, shortNames, group }) =>
    [kind.toLowerCase(), resource, singular, ...shortNames, `${resource}.${group}`].some((name) => wanted.has(name)),
  );
}

/** What is in an instance itself, and in none of its clusters: `cluster:-`. */
const INSTANCE_ITSELF = '-';

function isAsked(place: Place | undefined, clusters: readonly string[]): boolean {
  return clusters.length === 0 || clusters.includes(place?.cluster ?? INSTANCE_ITSELF);
}

/** A right in a namespace of an instance is one in the same namespace of its members. */
function accessOf(places: ReadonlyMap<string, Place>, reach: Reach): Access {
  return [...places].flatMap(([cluster, { instance }]): readonly Grant[] => {
    if (reach.all || reach.instances.includes(instance)) return [{ cluster }];
    const own = reach.namespaces.filter((scope) => scope.instance === instance);
    return own.map(({ namespace }) => ({ cluster, namespace }));
  });
}
