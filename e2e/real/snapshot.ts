/**
 * What a scenario has come to, in a form in which two runs can be compared.
 *
 * Identifiers are named after the object that has them, so that who refers to whom is still seen; moments become
 * `<time>`; what an API server counts for itself (resource versions, managed fields) or picks at random is left out.
 */
import type { KubeObject } from '#kube/meta/object.ts';
import { scenarioOf } from './kinds.ts';
import type { Scenario } from './scenario.ts';
import type { Place, Side } from './side.ts';

/** By place, kind and name. */
export type Snapshot = Readonly<Record<string, unknown>>;

export function snapshot(side: Side, { name, alone }: Scenario): Snapshot {
  const places: readonly (readonly [string, Place])[] = [
    ['karmada', side.control],
    ...side.members.map((member) => [member, side.member(member)] as const),
  ];
  const found = places.flatMap(([place, { mirror }]) =>
    mirror
      .objects()
      .filter((object) => scenarioOf(object) === name || (alone && object.kind === 'Cluster'))
      .map((object) => [`${place} ${titleOf(object)}`, object] as const),
  );
  const sorted = found.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const known = namesOfIds(sorted);
  return Object.fromEntries(
    sorted.map(([title, object]) => {
      const isMembers = !title.startsWith('karmada ');
      return [title, normal(isMembers ? withSortedConditions(object) : comparable(object), known)];
    }),
  );
}

interface WithClusters {
  readonly clusters?: readonly { readonly name: string }[];
}

/** What depends on the moment of looking is left out: how full a cluster was when it was last asked. */
function comparable(object: KubeObject): KubeObject {
  if (object.kind === 'Cluster') {
    const { resourceSummary: _, ...status } = (object['status'] ?? {}) as Record<string, unknown>;
    return { ...object, status };
  }
  const { clusters, ...spec } = (object['spec'] ?? {}) as WithClusters;
  if (!clusters) return object;
  // Clusters are a set; scheduling once more may bring them into another order.
  return { ...object, spec: { ...spec, clusters: clusters.toSorted((a, b) => (a.name < b.name ? -1 : 1)) } };
}

/** Conditions of a member's object come in the order in which they became true, which is the member's own affair. */
function withSortedConditions(object: KubeObject): KubeObject {
  const status = object['status'] as { readonly conditions?: readonly { readonly type: string }[] } | undefined;
  if (!status?.conditions) return object;
  return {
    ...object,
    status: { ...status, conditions: status.conditions.toSorted((a, b) => (a.type < b.type ? -1 : 1)) },
  };
}

function titleOf({ kind, metadata: { namespace, name } }: KubeObject): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
/** Where an API server or a member is, and the addresses they give away. */
const ADDRESS = /(https?:\/\/)?\b(127|10)(\.\d{1,3}){3}(:\d+)?\b/g;
const DROPPED = new Set(['resourceVersion', 'managedFields', 'nodePort', 'healthCheckNodePort']);

export type NameOfId = (id: string) => string;

/** Who an identifier belongs to: an object by its uid, or the one that was first given it as a permanent id. */
export function namesOfIds(objects: readonly (readonly [title: string, object: KubeObject])[]): NameOfId {
  const names = new Map<string, string>();
  for (const [title, { metadata }] of objects) if (metadata.uid) names.set(metadata.uid, `<uid of ${title}>`);
  for (const [title, { kind, metadata }] of objects) {
    const own = metadata.labels?.[PERMANENT_IDS[kind] ?? ''];
    if (own !== undefined) names.set(own, `<permanent id of ${title}>`);
  }
  return (id) => names.get(id) ?? '<id>';
}

const PERMANENT_IDS: Readonly<Record<string, string>> = {
  PropagationPolicy: 'propagationpolicy.karmada.io/permanent-id',
  ClusterPropagationPolicy: 'clusterpropagationpolicy.karmada.io/permanent-id',
  ResourceBinding: 'resourcebinding.karmada.io/permanent-id',
  ClusterResourceBinding: 'clusterresourcebinding.karmada.io/permanent-id',
  Work: 'work.karmada.io/permanent-id',
};

export function normal(value: unknown, known: NameOfId): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(UUID, known).replaceAll(TIME, '<time>').replaceAll(ADDRESS, '<address>');
  }
  if (Array.isArray(value)) return value.map((item) => normal(item, known));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !DROPPED.has(key));
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, normal(item, known)]),
  );
}
