/**
 * What a StatefulSet does next, and what it reports. Pure.
 *
 * As Kubernetes: pods are made from the first ordinal up and taken from the last down, one at a time, each waiting for
 * the ones before it to be available; with `Parallel` all at once. An update goes from the last pod down to the partition,
 * one pod at a time, whatever the management policy; with `OnDelete` whoever deletes a pod gets a new one in its place.
 */
import type { Pod, StatefulSet, StatefulSetStatus } from '#gen/kube/types.ts';
import { defined, unlessZero } from '../defined.ts';
import { isAvailable, isOver, isPodReady } from '../workload/pod-state.ts';
import { firstOrdinal, ordinalOf, revisionOf } from './identity.ts';

export interface Revisions {
  /** The names of the revision pods had so far, and of the one they are to have. */
  readonly current: string;
  readonly update: string;
}

export type Action =
  | { readonly do: 'create'; readonly ordinal: number; readonly revision: keyof Revisions }
  | { readonly do: 'remove'; readonly pod: Pod };

export function planStatefulSet(
  set: StatefulSet,
  pods: readonly Pod[],
  revisions: Revisions,
  now: number,
): readonly Action[] {
  if (set.metadata.deletionTimestamp !== undefined) return [];
  const world = worldOf(set, pods, now);
  const parallel = set.spec?.podManagementPolicy === 'Parallel';
  const filling = fill(set, world, parallel);
  if (filling !== 'filled') return filling;
  const shrinking = shrink(world, parallel);
  if (shrinking !== 'shrunk') return shrinking;
  return set.spec?.updateStrategy?.type === 'OnDelete' ? [] : update(set, world, revisions);
}

interface World {
  /** By ordinal, from the first; undefined where there is no pod. */
  readonly replicas: readonly (Pod | undefined)[];
  readonly start: number;
  /** Beyond the replicas that are wanted, last first. */
  readonly condemned: readonly Pod[];
  readonly isUp: (pod: Pod) => boolean;
}

function worldOf(set: StatefulSet, pods: readonly Pod[], now: number): World {
  const start = firstOrdinal(set);
  const replicas: (Pod | undefined)[] = Array.from({ length: set.spec?.replicas ?? 1 });
  const condemned: { readonly pod: Pod; readonly ordinal: number }[] = [];
  for (const pod of pods) {
    const ordinal = ordinalOf(set, pod);
    if (ordinal === undefined) continue;
    if (ordinal >= start && ordinal < start + replicas.length) replicas[ordinal - start] = pod;
    else condemned.push({ pod, ordinal });
  }
  const minReadySeconds = set.spec?.minReadySeconds ?? 0;
  return {
    replicas,
    start,
    condemned: condemned.sort((a, b) => b.ordinal - a.ordinal).map(({ pod }) => pod),
    isUp: (pod) => !isEnding(pod) && pod.status?.phase === 'Running' && isAvailable(pod, minReadySeconds, now),
  };
}

const isEnding = ({ metadata }: Pod) => metadata.deletionTimestamp !== undefined;

function fill(set: StatefulSet, { replicas, start, isUp }: World, parallel: boolean): readonly Action[] | 'filled' {
  const actions: Action[] = [];
  for (const [index, pod] of replicas.entries()) {
    if (!pod) actions.push({ do: 'create', ordinal: start + index, revision: revisionFor(set, index) });
    else if (isOver(pod)) actions.push(...(isEnding(pod) ? [] : [{ do: 'remove', pod } as const]));
    else if (parallel || isUp(pod)) continue;
    if (!parallel) return actions;
  }
  return actions.length > 0 ? actions : 'filled';
}

/** Below the partition, pods come back as they were. */
function revisionFor({ spec, status }: StatefulSet, index: number): keyof Revisions {
  const { type, rollingUpdate } = spec?.updateStrategy ?? {};
  if (rollingUpdate) return index < (rollingUpdate.partition ?? 0) ? 'current' : 'update';
  return type === 'RollingUpdate' && index < (status?.currentReplicas ?? 0) ? 'current' : 'update';
}

function shrink({ replicas, condemned, isUp }: World, parallel: boolean): readonly Action[] | 'shrunk' {
  if (parallel) {
    const actions = condemned.filter((pod) => !isEnding(pod)).map((pod): Action => ({ do: 'remove', pod }));
    return actions.length > 0 ? actions : 'shrunk';
  }
  const [last] = condemned;
  if (!last) return 'shrunk';
  // What is not up is taken away only when nothing before it is down too: otherwise more would be lost.
  const firstDown = [...replicas, ...condemned.toReversed()].find((pod) => pod && !isUp(pod));
  if (isEnding(last) || (!isUp(last) && last !== firstDown)) return [];
  return [{ do: 'remove', pod: last }];
}

function update(set: StatefulSet, { replicas, isUp }: World, revisions: Revisions): readonly Action[] {
  const partition = set.spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
  for (const pod of replicas.slice(partition).toReversed()) {
    if (!pod) return [];
    if (revisionOf(pod) !== revisions.update && !isEnding(pod)) return [{ do: 'remove', pod }];
    if (!isUp(pod)) return [];
  }
  return [];
}

export function statefulSetStatus(
  set: StatefulSet,
  pods: readonly Pod[],
  revisions: Revisions,
  now: number,
): StatefulSetStatus {
  const minReadySeconds = set.spec?.minReadySeconds ?? 0;
  const known = pods.filter((pod) => ordinalOf(set, pod) !== undefined);
  const ready = known.filter((pod) => pod.status?.phase === 'Running' && isPodReady(pod));
  const of = (revision: string) => known.filter((pod) => !isEnding(pod) && revisionOf(pod) === revision).length;
  const updated = of(revisions.update);
  const isComplete =
    set.spec?.updateStrategy?.type === 'RollingUpdate' && updated === known.length && ready.length === known.length;
  return defined({
    observedGeneration: set.metadata.generation,
    replicas: known.length,
    readyReplicas: unlessZero(ready.length),
    currentReplicas: unlessZero(isComplete ? updated : of(revisions.current)),
    updatedReplicas: unlessZero(updated),
    currentRevision: isComplete ? revisions.update : revisions.current,
    updateRevision: revisions.update,
    collisionCount: set.status?.collisionCount ?? 0,
    availableReplicas: ready.filter((pod) => isAvailable(pod, minReadySeconds, now)).length,
  });
}
