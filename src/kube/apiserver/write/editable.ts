/** A copy of an object to work on. */
import { type Draft, draftOf, isObject } from '#base/json.ts';
import type { KubeObject } from '#kube/meta/object.ts';

/**
 * Everything is copied but the entries of managedFields: what is known about them is kept by their identity, and nobody
 * changes them.
 */
export function editable(object: unknown): Draft<KubeObject> {
  const metadata = isObject(object) && isObject(object['metadata']) ? object['metadata'] : undefined;
  const managedFields = metadata?.['managedFields'];
  if (!isObject(object) || !metadata || managedFields === undefined) return draftOf(object) as Draft<KubeObject>;
  const { managedFields: _, ...own } = metadata;
  const draft = draftOf({ ...object, metadata: own }) as Draft<KubeObject>;
  draft.metadata.managedFields = managedFields as NonNullable<Draft<KubeObject>['metadata']['managedFields']>;
  return draft;
}
