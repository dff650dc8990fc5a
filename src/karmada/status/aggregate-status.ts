/**
 * From the Works of a binding to what the binding says about them: one line per cluster, and whether all are applied.
 * Pure; as karmada v1.18 pkg/util/helper/workstatus.go.
 */
import type {
  AggregatedStatusItem,
  BindingSpec,
  BindingStatus,
  ManifestStatus,
  ObjectReference,
  Work,
} from '#karmada/apis/index.ts';
import { APPLIED, FULLY_APPLIED } from '#karmada/apis/index.ts';
import { existingClusters } from '#karmada/binding/binding-clusters.ts';
import { clusterOfExecutionNamespace } from '#karmada/names/index.ts';
import { findCondition, type NewCondition } from '#kube/meta/condition.ts';
import { apiVersionOf } from '#kube/meta/gvk.ts';
import type { Condition } from '#kube/meta/object.ts';

/** Sorted by cluster; Works on their way out say nothing any more. */
export function aggregateWorks(works: Iterable<Work>, resource: ObjectReference): AggregatedStatusItem[] {
  const items: AggregatedStatusItem[] = [];
  for (const work of works) {
    const clusterName = clusterOfExecutionNamespace(work.metadata.namespace ?? '');
    if (clusterName === undefined || work.metadata.deletionTimestamp) continue;
    items.push({ clusterName, ...statusOfWork(work, resource) });
  }
  return items.sort((a, b) => (a.clusterName < b.clusterName ? -1 : 1));
}

function statusOfWork(work: Work, resource: ObjectReference): Omit<AggregatedStatusItem, 'clusterName'> {
  const applied = findCondition(work.status?.conditions, APPLIED.type);
  if (applied?.status !== 'True') {
    return { ...(applied?.message ? { appliedMessage: applied.message } : {}), health: 'Unknown' };
  }
  const found = work.status?.manifestStatuses?.find((each) => isOf(each, resource));
  return {
    applied: true,
    ...(found?.status ? { status: found.status } : {}),
    health: found?.health ?? 'Unknown',
  };
}

function isOf({ identifier }: ManifestStatus, resource: ObjectReference): boolean {
  return (
    identifier.kind === resource.kind &&
    identifier.name === resource.name &&
    (identifier.namespace ?? '') === (resource.namespace ?? '') &&
    apiVersionOf({ group: identifier.group ?? '', version: identifier.version }) === resource.apiVersion
  );
}

/** True when every cluster that should have the object has it, and no other does. */
export function fullyApplied(spec: BindingSpec, items: readonly AggregatedStatusItem[]): NewCondition {
  const clusters = existingClusters(spec);
  const complete =
    clusters.size > 0 &&
    clusters.size === items.length &&
    items.every(({ applied, clusterName }) => applied && clusters.has(clusterName));
  return complete
    ? condition('True', FULLY_APPLIED.success, FULLY_APPLIED.successMessage)
    : condition('False', FULLY_APPLIED.failed, FULLY_APPLIED.failedMessage);
}

function condition(status: 'True' | 'False', reason: string, message: string): NewCondition {
  return { type: FULLY_APPLIED.type, status, reason, message };
}

/** A binding's status with what its clusters report; without any there is no list, not an empty one. */
export function reportedStatus(
  before: BindingStatus | undefined,
  items: readonly AggregatedStatusItem[],
  conditions: readonly Condition[],
): BindingStatus {
  const { aggregatedStatus: _, ...rest } = before ?? {};
  return { ...rest, ...(items.length > 0 ? { aggregatedStatus: items } : {}), conditions };
}
