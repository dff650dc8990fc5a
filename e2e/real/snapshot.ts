/**
 * What a scenario has come to, in a form in which two runs can be compared.
 *
 * Identifiers are numbered in the order in which they appear, so that who refers to whom is still seen; moments become
 * `<time>`; what an API server counts for itself (resource versions, managed fields) is left out.
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
  const known = numbering();
  return Object.fromEntries(sorted.map(([title, object]) => [title, normal(object, known)]));
}

function titleOf({ kind, metadata: { namespace, name } }: KubeObject): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
/** Where an API server or a member is, and the addresses they give away. */
const ADDRESS = /(https?:\/\/)?\b(127|10)(\.\d{1,3}){3}(:\d+)?\b/g;
const DROPPED = new Set(['resourceVersion', 'managedFields']);

export type Numbering = (id: string) => string;

export function numbering(): Numbering {
  const numbers = new Map<string, number>();
  return (id) => {
    if (!numbers.has(id)) numbers.set(id, numbers.size + 1);
    return `<id ${numbers.get(id)}>`;
  };
}

export function normal(value: unknown, known: Numbering): unknown {
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
