/** Lists of conditions, changed as Kubernetes changes them: the time moves only when the status does. */
import type { Condition } from '#kube/meta/object.ts';

export type NewCondition = Omit<Condition, 'lastTransitionTime'>;

/** `conditions` with one set; the very same list when nothing about it is new. `now` is RFC 3339. */
export function setCondition(
  conditions: readonly Condition[] | undefined,
  condition: NewCondition,
  now: string,
): readonly Condition[] {
  const old = findCondition(conditions, condition.type);
  if (!conditions || !old) return [...(conditions ?? []), { ...condition, lastTransitionTime: now }];
  const lastTransitionTime = old.status === condition.status ? (old.lastTransitionTime ?? now) : now;
  if (old.status === condition.status && old.reason === condition.reason && old.message === condition.message) {
    return conditions;
  }
  return conditions.map((each) => (each === old ? { ...each, ...condition, lastTransitionTime } : each));
}

export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

export function isConditionTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === 'True';
}
