/**
 * Whether a cluster is one that an affinity asks for, and if not, what is in the way.
 *
 * As karmada v1.18 pkg/util/selector.go: exclusion first, then labels, then fields, then names; what an affinity does
 * not mention it does not restrict.
 */
import type { Cluster, ClusterAffinity, LabelSelector, NodeSelectorRequirement } from '#karmada/apis/index.ts';
import { compileSelector, labelsMatch } from './label-match.ts';

export function clusterMatches(cluster: Cluster, affinity: ClusterAffinity): boolean {
  return clusterMismatch(cluster, affinity) === undefined;
}

/** What keeps the cluster from matching, in words; undefined when it matches. */
export function clusterMismatch(cluster: Cluster, affinity: ClusterAffinity): string | undefined {
  const { name, labels } = cluster.metadata;
  if (affinity.exclude?.includes(name)) return 'excluded by name';
  if (affinity.labelSelector && !labelsMatch(affinity.labelSelector, labels)) {
    return labelMismatch(affinity.labelSelector, labels ?? {});
  }
  for (const requirement of affinity.fieldSelector?.matchExpressions ?? []) {
    if (!fieldMatches(cluster, requirement)) return fieldMismatch(cluster, requirement);
  }
  const names = affinity.clusterNames ?? [];
  return names.length === 0 || names.includes(name) ? undefined : 'not among the clusters named';
}

function labelMismatch(selector: LabelSelector, labels: Readonly<Record<string, string>>): string {
  for (const requirement of compileSelector(selector).requirements) {
    const alone = { matchExpressions: [{ ...requirement, operator: OPERATORS[requirement.operator] ?? '' }] };
    if (labelsMatch(alone, labels)) continue;
    const { key } = requirement;
    const found = labels[key] === undefined ? 'cluster has none' : `cluster has ${key}=${labels[key]}`;
    return `label ${describe({ ...requirement, operator: OPERATORS[requirement.operator] ?? '' })} required, ${found}`;
  }
  return 'the label selector cannot be read';
}

const OPERATORS: Readonly<Record<string, string>> = {
  '=': 'In',
  in: 'In',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};

function describe({ key, operator, values = [] }: NodeSelectorRequirement): string {
  switch (operator) {
    case 'In':
      return values.length === 1 ? `${key}=${values[0]}` : `${key} in (${values.join(', ')})`;
    case 'NotIn':
      return values.length === 1 ? `${key}≠${values[0]}` : `${key} not in (${values.join(', ')})`;
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `no ${key}`;
    default:
      return `${key} ${operator} ${values.join(', ')}`;
  }
}

function fieldMismatch(cluster: Cluster, requirement: NodeSelectorRequirement): string {
  const values = fieldValues(cluster, requirement.key);
  const found = values.length === 0 ? 'cluster has none' : `cluster has ${values.join(', ')}`;
  return `${describe(requirement)} required, ${found}`;
}

function fieldMatches(cluster: Cluster, { key, operator, values = [] }: NodeSelectorRequirement): boolean {
  const found = fieldValues(cluster, key);
  switch (operator) {
    case 'In':
      return found.some((value) => values.includes(value));
    case 'NotIn':
      return !found.some((value) => values.includes(value));
    case 'Exists':
      return found.length > 0;
    case 'DoesNotExist':
      return found.length === 0;
    default:
      return false;
  }
}

function fieldValues({ spec }: Cluster, key: string): readonly string[] {
  if (key === 'zone') return spec.zones ?? [];
  const value = key === 'provider' ? spec.provider : key === 'region' ? spec.region : undefined;
  return value === undefined || value === '' ? [] : [value];
}
