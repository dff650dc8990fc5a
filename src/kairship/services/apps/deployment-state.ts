/** How a deployment or a stateful set is, in one word: a pure function of the object. */
import type { Deployment, StatefulSet } from '#gen/kube/types.ts';
import { WorkloadState } from '#gen/proto/kairship/api/types/v1alpha1/types_pb.ts';

export function deploymentState({ metadata, spec, status }: Deployment | StatefulSet): WorkloadState {
  if (metadata?.deletionTimestamp !== undefined) return WorkloadState.DELETING;
  const wanted = spec?.replicas ?? 1;
  if (wanted === 0 && (status?.replicas ?? 0) === 0) return WorkloadState.STOPPED;
  if ((status?.observedGeneration ?? 0) < (metadata?.generation ?? 0)) return WorkloadState.WAITING;
  const ready = status?.readyReplicas ?? 0;
  const isComplete = ready >= wanted && (status?.updatedReplicas ?? ready) >= wanted;
  return isComplete ? WorkloadState.RUNNING : WorkloadState.NOT_READY;
}

/** The sum over clusters does not say which generation they have seen: that there is one is all that is known. */
export function statefulSetState(set: StatefulSet): WorkloadState {
  const observedGeneration = set.status?.observedGeneration ?? set.metadata?.generation ?? 0;
  return deploymentState(set.status ? { ...set, status: { ...set.status, observedGeneration } } : set);
}
