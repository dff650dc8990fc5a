/** Who made what: the references that tie objects to their controllers. */
import type { KubeObject, OwnerReference } from '#kube/meta/object.ts';

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

export function controllerOf({ metadata }: Pick<KubeObject, 'metadata'>): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}

export function isControlledBy(object: Pick<KubeObject, 'metadata'>, owner: KubeObject): boolean {
  return controllerOf(object)?.uid === owner.metadata.uid;
}

/** The key of the owner of the given kind, to wake its controller when something it made changes. */
export function ownerKey(object: KubeObject, kind: string): string[] {
  const owner = controllerOf(object);
  return owner?.kind === kind ? [`${object.metadata.namespace ?? ''}/${owner.name}`] : [];
}

/** Where to put what belongs to `owner`. */
export function namespaceOf({ metadata }: Pick<KubeObject, 'metadata'>): string {
  return metadata.namespace ?? 'default';
}
