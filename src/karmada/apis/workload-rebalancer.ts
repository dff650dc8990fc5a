/** WorkloadRebalancer: asks for workloads to be scheduled afresh. */
import type { KubeObject } from '#kube/meta/object.ts';

export interface WorkloadRebalancer extends KubeObject {
  readonly kind: 'WorkloadRebalancer';
  readonly spec: {
    readonly workloads: readonly WorkloadReference[];
    readonly ttlSecondsAfterFinished?: number;
  };
  readonly status?: {
    readonly observedWorkloads?: readonly ObservedWorkload[];
    readonly observedGeneration?: number;
    readonly finishTime?: string;
  };
}

export interface WorkloadReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

export interface ObservedWorkload {
  readonly workload: WorkloadReference;
  readonly result?: 'Successful' | 'Failed';
  readonly reason?: 'ReferencedBindingNotFound';
}
