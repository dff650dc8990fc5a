/** What was overridden, as Karmada notes it on a Work: Go's JSON of policy names and overriders, by policy name. */
import { isObject } from '#base/json.ts';
import { goJson, type Overriders } from '#karmada/apis/index.ts';

export interface AppliedOverride {
  readonly policyName: string;
  readonly overriders: Overriders;
}

/** The fields of all types among overriders, in the order of Go's structs. */
const ORDER = [
  'policyName',
  'overriders',
  'plaintext',
  'imageOverrider',
  'commandOverrider',
  'argsOverrider',
  'labelsOverrider',
  'annotationsOverrider',
  'fieldOverrider',
  'predicate',
  'component',
  'containerName',
  'fieldPath',
  'json',
  'yaml',
  'path',
  'subPath',
  'operator',
  'value',
];
const RANK = new Map(ORDER.map((field, rank) => [field, rank]));

/** The value of the annotation; undefined when there is nothing to note. */
export function appliedOverridesText(applied: readonly AppliedOverride[]): string | undefined {
  if (applied.length === 0) return undefined;
  const sorted = applied.toSorted((a, b) => (a.policyName < b.policyName ? -1 : a.policyName > b.policyName ? 1 : 0));
  return goJson(sorted.map((each) => ordered(each)));
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isObject(value)) return value;
  const entries = Object.entries(isPatch(value) ? { value: null, ...value } : withoutEmpty(value));
  const sorted = entries.sort(([a], [b]) => (RANK.get(a) ?? 0) - (RANK.get(b) ?? 0));
  return Object.fromEntries(sorted.map(([key, each]) => [key, key === 'value' ? byKey(each) : ordered(each)]));
}

/** Changes of any field may set null, and so say it; elsewhere what is empty is left out. */
function isPatch(value: Record<string, unknown>): boolean {
  return 'operator' in value && ('path' in value || 'subPath' in value);
}

function withoutEmpty(value: Record<string, unknown>): Record<string, unknown> {
  const isEmpty = (each: unknown) => each === undefined || each === '' || (Array.isArray(each) && each.length === 0);
  return Object.fromEntries(Object.entries(value).filter(([, each]) => !isEmpty(each)));
}

/** A value is no struct: its keys come in alphabetical order. */
function byKey(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(byKey);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, byKey(each)]),
  );
}
