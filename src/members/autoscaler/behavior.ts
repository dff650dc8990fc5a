/**
 * How fast an autoscaler may follow what its metrics ask for. Pure.
 *
 * As Kubernetes: the most careful recommendation of the stabilization window counts (300 seconds on the way down, none on
 * the way up unless told otherwise), and policies limit how much may change within a period.
 */
import type { HPAScalingPolicy, HPAScalingRules, HorizontalPodAutoscalerBehavior } from '#gen/kube/types.ts';

export interface Recommended {
  readonly at: number;
  readonly replicas: number;
}

/** A change that was made, by how much. */
export interface Rescaled {
  readonly at: number;
  readonly change: number;
}

export interface History {
  readonly recommended: readonly Recommended[];
  readonly rescaled: readonly Rescaled[];
}

export interface Limited {
  readonly replicas: number;
  /** What kept it from the recommendation. */
  readonly by?:
    | 'ScaleUpStabilized'
    | 'ScaleDownStabilized'
    | 'ScaleUpLimit'
    | 'ScaleDownLimit'
    | 'TooManyReplicas'
    | 'TooFewReplicas';
}

const UP: Required<Omit<HPAScalingRules, 'tolerance'>> = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};
const DOWN: typeof UP = {
  stabilizationWindowSeconds: 300,
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
};

export function limitedBy(
  behavior: HorizontalPodAutoscalerBehavior | undefined,
  bounds: { readonly min: number; readonly max: number },
  current: number,
  recommended: number,
  history: History,
  now: number,
): Limited {
  const up = { ...UP, ...behavior?.scaleUp };
  const down = { ...DOWN, ...behavior?.scaleDown };
  const stable = stabilized(up, down, current, recommended, history, now);
  const rated = rateLimited(stable.replicas > current ? up : down, current, stable.replicas, history, now);
  const limited: Limited =
    rated === stable.replicas ? stable : { replicas: rated, by: stable.replicas > current ? UP_LIMIT : DOWN_LIMIT };
  if (limited.replicas > bounds.max) return { replicas: bounds.max, by: 'TooManyReplicas' };
  if (limited.replicas < bounds.min) return { replicas: bounds.min, by: 'TooFewReplicas' };
  return limited;
}

const UP_LIMIT = 'ScaleUpLimit';
const DOWN_LIMIT = 'ScaleDownLimit';

/** Never higher than the lowest, never lower than the highest of the recommendations of the window. */
function stabilized(
  up: typeof UP,
  down: typeof DOWN,
  current: number,
  recommended: number,
  { recommended: before }: History,
  now: number,
): Limited {
  const within = (seconds: number) =>
    before.filter(({ at }) => at > now - seconds * 1000).map(({ replicas }) => replicas);
  const least = Math.min(recommended, ...within(up.stabilizationWindowSeconds));
  const most = Math.max(recommended, ...within(down.stabilizationWindowSeconds));
  const replicas = current < least ? least : current > most ? most : current;
  if (replicas === recommended) return { replicas };
  return { replicas, by: recommended > replicas ? 'ScaleUpStabilized' : 'ScaleDownStabilized' };
}

function rateLimited(rules: typeof UP, current: number, wanted: number, { rescaled }: History, now: number): number {
  if (wanted === current) return wanted;
  const isUp = wanted > current;
  if (rules.selectPolicy === 'Disabled') return current;
  const limits = rules.policies.map((policy) => limitOf(policy, isUp, current, rescaled, now));
  if (limits.length === 0) return wanted;
  // The policy that allows the most change is the one furthest away from here.
  const allowed = (rules.selectPolicy === 'Min') === isUp ? Math.min(...limits) : Math.max(...limits);
  return isUp ? Math.max(current, Math.min(wanted, allowed)) : Math.min(current, Math.max(wanted, allowed));
}

function limitOf(
  { type, value, periodSeconds }: HPAScalingPolicy,
  isUp: boolean,
  current: number,
  rescaled: readonly Rescaled[],
  now: number,
): number {
  const changed = rescaled
    .filter(({ at, change }) => at > now - periodSeconds * 1000 && change > 0 === isUp)
    .reduce((sum, { change }) => sum + change, 0);
  const start = current - changed;
  if (type === 'Pods') return isUp ? start + value : start - value;
  return isUp ? Math.ceil(start * (1 + value / 100)) : Math.ceil(start * (1 - value / 100));
}
