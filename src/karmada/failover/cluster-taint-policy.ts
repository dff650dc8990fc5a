/**
 * The taints that ClusterTaintPolicies give to a cluster and take from it, by its conditions. Pure.
 *
 * As karmada v1.18 pkg/controllers/taint: policies act in the order of their creation, each first adds and then removes;
 * a taint is known by key and effect. A list of conditions that is empty never holds, and neither does one that speaks
 * of a condition the cluster does not have.
 */
import type { Cluster, ClusterTaintPolicy, MatchCondition, Taint } from '#karmada/apis/index.ts';
import { clusterMatches } from '#karmada/selector/index.ts';
import { findCondition } from '#kube/meta/condition.ts';
import type { Condition } from '#kube/meta/object.ts';

/** The very same list when nothing changes. `now` is RFC 3339. */
export function taintsByPolicies(
  cluster: Cluster,
  policies: readonly ClusterTaintPolicy[],
  now: string,
): readonly Taint[] {
  const { conditions } = cluster.status ?? {};
  let taints = cluster.spec.taints ?? [];
  for (const { spec } of policies.toSorted(byCreation)) {
    if (spec.targetClusters && !clusterMatches(cluster, spec.targetClusters)) continue;
    if (allHold(spec.addOnConditions, conditions)) taints = added(taints, spec.taints, now);
    if (allHold(spec.removeOnConditions, conditions)) taints = removed(taints, spec.taints);
  }
  return taints;
}

/** Policies of the same second act by name, so that the order is always the same. */
function byCreation(a: ClusterTaintPolicy, b: ClusterTaintPolicy): number {
  const [older, younger] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? ''];
  if (older !== younger) return older < younger ? -1 : 1;
  return a.metadata.name < b.metadata.name ? -1 : 1;
}

function allHold(wanted: readonly MatchCondition[] = [], conditions: readonly Condition[] | undefined): boolean {
  return wanted.length > 0 && wanted.every((each) => holds(each, conditions));
}

function holds(
  { conditionType, operator, statusValues }: MatchCondition,
  conditions: readonly Condition[] | undefined,
): boolean {
  const found = findCondition(conditions, conditionType);
  return found !== undefined && statusValues.includes(found.status) === (operator === 'In');
}

type PolicyTaint = ClusterTaintPolicy['spec']['taints'][number];

function added(taints: readonly Taint[], more: readonly PolicyTaint[], now: string): readonly Taint[] {
  const missing = more.filter((taint) => !taints.some((each) => isSame(each, taint)));
  if (missing.length === 0) return taints;
  return [
    ...taints,
    ...missing.map(({ key, value, effect }) => ({ key, ...(value ? { value } : {}), effect, timeAdded: now })),
  ];
}

function removed(taints: readonly Taint[], less: readonly PolicyTaint[]): readonly Taint[] {
  const kept = taints.filter((taint) => !less.some((each) => isSame(each, taint)));
  return kept.length === taints.length ? taints : kept;
}

function isSame(a: PolicyTaint, b: PolicyTaint): boolean {
  return a.key === b.key && a.effect === b.effect;
}
