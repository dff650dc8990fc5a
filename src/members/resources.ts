import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject, OwnerReference } from '#kube/meta/object.ts';

/** The resources a simulated cluster's controllers work on. */
export const NODES: Gvr = { group: '', version: 'v1', resource: 'nodes' };
export const PODS: Gvr = { group: '', version: 'v1', resource: 'pods' };
export const REPLICA_SETS: Gvr = { group: 'apps', version: 'v1', resource: 'replicasets' };
export const DEPLOYMENTS: Gvr = { group: 'apps', version: 'v1', resource: 'deployments' };

/** The reference that makes `owner` the one controller of what carries it. */
export function controlledBy(owner: KubeObject): OwnerReference {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name,
    uid: owner.metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}

export function isControlledBy(object: KubeObject, owner: KubeObject): boolean {
  return controllerOf(object)?.uid === owner.metadata.uid;
}

export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find(({ controller }) => controller === true);
}

/** The key of the owner of the given kind, to wake its controller when something it made changes. */
export function ownerKey(object: KubeObject, kind: string): string[] {
  const owner = controllerOf(object);
  return owner?.kind === kind ? [`${object.metadata.namespace ?? ''}/${owner.name}`] : [];
}
