/** What an update may not touch is put back, and the generation counted. */
import { type Draft, isObject, jsonEqual } from '#base/json.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { ResourceDefinition, Strategy } from '../resource.ts';
import { editable } from './editable.ts';

/** The draft with everything server-owned taken from `old`: what may be stored if it is valid. */
export function prepareUpdate(
  definition: ResourceDefinition,
  draft: Draft<KubeObject>,
  old: KubeObject,
  subresource: string | undefined,
): Draft<KubeObject> {
  const { strategy } = definition;
  const wanted = PARTS[subresource ?? '']?.(draft, old) ?? draft;
  const { metadata } = wanted;
  if (subresource === 'status' && !definition.custom) takeAnnotations(metadata, draft.metadata);
  for (const field of SERVER_OWNED) keep(metadata, old.metadata, field);
  delete metadata.selfLink;
  if (subresource !== undefined && subresource in PARTS) return wanted;

  if (strategy.prepareForUpdate) strategy.prepareForUpdate(wanted, old);
  else if (strategy.hasStatus) keepStatus(wanted, old);
  if (bumps(strategy, wanted, old)) metadata.generation = (old.metadata.generation ?? 0) + 1;
  return wanted;
}

const SERVER_OWNED = [
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generateName',
  'generation',
] as const;

type Metadata = Draft<KubeObject>['metadata'];

function keep(to: Metadata, from: KubeObject['metadata'], field: (typeof SERVER_OWNED)[number]): void {
  if (from[field] === undefined) delete to[field];
  else Object.assign(to, { [field]: from[field] });
}

/** As Kubernetes does for its own kinds: a controller notes down what it did together with the status it reports. */
function takeAnnotations(to: Metadata, from: Metadata): void {
  if (from.annotations === undefined) delete to.annotations;
  else to.annotations = from.annotations;
}

function keepStatus(draft: Draft<KubeObject>, old: KubeObject): void {
  if (old['status'] === undefined) delete draft['status'];
  else draft['status'] = old['status'];
}

/** What each subresource lets through of an object that was sent whole. */
const PARTS: Readonly<Record<string, ((draft: Draft<KubeObject>, old: KubeObject) => Draft<KubeObject>) | undefined>> =
  {
    status: (draft, old) => only('status', draft, old),
    /** Certificate signing requests are approved by a condition in their status. */
    approval: (draft, old) => only('status', draft, old),
    /** Pods: containers for debugging, added while the pod runs. */
    ephemeralcontainers: (draft, old) => {
      const wanted = editable(old);
      const [spec, asked] = [wanted['spec'], draft['spec']];
      if (isObject(spec) && isObject(asked)) spec['ephemeralContainers'] = asked['ephemeralContainers'];
      return wanted;
    },
    /** Pods: the one who binds writes spec and status together. */
    binding: (draft) => draft,
    /** Namespaces: the finalizers in the spec, which nothing else can take away. */
    finalize: (draft, old) => only('spec', draft, old),
  };

/** Whether a subresource shows the object itself and lets a part of it be changed. */
export function isPart(subresource: string): boolean {
  return subresource !== 'binding' && Object.hasOwn(PARTS, subresource);
}

function only(field: string, draft: Draft<KubeObject>, old: KubeObject): Draft<KubeObject> {
  const wanted = editable(old);
  if (draft[field] === undefined) delete wanted[field];
  else wanted[field] = draft[field];
  if (draft.metadata.managedFields) wanted.metadata.managedFields = draft.metadata.managedFields;
  else delete wanted.metadata.managedFields;
  return wanted;
}

function bumps(strategy: Strategy, object: KubeObject, old: KubeObject): boolean {
  if (strategy.generation === 'none') return false;
  if (typeof strategy.generation === 'function') return strategy.generation(object, old);
  return !jsonEqual(content(object, strategy.hasStatus), content(old, strategy.hasStatus));
}

/** All that describes what is wanted: not who it is, and not what was observed. */
function content(object: KubeObject, hasStatus: boolean): unknown {
  return { ...object, metadata: undefined, ...(hasStatus ? { status: undefined } : {}) };
}
