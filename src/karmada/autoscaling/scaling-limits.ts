/**
 * What keeps a number of replicas from being taken at once: bounds, the pace of change, and what was recommended
 * before. Pure; the rules, reasons and messages of Kubernetes' HorizontalPodAutoscaler.
 */
import type { HorizontalPodAutoscalerBehavior, HPAScalingPolicy, HPAScalingRules } from '#gen/kube/types.ts';

/** What an autoscaler has to remember; times in milliseconds since the epoch. */
export interface ScalingHistory {
  readonly recommendations: readonly { readonly at: number; readonly replicas: number }[];
  readonly ups: readonly ScaleEvent[];
  readonly downs: readonly ScaleEvent[];
}

export interface ScaleEvent {
  readonly at: number;
  /** How many replicas came, or went. */
  readonly change: number;
}

export const NO_HISTORY: ScalingHistory = { recommendations: [], ups: [], downs: [] };

export interface Limits {
  readonly min: number;
  readonly max: number;
  readonly behavior?: HorizontalPodAutoscalerBehavior;
  /** Where the behavior does not say how long a recommendation counts against scaling down. */
  readonly downscaleStabilizationMs: number;
}

export interface Limited {
  readonly replicas: number;
  readonly reason: string;
  readonly message: string;
}

const READY: Omit<Limited, 'replicas'> = {
  reason: 'ReadyForNewScale',
  message: 'recommended size matches current size',
};
const UP_STABILIZED = {
  reason: 'ScaleUpStabilized',
  message: 'recent recommendations were lower than current one, applying the lowest recent recommendation',
};
const DOWN_STABILIZED = {
  reason: 'ScaleDownStabilized',
  message: 'recent recommendations were higher than current one, applying the highest recent recommendation',
};

/** The most cautious of the recommendations that still count; the wanted one is among them. */
export function stabilized(
  wanted: number,
  current: number,
  limits: Limits,
  { recommendations }: ScalingHistory,
  now: number,
): Limited {
  const within = (ms: number) => recommendations.filter(({ at }) => at > now - ms).map(({ replicas }) => replicas);
  const { upMs, downMs } = windowsOf(limits);
  const highest = Math.max(wanted, ...within(downMs));
  // Without a behavior only scaling down is held back; a pace for scaling up is in the bounds.
  const lowest = limits.behavior ? Math.min(wanted, ...within(upMs)) : wanted;
  const replicas = limits.behavior ? Math.min(Math.max(current, lowest), highest) : highest;
  if (replicas === wanted) return { replicas, ...READY };
  const isUp = limits.behavior !== undefined && wanted >= current;
  return { replicas, ...(isUp ? UP_STABILIZED : DOWN_STABILIZED) };
}

/** How long a recommendation counts against scaling up, and down. */
function windowsOf({ behavior, downscaleStabilizationMs }: Limits): { readonly upMs: number; readonly downMs: number } {
  const down = behavior?.scaleDown?.stabilizationWindowSeconds;
  return {
    upMs: (behavior?.scaleUp?.stabilizationWindowSeconds ?? 0) * 1_000,
    downMs: down === undefined ? downscaleStabilizationMs : down * 1_000,
  };
}

/** Within the bounds and the pace allowed. */
export function limited(
  wanted: number,
  current: number,
  limits: Limits,
  history: ScalingHistory,
  now: number,
): Limited {
  const { min, max, behavior } = limits;
  if (!behavior) return withoutBehavior(wanted, current, min, max);
  if (wanted > current) {
    const pace = Math.max(current, upLimit(current, behavior.scaleUp ?? {}, history, now));
    if (wanted <= Math.min(max, pace)) return { replicas: wanted, ...IN_RANGE };
    return max > pace ? { replicas: pace, ...UP_LIMIT } : { replicas: max, ...TOO_MANY };
  }
  if (wanted < current) {
    const pace = Math.min(current, downLimit(current, behavior.scaleDown ?? {}, history, now));
    if (wanted >= Math.max(min, pace)) return { replicas: wanted, ...IN_RANGE };
    return min < pace ? { replicas: pace, ...DOWN_LIMIT } : { replicas: min, ...TOO_FEW };
  }
  return { replicas: wanted, ...IN_RANGE };
}

/** At most twice as many at a time, or four. */
function withoutBehavior(wanted: number, current: number, min: number, max: number): Limited {
  if (wanted < min) return { replicas: min, ...TOO_FEW };
  const pace = Math.max(2 * current, 4);
  if (wanted <= Math.min(max, pace)) return { replicas: wanted, ...IN_RANGE };
  return max > pace ? { replicas: pace, ...UP_LIMIT } : { replicas: max, ...TOO_MANY };
}

const IN_RANGE = { reason: 'DesiredWithinRange', message: 'the desired count is within the acceptable range' };
const TOO_FEW = {
  reason: 'TooFewReplicas',
  message: 'the desired replica count is less than the minimum replica count',
};
const TOO_MANY = {
  reason: 'TooManyReplicas',
  message: 'the desired replica count is more than the maximum replica count',
};
const UP_LIMIT = {
  reason: 'ScaleUpLimit',
  message: 'the desired replica count is increasing faster than the maximum scale rate',
};
const DOWN_LIMIT = {
  reason: 'ScaleDownLimit',
  message: 'the desired replica count is decreasing faster than the maximum scale rate',
};

function upLimit(current: number, rules: HPAScalingRules, history: ScalingHistory, now: number): number {
  if (rules.selectPolicy === 'Disabled') return current;
  const limits = (rules.policies ?? []).map((policy) => {
    const start = startOf(policy, current, history, now);
    // Rounded up, or a small percentage of few replicas would never add one.
    return policy.type === 'Percent' ? Math.ceil(start * (1 + policy.value / 100)) : start + policy.value;
  });
  return rules.selectPolicy === 'Min' ? Math.min(...limits) : Math.max(...limits);
}

function downLimit(current: number, rules: HPAScalingRules, history: ScalingHistory, now: number): number {
  if (rules.selectPolicy === 'Disabled') return current;
  const limits = (rules.policies ?? []).map((policy) => {
    const start = startOf(policy, current, history, now);
    return policy.type === 'Percent' ? Math.trunc(start * (1 - policy.value / 100)) : start - policy.value;
  });
  return rules.selectPolicy === 'Min' ? Math.max(...limits) : Math.min(...limits);
}

/** The replicas at the beginning of the policy's period. */
function startOf({ periodSeconds }: HPAScalingPolicy, current: number, { ups, downs }: ScalingHistory, now: number) {
  const changed = (events: readonly ScaleEvent[]) =>
    events.filter(({ at }) => at > now - periodSeconds * 1_000).reduce((sum, { change }) => sum + change, 0);
  return current - changed(ups) + changed(downs);
}

/** The history with a recommendation; what counts no longer is forgotten. */
export function withRecommendation(
  history: ScalingHistory,
  replicas: number,
  limits: Limits,
  now: number,
): ScalingHistory {
  const { upMs, downMs } = windowsOf(limits);
  const since = now - Math.max(upMs, downMs);
  const recommendations = [...history.recommendations.filter(({ at }) => at >= since), { at: now, replicas }];
  return { ...history, recommendations };
}

/** The history after the replicas have been changed; only a behavior needs to know. */
export function withScale(
  history: ScalingHistory,
  before: number,
  after: number,
  { behavior }: Pick<Limits, 'behavior'>,
  now: number,
): ScalingHistory {
  if (!behavior || before === after) return history;
  const event = { at: now, change: Math.abs(after - before) };
  const all = [...(behavior.scaleUp?.policies ?? []), ...(behavior.scaleDown?.policies ?? [])];
  const since = now - Math.max(0, ...all.map(({ periodSeconds }) => periodSeconds)) * 1_000;
  const [ups, downs] = [history.ups, history.downs].map((events) => events.filter(({ at }) => at >= since));
  const isUp = after > before;
  return {
    ...history,
    ups: [...(ups ?? []), ...(isUp ? [event] : [])],
    downs: [...(downs ?? []), ...(isUp ? [] : [event])],
  };
}
