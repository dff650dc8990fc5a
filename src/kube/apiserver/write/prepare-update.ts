/** What an update may not touch is put back, and the generation counted. */
import { type Draft, draftOf, jsonEqual } from '#base/json.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { ResourceDefinition, Strategy } from '../resource.ts';

/** The draft with everything server-owned taken from `old`: what may be stored if it is valid. */
export function prepareUpdate(
  definition: ResourceDefinition,
  draft: Draft<KubeObject>,
  old: KubeObject,
  subresource: string | undefined,
): Draft<KubeObject> {
  const { strategy } = definition;
  const wanted = subresource === 'status' ? onlyStatus(draft, old) : draft;
  const { metadata } = wanted;
  keep(metadata, old.metadata, 'uid');
  keep(metadata, old.metadata, 'creationTimestamp');
  keep(metadata, old.metadata, 'deletionTimestamp');
  keep(metadata, old.metadata, 'deletionGracePeriodSeconds');
  keep(metadata, old.metadata, 'generateName');
  keep(metadata, old.metadata, 'generation');
  delete metadata.selfLink;
  if (subresource === 'status') return wanted;

  if (strategy.prepareForUpdate) strategy.prepareForUpdate(wanted, old);
  else if (strategy.hasStatus) keepStatus(wanted, old);
  if (bumps(strategy, wanted, old)) metadata.generation = (old.metadata.generation ?? 0) + 1;
  return wanted;
}

type Metadata = Draft<KubeObject>['metadata'];

function keep<Field extends keyof Metadata>(to: Metadata, from: KubeObject['metadata'], field: Field): void {
  if (from[field] === undefined) delete to[field];
  else to[field] = draftOf(from[field]) as Metadata[Field];
}

function keepStatus(draft: Draft<KubeObject>, old: KubeObject): void {
  if (old['status'] === undefined) delete draft['status'];
  else draft['status'] = old['status'];
}

function onlyStatus(draft: Draft<KubeObject>, old: KubeObject): Draft<KubeObject> {
  const wanted = { ...draftOf(old) };
  if (draft['status'] === undefined) delete wanted['status'];
  else wanted['status'] = draft['status'];
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
function content({ metadata: _, ...rest }: KubeObject, hasStatus: boolean): unknown {
  if (!hasStatus) return rest;
  const { status: __, ...wanted } = rest;
  return wanted;
}
