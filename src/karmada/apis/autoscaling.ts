/** FederatedHPA and CronFederatedHPA: scaling across clusters, by metrics and by the clock. */
import type { HorizontalPodAutoscalerBehavior, MetricSpec, MetricStatus } from '#gen/kube/types.ts';
import type { Condition, KubeObject } from '#kube/meta/object.ts';

export interface ScaleTarget {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
}

/** Spec and status are those of autoscaling/v2 HorizontalPodAutoscaler. */
export interface FederatedHpa extends KubeObject {
  readonly kind: 'FederatedHPA';
  readonly spec: {
    readonly scaleTargetRef: ScaleTarget;
    readonly minReplicas?: number;
    readonly maxReplicas: number;
    readonly metrics?: readonly MetricSpec[];
    readonly behavior?: HorizontalPodAutoscalerBehavior;
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly lastScaleTime?: string;
    readonly currentReplicas?: number;
    readonly desiredReplicas?: number;
    readonly currentMetrics?: readonly MetricStatus[];
    readonly conditions?: readonly Condition[];
  };
}

export interface CronFederatedHpa extends KubeObject {
  readonly kind: 'CronFederatedHPA';
  readonly spec: { readonly scaleTargetRef: ScaleTarget; readonly rules: readonly CronRule[] };
  readonly status?: { readonly executionHistories?: readonly ExecutionHistory[] };
}

export interface CronRule {
  readonly name: string;
  readonly schedule: string;
  readonly targetReplicas?: number;
  /** Of a FederatedHPA. */
  readonly targetMinReplicas?: number;
  readonly targetMaxReplicas?: number;
  readonly suspend?: boolean;
  readonly timeZone?: string;
  readonly successfulHistoryLimit?: number;
  readonly failedHistoryLimit?: number;
}

export interface ExecutionHistory {
  readonly ruleName: string;
  readonly nextExecutionTime?: string;
  readonly successfulExecutions?: readonly {
    readonly scheduleTime: string;
    readonly executionTime: string;
    readonly appliedReplicas?: number;
    readonly appliedMinReplicas?: number;
    readonly appliedMaxReplicas?: number;
  }[];
  readonly failedExecutions?: readonly {
    readonly scheduleTime: string;
    readonly executionTime: string;
    readonly message: string;
  }[];
}
