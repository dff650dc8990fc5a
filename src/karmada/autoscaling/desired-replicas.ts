/**
 * The autoscaler: how many replicas a workload should have in all its members together, and why. Pure.
 *
 *     readings → a proposal of each metric → the highest → stabilised → limited
 *
 * The algorithm, conditions and reasons are those of Kubernetes' HorizontalPodAutoscaler on the sum of the members, as
 * karmada v1.18 pkg/controllers/federatedhpa has it. A metric that cannot be read never scales anything down: it is
 * passed by when the others ask for more, and otherwise everything stays as it is. Start at {@link desiredReplicas}.
 */
import type { MetricStatus } from '#gen/kube/types.ts';
import type { EventReason, FederatedHpa } from '#karmada/apis/index.ts';
import type { NewCondition } from '#kube/meta/condition.ts';
import { parseQuantity } from '#kube/meta/quantity.ts';
import { type Evaluation, evaluateMetric, type Reading } from './evaluate-metric.ts';
import type { Sizing } from './metric-replicas.ts';
import type { PodView } from './pod-view.ts';
import { type Limits, limited, type ScalingHistory, stabilized, withRecommendation } from './scaling-limits.ts';

export interface ScalingOptions {
  /** `--horizontal-pod-autoscaler-tolerance`. Default: 0.1. */
  readonly tolerance?: number;
  /** `--horizontal-pod-autoscaler-cpu-initialization-period`. Default: five minutes. */
  readonly cpuInitializationMs?: number;
  /** `--horizontal-pod-autoscaler-initial-readiness-delay`. Default: 30 s. */
  readonly initialReadinessMs?: number;
  /** `--horizontal-pod-autoscaler-downscale-stabilization`. Default: five minutes. */
  readonly downscaleStabilizationMs?: number;
}

export const SCALING_DEFAULTS = {
  tolerance: 0.1,
  cpuInitializationMs: 300_000,
  initialReadinessMs: 30_000,
  downscaleStabilizationMs: 300_000,
} as const satisfies Required<ScalingOptions>;

export interface ScalingInput {
  readonly namespace: string;
  readonly spec: FederatedHpa['spec'];
  /** Of the template. */
  readonly current: number;
  /** How much of the whole the members that answer have, and how many replicas they report. */
  readonly members: { readonly share: number; readonly statusReplicas: number };
  readonly pods: readonly PodView[];
  /** For each metric of the spec, in its order. */
  readonly readings: readonly Reading[];
  readonly history: ScalingHistory;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly options?: ScalingOptions;
}

export interface ScalingDecision {
  readonly desired: number;
  /** Nothing could be said: what was said before about metrics and replicas stands. */
  readonly undecided?: boolean;
  /** In the words of the event; absent when nothing changes. */
  readonly reason?: string;
  readonly conditions: readonly NewCondition[];
  /** Absent when the metrics were not looked at. */
  readonly currentMetrics?: readonly MetricStatus[];
  readonly history: ScalingHistory;
  /** Metrics that could not be read, in the words of Kubernetes. */
  readonly error?: string;
  readonly failures: readonly { readonly reason: EventReason; readonly message: string }[];
  /** How the number came about, step by step, for people. */
  readonly steps: readonly string[];
}

const GOT_SCALE: NewCondition = {
  type: 'AbleToScale',
  status: 'True',
  reason: 'SucceededGetScale',
  message: "the HPA controller was able to get the target's current scale",
};
const DISABLED: NewCondition = {
  type: 'ScalingActive',
  status: 'False',
  reason: 'ScalingDisabled',
  message: 'scaling is disabled since the replica count of the target is zero',
};

export function desiredReplicas(input: ScalingInput): ScalingDecision {
  const { spec, current, now } = input;
  const min = spec.minReplicas ?? 1;
  const options = { ...SCALING_DEFAULTS, ...input.options };
  const { downscaleStabilizationMs } = options;
  const limits = { min, max: spec.maxReplicas, downscaleStabilizationMs, ...behaviorOf(spec) };
  // Before anything else is known, what there is counts as recommended: a restart scales nothing down.
  const history =
    input.history.recommendations.length > 0 ? input.history : withRecommendation(input.history, current, limits, now);
  const base = { conditions: [GOT_SCALE], history, failures: [] };
  if (current === 0 && min !== 0) {
    return { ...base, desired: 0, conditions: [GOT_SCALE, DISABLED], steps: ['it has been scaled to zero by hand'] };
  }
  if (current > limits.max)
    return { ...base, desired: limits.max, ...outOfBounds('above Spec.MaxReplicas', limits.max) };
  if (current < min) return { ...base, desired: min, ...outOfBounds('below Spec.MinReplicas', min) };
  return byMetrics({ ...input, history, options }, limits);
}

function behaviorOf({ behavior }: FederatedHpa['spec']): Pick<Limits, 'behavior'> {
  return behavior ? { behavior } : {};
}

function outOfBounds(where: string, bound: number): Pick<ScalingDecision, 'reason' | 'steps'> {
  const reason = `Current number of replicas ${where}`;
  return { reason, steps: [`${reason}: ${bound}`] };
}

function byMetrics(
  input: ScalingInput & { readonly options: Required<ScalingOptions> },
  limits: Limits,
): ScalingDecision {
  const { spec, current, history, now } = input;
  const sizing = sizingOf(input);
  const evaluations = (spec.metrics ?? []).map((metric, at) =>
    evaluateMetric(metric, input.readings[at] ?? NOT_READ, { ...sizing, namespace: input.namespace }),
  );
  const { best, failed, error } = judged(evaluations, current);
  const failures = failed.map(({ reason, failure }) => ({ reason, message: failure }));
  const steps = evaluations.map(stepOf);
  if (!best) {
    const conditions = [GOT_SCALE, inactive(failed[0])];
    return { desired: current, undecided: true, conditions, history, failures, steps, ...error };
  }
  const stable = stabilized(best.replicas, current, limits, history, now);
  const final = limited(stable.replicas, current, limits, history, now);
  return {
    desired: final.replicas,
    ...reasonOf(best, current),
    conditions: [
      { type: 'AbleToScale', status: 'True', reason: stable.reason, message: stable.message },
      active(best.metric, input.readings),
      {
        type: 'ScalingLimited',
        status: final.replicas === stable.replicas ? 'False' : 'True',
        reason: final.reason,
        message: final.message,
      },
    ],
    currentMetrics: evaluations.map((each) => ('status' in each ? each.status : { type: '' })),
    history: withRecommendation(history, best.replicas, limits, now),
    failures,
    steps: [
      ...steps,
      `stabilised to ${stable.replicas}: ${stable.message}`,
      `limited to ${final.replicas}: ${final.message}`,
    ],
    ...error,
  };
}

const NOT_READ: Reading = { type: 'failed', message: 'it was not asked for' };

function sizingOf(input: ScalingInput & { readonly options: Required<ScalingOptions> }): Sizing {
  const { current, members, pods, now, options, spec } = input;
  const tolerance = (given: string | undefined) =>
    given === undefined ? options.tolerance : Number(parseQuantity(given).nanos) / 1e9;
  return {
    now,
    current,
    pods,
    statusReplicas: members.statusReplicas,
    calibration: members.share,
    tolerance: {
      up: tolerance(spec.behavior?.scaleUp?.tolerance),
      down: tolerance(spec.behavior?.scaleDown?.tolerance),
    },
    cpuInitializationMs: options.cpuInitializationMs,
    initialReadinessMs: options.initialReadinessMs,
  };
}

type Good = Exclude<Evaluation, { readonly failure: string }>;
type Bad = Extract<Evaluation, { readonly failure: string }>;

/** `best` is absent when nothing may be decided: all failed, or some did and the others would scale down. */
function judged(
  evaluations: readonly Evaluation[],
  current: number,
): { readonly best?: Good; readonly failed: readonly Bad[]; readonly error?: { readonly error: string } } {
  const failed = evaluations.flatMap((each) => ('failure' in each ? [each] : []));
  const good = evaluations.flatMap((each) => ('failure' in each ? [] : [each]));
  const best = good.reduce<Good | undefined>((a, b) => (a && a.replicas >= b.replicas ? a : b), undefined);
  const count = `${failed.length} invalid out of ${evaluations.length}`;
  const error = failed[0] ? { error: { error: `invalid metrics (${count}), first error is: ${failed[0].error}` } } : {};
  const mayDecide = best && (failed.length === 0 || best.replicas >= current);
  return { ...(mayDecide ? { best } : {}), failed, ...error };
}

function reasonOf(best: Good, current: number): Pick<ScalingDecision, 'reason'> {
  if (best.replicas > current) return { reason: `${best.metric} above target` };
  return best.replicas < current ? { reason: 'All metrics below target' } : {};
}

function stepOf(evaluation: Evaluation): string {
  if ('failure' in evaluation) return `${evaluation.reason}: ${evaluation.failure}`;
  return `${evaluation.metric}: ${evaluation.because} → ${evaluation.replicas}`;
}

function active(metric: string, readings: readonly Reading[]): NewCondition {
  const silent = readings.flatMap((reading) => (reading.type === 'failed' ? [] : (reading.silent ?? [])));
  const but = silent.length > 0 ? `, without ${[...new Set(silent)].join('; ')}` : '';
  const message = `the HPA was able to successfully calculate a replica count from ${metric}${but}`;
  return { type: 'ScalingActive', status: 'True', reason: 'ValidMetricFound', message };
}

function inactive(first: Bad | undefined): NewCondition {
  const { reason, failure } = first ?? { reason: 'InvalidMetricSourceType', failure: 'no metrics are given' };
  const message = `the HPA was unable to compute the replica count: ${failure}`;
  return { type: 'ScalingActive', status: 'False', reason, message };
}
