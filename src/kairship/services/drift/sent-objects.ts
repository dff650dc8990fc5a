/**
 * What an instance has sent to its members, and what of it is there otherwise: from the index, a whole instance at once.
 *
 * A Work says what was sent; the index has what lives in the member. Values of secrets are in neither, so secrets are
 * left out.
 */
import {
  NAMESPACES,
  RESOURCE_INTERPRETER_CUSTOMIZATION,
  type ResourceInterpreterCustomization,
  type Work,
  WORK,
} from '#karmada/apis/index.ts';
import { gvkOf } from '#kube/meta/gvk.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { EVERYWHERE, type Reads } from '../../read/reads.ts';
import { fieldDrift, type FieldDifference } from './field-drift.ts';
import { keptBy } from './kept-fields.ts';

export interface Sent {
  readonly cluster: string;
  readonly manifest: KubeObject;
}

export interface Drifted extends Sent {
  /** Absent when it is not there at all. */
  readonly live?: KubeObject;
  readonly fields: readonly FieldDifference[];
}

export async function sentObjects(reads: Reads, instance: string, cluster: string): Promise<readonly Sent[]> {
  const works = await reads.all<Work>({
    place: { instance },
    resource: WORK,
    reach: EVERYWHERE,
    ...(cluster ? { namespace: NAMESPACES.executionPrefix + cluster } : {}),
  });
  return works.flatMap((work) => {
    const namespace = work.metadata.namespace ?? '';
    if (work.metadata.deletionTimestamp || !namespace.startsWith(NAMESPACES.executionPrefix)) return [];
    const manifests = (work.spec.workload?.manifests ?? []).filter(({ kind }) => kind !== 'Secret');
    return manifests.map((manifest) => ({ cluster: namespace.slice(NAMESPACES.executionPrefix.length), manifest }));
  });
}

/** Those of them that live otherwise, but for what is kept on purpose. */
export async function driftedObjects(
  reads: Reads,
  instance: string,
  sent: readonly Sent[],
): Promise<readonly Drifted[]> {
  const [find, rules] = await Promise.all([liveObjects(reads, instance, sent), retentionRules(reads, instance)]);
  return sent.flatMap((one): readonly Drifted[] => {
    const live = find(one);
    if (!live) return [{ ...one, fields: [] }];
    const fields = fieldDrift(one.manifest, live).filter(({ path }) => !keptBy(one.manifest, path, rules));
    return fields.length > 0 ? [{ ...one, live, fields }] : [];
  });
}

export function retentionRules(reads: Reads, instance: string): Promise<readonly ResourceInterpreterCustomization[]> {
  const place = { instance };
  return reads.all({ place, resource: RESOURCE_INTERPRETER_CUSTOMIZATION, reach: EVERYWHERE });
}

const idOf = ({ kind, apiVersion }: KubeObject) => `${gvkOf({ apiVersion, kind }).group}/${kind}`;

/** One look into the index for each kind in each member. */
async function liveObjects(
  reads: Reads,
  instance: string,
  sent: readonly Sent[],
): Promise<(one: Sent) => KubeObject | undefined> {
  const groups = Map.groupBy(sent, ({ cluster, manifest }) => `${cluster} ${idOf(manifest)}`);
  const found = new Map<string, KubeObject>();
  for (const [id, members] of groups) {
    const [first] = members;
    const resource = first && (await reads.resourceOf(gvkOf(first.manifest)));
    if (!first || !resource) continue;
    const names = members.map(({ manifest }) => manifest.metadata.name);
    const place = { instance, cluster: first.cluster };
    for (const object of await reads.all({ place, resource, reach: EVERYWHERE, names }))
      found.set(`${id} ${keyOf(object)}`, object);
  }
  return ({ cluster, manifest }) => found.get(`${cluster} ${idOf(manifest)} ${keyOf(manifest)}`);
}
