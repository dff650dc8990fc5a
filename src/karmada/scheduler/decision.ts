/** What the scheduler is asked, and what it answers. */
import type { AnyBinding, Cluster, TargetCluster } from '#karmada/apis/index.ts';
import type { Estimator } from './estimator.ts';
import type { Explanation } from './explanation.ts';

export interface ScheduleInput {
  readonly binding: AnyBinding;
  /** Every cluster of the instance, deleting ones too. */
  readonly clusters: readonly Cluster[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The answer of `needsScheduling`, kept in the explanation. */
  readonly because?: string;
  /** Whose estimates count; the least wins. Without it, the general estimator alone. */
  readonly estimators?: readonly Estimator[];
  /** Other bindings, for workload affinity; without them it is not looked at. */
  readonly peers?: readonly AnyBinding[];
  readonly options?: SchedulerOptions;
}

export interface SchedulerOptions {
  /** Clusters that got no replica are kept in the answer with 0, as `--enable-empty-workload-propagation`. */
  readonly emptyWorkloadPropagation?: boolean;
  /** Only what Karmada itself spreads by (cluster, region); zone, provider and labels are refused as it does. */
  readonly strictSpread?: boolean;
  /** Names of plugins not to run, as `--plugins=*,-Name`. */
  readonly disabledPlugins?: readonly string[];
}

export interface Decision {
  readonly outcome: Outcome;
  /** What `spec.clusters` becomes: empty when nothing fits, undefined when it is to be left as it is. */
  readonly clusters: readonly TargetCluster[] | undefined;
  /** The affinity group that took it, for `status.schedulerObservingAffinityName`; only when scheduled. */
  readonly affinityName?: string;
  /** The value of the annotation `policy.karmada.io/applied-placement`. */
  readonly appliedPlacement: string;
  readonly explanation: Explanation;
}

/**
 * How scheduling ended, with the message Karmada writes into the Scheduled condition.
 *
 * - `scheduled`: reason Success; `clusters` holds the answer.
 * - `noClusterFit`: every cluster was refused; the answer is no cluster, and nothing is retried until something changes.
 * - `unschedulable`: clusters would do but have no room; the binding stays as it is and is tried again later.
 * - `error`: the constraints cannot be met with the clusters there are (reason SchedulerError); retried with back-off.
 */
export type Outcome =
  | { readonly type: 'scheduled'; readonly message: string }
  | { readonly type: 'noClusterFit'; readonly message: string }
  | { readonly type: 'unschedulable'; readonly message: string }
  | { readonly type: 'error'; readonly message: string };
