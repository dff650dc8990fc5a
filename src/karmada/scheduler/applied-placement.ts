/**
 * The placement as Karmada writes it into the annotation `policy.karmada.io/applied-placement`: Go's JSON, field by
 * field in the order of its types, without what is empty. Byte for byte the same, so that either engine sees from the
 * other's annotation that nothing changed.
 */
import { isObject } from '#base/json.ts';
import { goJson, type Placement } from '#karmada/apis/index.ts';

/** The fields of all types in a placement; no two types disagree on the order of those they share. */
const ORDER = [
  'clusterAffinity',
  'clusterAffinities',
  'clusterTolerations',
  'spreadConstraints',
  'replicaScheduling',
  'workloadAffinity',
  'affinityName',
  'labelSelector',
  'matchLabels',
  'fieldSelector',
  'matchExpressions',
  'clusterNames',
  'exclude',
  'overflowAffinities',
  'key',
  'operator',
  'value',
  'values',
  'effect',
  'tolerationSeconds',
  'spreadByField',
  'spreadByLabel',
  'maxGroups',
  'minGroups',
  'replicaSchedulingType',
  'replicaDivisionPreference',
  'weightPreference',
  'staticWeightList',
  'targetCluster',
  'weight',
  'dynamicWeight',
  'affinity',
  'antiAffinity',
  'groupByLabelKey',
];
const RANK = new Map(ORDER.map((key, rank) => [key, rank]));
/** A count of 0 means none was given. */
const DROPPED_WHEN_ZERO = new Set(['maxGroups', 'minGroups']);

export function appliedPlacement(placement: Placement): string {
  return goJson(ordered(placement));
}

/** The value in canonical order, to be compared as text. */
export function canonical(value: unknown): string {
  return JSON.stringify(ordered(value)) ?? '';
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([key, each]) => !isEmpty(key, each));
  const sorted = entries.sort(([a], [b]) => (RANK.get(a) ?? 0) - (RANK.get(b) ?? 0));
  return Object.fromEntries(sorted.map(([key, each]) => [key, key === 'matchLabels' ? byKey(each) : ordered(each)]));
}

/** The keys of a map are no fields: Go writes them in alphabetical order, and keeps empty values. */
function byKey(labels: unknown): unknown {
  if (!isObject(labels)) return labels;
  return Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isEmpty(key: string, value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  if (key === 'matchLabels' && isObject(value)) return Object.keys(value).length === 0;
  return value === 0 && DROPPED_WHEN_ZERO.has(key);
}
