/**
 * A policy as text, and the form that edits it.
 *
 * The text is the truth: a form writes single values into it, so that comments, order and whatever the form does not know
 * stay as they were.
 */
import { parseDocument, stringify } from 'yaml';

export type Path = readonly (string | number)[];

/** The text with one value changed; a value of undefined is taken out, with the parents it leaves empty. */
export function withValue(text: string, path: Path, value: unknown): string {
  const document = parseDocument(text);
  if (document.errors.length > 0) return text;
  if (value !== undefined) document.setIn(path, document.createNode(value));
  else removeIn(document, path);
  return document.toString({ lineWidth: 0 });
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

/** A placement in a few words: which clusters, and how replicas are divided. */
export function clustersOf(placement: unknown): readonly string[] {
  const names = valueAt(placement, ['clusterAffinity', 'clusterNames']);
  return Array.isArray(names) ? names.map(String) : [];
}
