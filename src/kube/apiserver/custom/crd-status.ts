/** What the server says about a CRD in its status. */
import type { CustomResourceDefinition, CustomResourceDefinitionStatus } from '#gen/kube/types.ts';
import { isConditionTrue, setCondition } from '#kube/meta/condition.ts';
import type { Condition } from '#kube/meta/object.ts';

/** A name somebody else in the group has; undefined when there is none. */
export interface NameConflict {
  readonly reason: string;
  readonly message: string;
}

export function isEstablished(crd: CustomResourceDefinition): boolean {
  return isConditionTrue(conditionsOf(crd), 'Established');
}

export function conditionsOf({ status }: CustomResourceDefinition): readonly Condition[] {
  return (status?.conditions ?? []) as readonly Condition[];
}

/** The status after its names were looked at. Names once established stay, even if new ones are refused. */
export function crdStatus(
  crd: CustomResourceDefinition,
  conflict: NameConflict | undefined,
  now: string,
): CustomResourceDefinitionStatus {
  const accepted = conflict
    ? { type: 'NamesAccepted', status: 'False' as const, ...conflict }
    : { type: 'NamesAccepted', status: 'True' as const, reason: 'NoConflicts', message: 'no conflicts found' };
  let conditions = setCondition(conditionsOf(crd), accepted, now);
  if (!conflict && !isEstablished(crd)) {
    const message = 'the initial names have been accepted';
    conditions = setCondition(
      conditions,
      { type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message },
      now,
    );
  } else if (conflict && !conditions.some(({ type }) => type === 'Established')) {
    const message = 'not all names are accepted';
    conditions = setCondition(
      conditions,
      { type: 'Established', status: 'False', reason: 'NotAccepted', message },
      now,
    );
  }
  const stored = crd.spec.versions.find(({ storage }) => storage)?.name;
  const before = crd.status?.storedVersions ?? [];
  return {
    conditions,
    acceptedNames: conflict ? (crd.status?.acceptedNames ?? { plural: '', kind: '' }) : crd.spec.names,
    storedVersions: stored === undefined || before.includes(stored) ? before : [...before, stored],
  };
}
