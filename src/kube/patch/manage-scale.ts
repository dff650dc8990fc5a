import type { ManagedFieldsEntry } from '#kube/meta/object.ts';
import { fieldElement } from './field-element.ts';
import { owning } from './field-manager.ts';
import { difference, has, isEmpty, setOf } from './field-set.ts';
import { type AnyObject, entriesLike, managedFieldsOf } from './manage-update.ts';
import { decodeManagers, encodeManagers, type Identity, type Manager, managerOf } from './managed-fields.ts';

/** An object that can be scaled, and where it keeps its number of replicas: `['spec', 'replicas']`. */
export interface Scaled {
  readonly live: AnyObject;
  readonly replicasPath: readonly string[];
}

export interface Rescale extends Scaled {
  readonly from: number | undefined;
  readonly to: number;
  readonly manager: string;
  /** The version of the scaled object, not of Scale. */
  readonly apiVersion: string;
}

const SCALE = 'autoscaling/v1';
const REPLICAS = setOf([fieldElement('spec'), fieldElement('replicas')]);

/**
 * The managers of an object after its number of replicas was changed through its scale.
 *
 * The scale takes the number from whoever had it, in an entry of its own that has no time. As in Kubernetes, a number
 * nobody owned stays without owner, and so does zero.
 */
export function manageScale({ from, to, manager, apiVersion, ...scaled }: Rescale): readonly ManagedFieldsEntry[] {
  const unchanged = (from ?? 0) === to || ownersOf(scaled).length === 0;
  if (unchanged) return managersAfterScale(scaled, apiVersion, scaleManagers(scaled));
  const name = manager === '' ? 'unknown' : manager;
  const identity = { manager: name, operation: 'Update', apiVersion: SCALE, subresource: 'scale' } as const;
  const entries = to === 0 ? [] : encodeManagers(new Map([[name, managerOf(identity, REPLICAS, undefined)]]));
  return managersAfterScale(scaled, apiVersion, entries);
}

/** The managers of an object's scale: those who own its number of replicas. */
export function scaleManagers(scaled: Scaled): readonly ManagedFieldsEntry[] {
  const owners = ownersOf(scaled).map((owner) => inScale(owner));
  return encodeManagers(new Map(owners.map((owner) => [owner.id, owner])));
}

/** The managers of an object whose scale has got these. Who is new has no time, as in Kubernetes. */
export function managersAfterScale(
  scaled: Scaled,
  apiVersion: string,
  scale: readonly ManagedFieldsEntry[],
): readonly ManagedFieldsEntry[] {
  const { live, replicasPath } = scaled;
  const replicas = setOf(replicasPath.map(fieldElement));
  const managers = new Map(decodeManagers(managedFieldsOf(live)));
  const left = new Map(decodeManagers(scale));
  for (const owner of ownersOf(scaled)) {
    if (left.delete(inScale(owner).id)) continue;
    const rest = difference(owner.fields, replicas);
    if (isEmpty(rest)) managers.delete(owner.id);
    else managers.set(owner.id, owning(owner, rest));
  }
  for (const { identity } of left.values()) {
    const scaler = managerOf({ ...identity, apiVersion }, replicas, undefined);
    managers.set(scaler.id, scaler);
  }
  return entriesLike(live, managers);
}

function ownersOf({ live, replicasPath }: Scaled): readonly Manager[] {
  const path = replicasPath.map(fieldElement);
  return [...(decodeManagers(managedFieldsOf(live))?.values() ?? [])].filter(({ fields }) => has(fields, path));
}

function inScale({ identity, time }: Manager): Manager {
  const own: Identity = { ...identity, apiVersion: SCALE };
  return managerOf(own, REPLICAS, time);
}
