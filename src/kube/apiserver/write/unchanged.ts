/** Whether a write would change anything; the times in managedFields alone are no change. */
import { jsonEqual } from '#base/json.ts';
import type { KubeObject, ManagedFieldsEntry } from '#kube/meta/object.ts';

export function sameButTimes(a: KubeObject, b: KubeObject): boolean {
  const { metadata: metaA, ...restA } = a;
  const { metadata: metaB, ...restB } = b;
  const { managedFields: fieldsA = [], ...ownA } = metaA;
  const { managedFields: fieldsB = [], ...ownB } = metaB;
  return jsonEqual(restA, restB) && jsonEqual(ownA, ownB) && sameManagers(fieldsA, fieldsB);
}

function sameManagers(a: readonly ManagedFieldsEntry[], b: readonly ManagedFieldsEntry[]): boolean {
  return jsonEqual(a.map(timeless), b.map(timeless));
}

function timeless(entry: ManagedFieldsEntry): unknown {
  return { ...entry, time: undefined };
}
