/** What a pod's status means to whoever counts pods. Pure. */
import type { Pod } from '#gen/kube/types.ts';

/** Its containers have ended for good. */
export const isOver = (pod: Pod) => pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';

/** It counts towards the replicas that are wanted. */
export const isActive = (pod: Pod) => !isOver(pod) && pod.metadata.deletionTimestamp === undefined;

/** It was told to go and has not gone yet. */
export const isTerminating = (pod: Pod) => !isOver(pod) && pod.metadata.deletionTimestamp !== undefined;

export function isPodReady(pod: Pod): boolean {
  return readyCondition(pod) !== undefined;
}

/** Since when it is ready, in milliseconds; undefined when it is not. */
export function readySince(pod: Pod): number | undefined {
  const condition = readyCondition(pod);
  return condition ? Date.parse(condition.lastTransitionTime ?? '') || 0 : undefined;
}

/** Milliseconds until a pod has been ready for long enough: 0 when it has, undefined when it is not ready. */
export function untilAvailable(pod: Pod, minReadySeconds: number, now: number): number | undefined {
  const since = readySince(pod);
  if (since === undefined) return undefined;
  return minReadySeconds === 0 ? 0 : Math.max(0, since + minReadySeconds * 1000 - now);
}

export function isAvailable(pod: Pod, minReadySeconds: number, now: number): boolean {
  return untilAvailable(pod, minReadySeconds, now) === 0;
}

/** When the next of the pods will have been ready for long enough; undefined when none is on its way. */
export function nextAvailable(pods: readonly Pod[], minReadySeconds: number, now: number): number | undefined {
  const waits = pods.map((pod) => untilAvailable(pod, minReadySeconds, now)).filter((ms) => ms !== undefined && ms > 0);
  return waits.length === 0 ? undefined : Math.min(...(waits as number[]));
}

function readyCondition({ status }: Pod) {
  return status?.conditions?.find((condition) => condition.type === 'Ready' && condition.status === 'True');
}
