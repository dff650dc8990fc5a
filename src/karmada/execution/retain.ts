/**
 * What of a member's object stays when the manifest is written over it. Pure.
 *
 * A member's own controllers add labels, annotations, finalizers and owners; those stay. What came from the control
 * plane earlier (it is listed on the object itself) and is no longer in the manifest goes.
 */
import { type Draft, draftOf } from '#base/json.ts';
import { ANNOTATIONS, CONFLICT, LABELS } from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';

/** The manifest as it may be written over `observed`, guarded by its resourceVersion. */
export function retainClusterFields(manifest: KubeObject, observed: KubeObject): Draft<KubeObject> {
  const desired = draftOf(manifest);
  const { resourceVersion, finalizers, ownerReferences } = observed.metadata;
  if (resourceVersion !== undefined) desired.metadata.resourceVersion = resourceVersion;
  if (finalizers) desired.metadata.finalizers = [...finalizers];
  if (ownerReferences) desired.metadata.ownerReferences = draftOf(ownerReferences);
  const annotations = merged(
    desired.metadata.annotations,
    observed.metadata.annotations,
    observed.metadata.annotations?.[ANNOTATIONS.managedAnnotations],
  );
  const labels = merged(
    desired.metadata.labels,
    observed.metadata.labels,
    observed.metadata.annotations?.[ANNOTATIONS.managedLabels],
  );
  if (annotations) desired.metadata.annotations = annotations;
  if (labels) desired.metadata.labels = labels;
  return desired;
}

type Entries = Readonly<Record<string, string>>;

/** `ours` wins; of `theirs`, what `managed` lists was ours once and is not any more. */
function merged(ours: Entries = {}, theirs: Entries = {}, managed = ''): Record<string, string> | undefined {
  const was = new Set(managed.split(','));
  const foreign = Object.entries(theirs).filter(([key]) => !was.has(key) && !Object.hasOwn(ours, key));
  const all = { ...ours, ...Object.fromEntries(foreign) };
  return Object.keys(all).length > 0 ? all : undefined;
}

export function isManaged(object: KubeObject): boolean {
  return object.metadata.labels?.[LABELS.managed] === 'true';
}

/** The sentence with which an object of somebody else's is left alone; undefined when it may be written over. */
export function takeoverProblem(manifest: KubeObject, observed: KubeObject, cluster: string): string | undefined {
  if (isManaged(observed)) return undefined;
  if (manifest.metadata.annotations?.[ANNOTATIONS.conflictResolution] === CONFLICT.overwrite) return undefined;
  const { namespace = '', name } = manifest.metadata;
  return (
    `resource(kind=${manifest.kind}, ${namespace}/${name}) already exists in the cluster ${cluster} and the ` +
    `${ANNOTATIONS.conflictResolution} strategy value is empty, Karmada will not manage this resource`
  );
}

/** Identifies what was last written, so that a member that rewrites our fields is not fought over and over. */
export function objectVersion({ metadata }: KubeObject): string {
  return metadata.generation ? `gen:${metadata.generation}` : `rv:${metadata.resourceVersion ?? ''}`;
}
