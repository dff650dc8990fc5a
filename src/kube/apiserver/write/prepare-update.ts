/** What an update may not touch is put back, and the generation counted. */
import { type Draft, isObject, jsonEqual } from '#base/json.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { META_FIELDS, type MetaField, type ResourceDefinition, type Strategy } from '../resource.ts';
import { editable } from './editable.ts';

/** The draft with everything server-owned taken from `old`: what may be stored if it is valid. */
export function prepareUpdate(
  definition: ResourceDefinition,
  draft: Draft<KubeObject>,
  old: KubeObject,
  subresource: string | undefined,
): Draft<KubeObject> {
  const { strategy } = definition;
  const wanted = PARTS[subresource ?? '']?.(draft, old, definition) ?? draft;
  const { metadata } = wanted;
  for (const field of SERVER_OWNED) keep(metadata, old.metadata, field);
  delete metadata.selfLink;
  if (subresource === 'status') strategy.prepareForStatusUpdate?.(wanted, old);
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

function keep(to: Metadata, from: KubeObject['metadata'], field: keyof Metadata): void {
  const value = from[field];
  // The value is one of this very field.
  if (value !== undefined) to[field] = value as never;
  else if (field in to) delete to[field];
}

function keepStatus(draft: Draft<KubeObject>, old: KubeObject): void {
  if (old['status'] === undefined) delete draft['status'];
  else draft['status'] = old['status'];
}

type Part = (draft: Draft<KubeObject>, old: KubeObject, definition: ResourceDefinition) => Draft<KubeObject>;

/** What each subresource lets through of an object that was sent whole. */
const PARTS: Readonly<Record<string, Part | undefined>> = {
  status: (draft, old, { custom, strategy }) =>
    custom ? only('status', draft, old) : withMetadata(only('status', draft, old), draft, strategy.statusKeeps),
  /** Certificate signing requests are approved by a condition in their status. */
  approval: (draft, old) => {
    const [asked, status] = [draft['status'], old['status']];
    const conditions = isObject(asked) ? asked['conditions'] : undefined;
    const decided = { ...draft, status: { ...(isObject(status) ? status : {}), conditions } };
    return withMetadata(only('status', decided, old), draft);
  },
  /** Pods: containers for debugging, added while the pod runs. */
  ephemeralcontainers: (draft, old) => {
    const wanted = editable(old);
    const [spec, asked] = [wanted['spec'], draft['spec']];
    if (isObject(spec) && isObject(asked)) spec['ephemeralContainers'] = asked['ephemeralContainers'];
    return withManagers(wanted, draft);
  },
  /** Pods: what containers get of their node, changed while they run. */
  resize: (draft, old) => {
    const wanted = editable(old);
    for (const field of ['containers', 'initContainers']) {
      const asked = new Map(containersOf(draft, field).map((one) => [one['name'], one]));
      for (const container of containersOf(wanted, field)) {
        const resources = asked.get(container['name'])?.['resources'];
        if (resources !== undefined) container['resources'] = resources;
      }
    }
    return withManagers(wanted, draft);
  },
  /** Pods: the one who binds writes spec and status together. */
  binding: (draft) => draft,
  /** Namespaces: the finalizers in the spec, which nothing else can take away. */
  finalize: (draft, old) => withMetadata(only('spec', draft, old), draft),
};

function containersOf(pod: Draft<KubeObject>, field: string): Record<string, unknown>[] {
  const containers = isObject(pod['spec']) ? pod['spec'][field] : undefined;
  return Array.isArray(containers) ? containers.filter(isObject) : [];
}

/** As Kubernetes does for its own kinds: who reports a status notes down what they did together with it. */
function withMetadata(wanted: Draft<KubeObject>, draft: Draft<KubeObject>, except: readonly MetaField[] = []) {
  for (const field of META_FIELDS) if (!except.includes(field)) keep(wanted.metadata, draft.metadata, field);
  return wanted;
}

/** Whether a subresource shows the object itself and lets a part of it be changed. */
export function isPart(subresource: string): boolean {
  return subresource !== 'binding' && Object.hasOwn(PARTS, subresource);
}

function only(field: string, draft: Draft<KubeObject>, old: KubeObject): Draft<KubeObject> {
  const wanted = editable(old);
  if (draft[field] === undefined) delete wanted[field];
  else wanted[field] = draft[field];
  return withManagers(wanted, draft);
}

function withManagers(wanted: Draft<KubeObject>, draft: Draft<KubeObject>): Draft<KubeObject> {
  keep(wanted.metadata, draft.metadata, 'managedFields');
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
