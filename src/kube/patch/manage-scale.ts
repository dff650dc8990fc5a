import type { ManagedFieldsEntry } from '#kube/meta/object.ts';
import { fieldElement } from './field-element.ts';
import { owning } from './field-manager.ts';
import { difference, has, isEmpty, setOf } from './field-set.ts';
import { type AnyObject, entriesLike, managedFieldsOf } from './manage-update.ts';
import { decodeManagers, managerOf } from './managed-fields.ts';

export interface Rescale {
  /** The scaled object as it is stored. */
  readonly live: AnyObject;
  /** Where its number of replicas is: `['spec', 'replicas']`. */
  readonly replicasPath: readonly string[];
  readonly from: number | undefined;
  readonly to: number;
  readonly manager: string;
  /** The version of the scaled object, not of Scale. */
  readonly apiVersion: string;
}

/**
 * The managers of an object after its number of replicas was changed through its scale.
 *
 * The scale takes the number from whoever had it, in an entry of its own that has no time. As in Kubernetes, a number
 * nobody owned stays without owner, and so does zero.
 */
export function manageScale({
  live,
  replicasPath,
  from,
  to,
  manager,
  apiVersion,
}: Rescale): readonly ManagedFieldsEntry[] {
  const managers = new Map(decodeManagers(managedFieldsOf(live)));
  const path = replicasPath.map(fieldElement);
  const owners = [...managers.values()].filter(({ fields }) => has(fields, path));
  if ((from ?? 0) === to || owners.length === 0) return entriesLike(live, managers);
  const replicas = setOf(path);
  for (const owner of owners) {
    const rest = difference(owner.fields, replicas);
    if (isEmpty(rest)) managers.delete(owner.id);
    else managers.set(owner.id, owning(owner, rest));
  }
  const name = manager === '' ? 'unknown' : manager;
  const identity = { manager: name, operation: 'Update', apiVersion, subresource: 'scale' } as const;
  const scaler = managerOf(identity, replicas, undefined);
  if (to !== 0) managers.set(scaler.id, scaler);
  return entriesLike(live, managers);
}
