/**
 * A policy as text, and the form that edits it.
 *
 * The text is the truth: a form writes values into it, and of what it writes only the difference, so that comments, order
 * and whatever the form does not know stay as they were.
 */
import { type Document, isMap, isNode, isSeq, parse, parseDocument, stringify } from 'yaml';

export type Path = readonly (string | number)[];

/** The text with one value changed; a value of undefined is taken out, with the parents it leaves empty. */
export function withValue(text: string, path: Path, value: unknown): string {
  const document = parseDocument(text);
  if (document.errors.length > 0) return text;
  if (value !== undefined) document.setIn(path, written(document, document.getIn(path, true), value));
  else removeIn(document, path);
  return document.toString({ lineWidth: 0 });
}

/** What stands there now, changed to the value: a part that is as it should be is left alone, also where it has moved. */
function written(document: Document, now: unknown, value: unknown): unknown {
  if (isMap(now) && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const gone = now.items.filter(({ key }) => !Object.hasOwn(value, String(key)));
    for (const { key } of gone) now.delete(key);
    for (const [key, one] of Object.entries(value)) now.set(key, written(document, now.get(key, true), one));
    return now;
  }
  if (isSeq(now) && Array.isArray(value)) {
    const left = [...now.items];
    now.items = value.map((one: unknown) => {
      const at = left.findIndex((item) => isSame(item, one));
      return at === -1 ? document.createNode(one) : left.splice(at, 1)[0];
    });
    return now;
  }
  return isSame(now, value) ? now : document.createNode(value);
}

function isSame(node: unknown, value: unknown): boolean {
  return isNode(node) && JSON.stringify(node.toJSON()) === JSON.stringify(value);
}

function removeIn(document: ReturnType<typeof parseDocument>, path: Path): void {
  if (!document.hasIn(path)) return;
  document.deleteIn(path);
  const parent = path.slice(0, -1);
  const left: unknown = parent.length > 1 ? document.getIn(parent) : undefined;
  const isEmpty =
    typeof left === 'object' && left !== null && 'items' in left && (left.items as unknown[]).length === 0;
  if (isEmpty) removeIn(document, parent);
}

/** The value at a path of what was parsed. */
export function valueAt(object: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? (value as Readonly<Record<string | number, unknown>>)[key]
        : undefined,
    object,
  );
}

/** The text at a path; `otherwise` where there is something else, or nothing. */
export function textAt(object: unknown, path: Path, otherwise = ''): string {
  const value = valueAt(object, path);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : otherwise;
}

export const DIVISIONS = ['duplicated', 'aggregated', 'dynamic', 'static'] as const;
export type Division = (typeof DIVISIONS)[number];

interface ReplicaScheduling {
  readonly replicaSchedulingType?: string;
  readonly replicaDivisionPreference?: string;
  readonly weightPreference?: { readonly dynamicWeight?: string; readonly staticWeightList?: readonly unknown[] };
}

export function divisionOf(scheduling: unknown): Division {
  const { replicaSchedulingType, replicaDivisionPreference, weightPreference } = (scheduling ??
    {}) as ReplicaScheduling;
  if (replicaSchedulingType !== 'Divided') return 'duplicated';
  if (replicaDivisionPreference === 'Aggregated') return 'aggregated';
  return weightPreference?.staticWeightList ? 'static' : 'dynamic';
}

export function schedulingOf(division: Division, clusters: readonly string[]): object {
  if (division === 'duplicated') return { replicaSchedulingType: 'Duplicated' };
  const divided = { replicaSchedulingType: 'Divided' };
  if (division === 'aggregated') return { ...divided, replicaDivisionPreference: 'Aggregated' };
  const weighted = { ...divided, replicaDivisionPreference: 'Weighted' };
  if (division === 'dynamic') return { ...weighted, weightPreference: { dynamicWeight: 'AvailableReplicas' } };
  return {
    ...weighted,
    weightPreference: {
      staticWeightList: clusters.map((name) => ({ targetCluster: { clusterNames: [name] }, weight: 1 })),
    },
  };
}

export interface NewPolicy {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** What it is for, if that is known. */
  readonly target?: string;
}

export function newPolicyText({ kind, namespace, name, target }: NewPolicy): string {
  const isOverride = kind.endsWith('OverridePolicy');
  return stringify({
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind,
    metadata: { name, ...(kind.startsWith('Cluster') ? {} : { namespace }) },
    spec: {
      resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment', ...(target ? { name: target } : {}) }],
      ...(isOverride
        ? { overrideRules: [{ overriders: {} }] }
        : { placement: { replicaScheduling: { replicaSchedulingType: 'Duplicated' } } }),
    },
  });
}

export interface ResourceSelector {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** A policy's text that is for one more thing. */
export function alsoFor(policy: string, own: ResourceSelector): string {
  const path = ['spec', 'resourceSelectors'];
  const found = valueAt(parse(policy), path);
  const selectors = Array.isArray(found) ? (found as readonly unknown[]) : [];
  const isThere = selectors.some((one) => textAt(one, ['kind']) === own.kind && textAt(one, ['name']) === own.name);
  return isThere ? policy : withValue(policy, path, [...selectors, own]);
}

/** One choice of clusters as the first of ordered groups, and back; what else the placement says stays. */
export function withGroups(placement: unknown, isGrouped: boolean): object {
  const { clusterAffinity, clusterAffinities, ...rest } = (placement ?? {}) as Affinities;
  if (isGrouped)
    return {
      ...rest,
      clusterAffinities: [{ affinityName: 'first', ...clusterAffinity }, ...(clusterAffinities ?? [])],
    };
  const { affinityName: _, ...first } = clusterAffinities?.[0] ?? {};
  return { ...rest, ...(Object.keys(first).length > 0 ? { clusterAffinity: first } : {}) };
}

interface Affinities {
  readonly clusterAffinity?: object;
  readonly clusterAffinities?: readonly { readonly affinityName?: string }[];
}

/** The same list with one of its items a place up or down. */
export function moved<T>(list: readonly T[], index: number, by: -1 | 1): readonly T[] {
  const [one, other] = [list[index], list[index + by]];
  if (one === undefined || other === undefined) return list;
  return list.with(index, other).with(index + by, one);
}

/** A placement in a few words: which clusters, and how replicas are divided. */
export function clustersOf(placement: unknown): readonly string[] {
  const names = valueAt(placement, ['clusterAffinity', 'clusterNames']);
  return Array.isArray(names) ? names.map(String) : [];
}
