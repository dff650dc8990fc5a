/**
 * What the pods of a workload have been made from, as its members remember it.
 *
 * An instance runs no pods and so keeps no history; each member does, in replica sets and controller revisions, and
 * counts its own. All of it is read from the index.
 */
import { isObject } from '#base/json.ts';
import { kindNames } from '#kube/crds/kind-names.ts';
import type { KindNames } from '#kube/crds/kind-names.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { EVERYWHERE, type Place, type Reads } from '../../read/reads.ts';
import { DEPLOYMENT, REPLICA_SET } from '../kinds.ts';

export interface Revision {
  readonly cluster: string;
  readonly revision: number;
  readonly createdAt: number;
  readonly current: boolean;
  readonly template: Readonly<Record<string, unknown>>;
}

const CONTROLLER_REVISION = kindNames('apps', 'v1', 'ControllerRevision', 'controllerrevisions');
const NUMBER = 'deployment.kubernetes.io/revision';
const HASH_LABEL = 'pod-template-hash';

/** The newest first. */
export async function revisionsIn(
  reads: Reads,
  place: Place & { readonly cluster: string },
  kind: KindNames,
  at: { readonly namespace: string; readonly name: string },
): Promise<readonly Revision[]> {
  const owner = await reads.get(place, kind, at);
  const ownerUid = owner?.metadata.uid;
  if (ownerUid === undefined) return [];
  const resource = kind === DEPLOYMENT ? REPLICA_SET : CONTROLLER_REVISION;
  const kept = await reads.all({ place, resource, reach: EVERYWHERE, namespace: at.namespace, ownerUid });
  const found = kept.flatMap((object) => revisionOf(place.cluster, object)).toSorted((a, b) => b.revision - a.revision);
  return found.map((one, index) => ({ ...one, current: index === 0 }));
}

export function revisionOf(cluster: string, object: KubeObject): readonly Omit<Revision, 'current'>[] {
  const isReplicaSet = object.kind === 'ReplicaSet';
  const revision = Number(isReplicaSet ? object.metadata.annotations?.[NUMBER] : object['revision']);
  const template = isReplicaSet ? at(object, 'spec', 'template') : at(object, 'data', 'spec', 'template');
  if (!Number.isSafeInteger(revision) || !isObject(template)) return [];
  const createdAt = Date.parse(object.metadata.creationTimestamp ?? '') || 0;
  return [{ cluster, revision, createdAt, template: withoutMarks(template) }];
}

/** As its author wrote it: without the label and the directive that controllers add. */
function withoutMarks(kept: Record<string, unknown>): Record<string, unknown> {
  const { $patch: _, ...template } = kept;
  const { metadata } = template;
  if (!isObject(metadata) || !isObject(metadata['labels'])) return template;
  const { [HASH_LABEL]: _hash, ...labels } = metadata['labels'];
  return { ...template, metadata: { ...metadata, labels } };
}

export function imagesOf(template: Readonly<Record<string, unknown>>): string[] {
  const containers = at(template, 'spec', 'containers');
  return (Array.isArray(containers) ? containers : []).flatMap((container: unknown) => {
    const image = at(container, 'image');
    return typeof image === 'string' ? [image] : [];
  });
}

function at(value: unknown, ...keys: readonly string[]): unknown {
  let found = value;
  for (const key of keys) found = isObject(found) ? found[key] : undefined;
  return found;
}
