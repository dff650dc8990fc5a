/** How a daemon set is, in one word: a pure function of the object. */
import type { DaemonSet } from '#gen/kube/types.ts';
import { WorkloadState } from '#gen/proto/kairship/api/types/v1alpha1/types_pb.ts';

export function daemonSetState({ metadata, status }: DaemonSet): WorkloadState {
  if (metadata?.deletionTimestamp !== undefined) return WorkloadState.DELETING;
  if ((status?.observedGeneration ?? 0) < (metadata?.generation ?? 0)) return WorkloadState.WAITING;
  const wanted = status?.desiredNumberScheduled ?? 0;
  const updated = status?.updatedNumberScheduled ?? status?.numberReady ?? 0;
  const isComplete = (status?.numberReady ?? 0) >= wanted && updated >= wanted;
  return isComplete ? WorkloadState.RUNNING : WorkloadState.NOT_READY;
}
