/**
 * Everything Kairship shows of instances and their members, read from the index and nowhere else.
 *
 * An instance is in the index under the name of its virtual cluster, a member under its own. What a caller may not see
 * is not found: their {@link Reach} becomes part of the query. Every answer says how fresh it is; who has just written
 * says up to which revision they want to see ({@link Reads.wait}), and is told if that takes too long.
 */
import { type Clock, sleep } from '#base/clock.ts';
import type { Reach } from '#ghippo/decision/index.ts';
import type { Access, Grant } from '#kpanda/index/query/access.ts';
import { parseFields } from '#kpanda/index/query/parse-fields.ts';
import type { Order, OrderColumn, Query } from '#kpanda/index/query/query.ts';
import type { IndexedKind, IndexReader, StreamFreshness } from '#kpanda/index/store/index-store.ts';
import { parseLabelSelector } from '#kube/meta/label-selector.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { virtualCluster } from '../instances/virtual-cluster.ts';

export interface Place {
  readonly instance: string;
  /** A member of the instance; its control plane when absent. */
  readonly cluster?: string;
}

export interface Resource {
  readonly group: string;
  readonly resource: string;
}

export interface ListRequest {
  readonly place: Place;
  readonly resource: Resource;
  /** Where the caller may see such things, within the instance. */
  readonly reach: Reach;
  readonly namespace?: string;
  readonly name?: string;
  /** Any of these. */
  readonly names?: readonly string[];
  readonly fuzzyName?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** The objects of an owner, by its uid. */
  readonly ownerUid?: string;
  readonly sortBy?: OrderColumn;
  readonly descending?: boolean;
  /** Counted from one. */
  readonly page?: number;
  readonly pageSize?: number;
}

export interface Listed<T extends KubeObject = KubeObject> {
  readonly objects: readonly T[];
  /** How many there are on all pages. */
  readonly total: number;
  readonly freshness: Freshness;
}

export interface Freshness {
  /** Whether the source can be reached and everything it told is here. */
  readonly fresh: boolean;
  /** When the source was last heard of, in milliseconds. */
  readonly heardAt: number;
  /** Why it is not fresh, for people; empty otherwise. */
  readonly why: string;
}

export interface Reads {
  list<T extends KubeObject = KubeObject>(request: ListRequest): Promise<Listed<T>>;
  /** All that match, however many; for computing, not for showing. */
  all<T extends KubeObject = KubeObject>(request: ListRequest): Promise<readonly T[]>;
  count(request: ListRequest): Promise<number>;
  get<T extends KubeObject = KubeObject>(
    place: Place,
    resource: Resource,
    key: { readonly namespace?: string; readonly name: string },
  ): Promise<T | undefined>;
  /** Under which path a kind is read; undefined when nothing of it has been collected. */
  resourceOf(gvk: { readonly group: string; readonly kind: string }): Promise<Resource | undefined>;
  /** Waits until the index has seen a write of the source; false when it has not within the time. */
  wait(place: Place, resource: Resource, resourceVersion: string, withinMs: number): Promise<boolean>;
}

const PAGE_SIZE = 10;
const MOST_A_PAGE = 1_000;
const LOOK_EVERY_MS = 20;

export function reads(index: IndexReader, clock: Clock): Reads {
  /** A kind may be served in several versions; all are the same objects. */
  async function kindsOf({ group, resource }: Resource): Promise<readonly IndexedKind[]> {
    const known = await index.kinds();
    return known.filter((kind) => kind.group === group && kind.resource === resource);
  }

  async function queryOf(request: ListRequest): Promise<Query | undefined> {
    const kinds = await kindsOf(request.resource);
    if (kinds.length === 0) return undefined;
    return {
      kinds: kinds.map(({ id }) => id),
      clusters: [sourceOf(request.place)],
      ...(request.namespace ? { namespaces: [request.namespace] } : {}),
      ...(request.name ? { names: [request.name] } : request.names ? { names: request.names } : {}),
      ...(request.fuzzyName ? { nameParts: [request.fuzzyName] } : {}),
      ...(request.labelSelector ? { labels: parseLabelSelector(request.labelSelector) } : {}),
      ...(request.fieldSelector ? { fields: parseFields(request.fieldSelector) } : {}),
      ...(request.ownerUid ? { owner: { uid: request.ownerUid, seniority: 0 } } : {}),
      order: orderOf(request),
    };
  }

  async function list<T extends KubeObject>(request: ListRequest): Promise<Listed<T>> {
    const query = await queryOf(request);
    const access = accessIn(request.place, request.reach);
    if (!query) return { objects: [], total: 0, freshness: UNKNOWN };
    const pageSize = Math.min(request.pageSize || PAGE_SIZE, MOST_A_PAGE);
    const offset = (Math.max(request.page ?? 1, 1) - 1) * pageSize;
    const [page, total, { streams }] = await Promise.all([
      index.page({ ...query, limit: pageSize, offset }, access),
      index.count(query, access),
      index.freshness(query, access),
    ]);
    const objects = page.objects.map(({ body }) => JSON.parse(body) as T);
    return { objects, total, freshness: freshnessOf(streams) };
  }

  async function all<T extends KubeObject>(request: ListRequest): Promise<readonly T[]> {
    const query = await queryOf(request);
    if (!query) return [];
    const access = accessIn(request.place, request.reach);
    const objects: T[] = [];
    for (let after: string | undefined; ; ) {
      const page = await index.page(
        { ...query, limit: MOST_A_PAGE, ...(after === undefined ? {} : { after }) },
        access,
      );
      for (const { body } of page.objects) objects.push(JSON.parse(body) as T);
      after = page.next;
      if (after === undefined) return objects;
    }
  }

  return {
    list,
    all,
    async count(request) {
      const query = await queryOf(request);
      return query ? index.count(query, accessIn(request.place, request.reach)) : 0;
    },
    async get<T extends KubeObject>(
      place: Place,
      resource: Resource,
      { namespace, name }: { readonly namespace?: string; readonly name: string },
    ) {
      const [found] = await all<T>({ place, resource, reach: EVERYWHERE, name, ...(namespace ? { namespace } : {}) });
      return found;
    },
    resourceOf: async ({ group, kind }) =>
      (await index.kinds()).find((known) => known.group === group && known.kind === kind),
    async wait(place, resource, resourceVersion, withinMs) {
      const wanted = Number(resourceVersion);
      const until = clock.now() + withinMs;
      for (;;) {
        for (const { id } of await kindsOf(resource)) {
          const stream = await index.stream({ cluster: sourceOf(place), kind: id });
          if (stream && Number(stream.position) >= wanted) return true;
        }
        if (clock.now() >= until) return false;
        await sleep(clock, LOOK_EVERY_MS);
      }
    },
  };
}

/** Sees everything within the place it is used for; the caller's rights were looked at already. */
export const EVERYWHERE: Reach = { all: true, instances: [], namespaces: [] };

export function sourceOf({ instance, cluster }: Place): string {
  return cluster ?? virtualCluster(instance);
}

/** A right in a namespace of the instance is one in the same namespace of its members. */
export function accessIn(place: Place, { all, instances, namespaces }: Reach): Access {
  const cluster = sourceOf(place);
  if (all || instances.includes(place.instance)) return [{ cluster }];
  return namespaces
    .filter(({ instance }) => instance === place.instance)
    .map(({ namespace }): Grant => ({ cluster, namespace }));
}

/** Newest first, as the published API does; what is equal, by name. */
function orderOf({ sortBy = 'created_at', descending = true }: ListRequest): readonly Order[] {
  const rest = (['namespace', 'name'] as const).filter((by) => by !== sortBy);
  return [{ by: sortBy, descending }, ...rest.map((by) => ({ by, descending: false }))];
}

const UNKNOWN: Freshness = { fresh: false, heardAt: 0, why: 'nothing of the kind has been collected yet' };

function freshnessOf(streams: readonly StreamFreshness[]): Freshness {
  const behind = streams.find(({ phase, reachable }) => !reachable || phase !== 'Following');
  const heardAt = Math.min(...streams.map((stream) => stream.heardAt), Number.MAX_SAFE_INTEGER);
  if (streams.length === 0) return UNKNOWN;
  if (!behind) return { fresh: true, heardAt, why: '' };
  const why = behind.reachable
    ? `it is ${behind.phase === 'Listing' ? 'being read' : 'failing'}`
    : 'it cannot be reached';
  return { fresh: false, heardAt, why: behind.message === '' ? why : `${why}: ${behind.message}` };
}
