/** What an autoscaler says of itself. Pure. */
import type {
  AutoscalingV2HorizontalPodAutoscaler as Autoscaler,
  HorizontalPodAutoscalerCondition as AutoscalerCondition,
} from '#gen/kube/types.ts';
import { setCondition } from '#kube/meta/condition.ts';
import type { Condition } from '#kube/meta/object.ts';
import type { Limited } from './behavior.ts';

export interface Saying {
  readonly type: 'AbleToScale' | 'ScalingActive' | 'ScalingLimited';
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

export function withConditions(
  { status }: Autoscaler,
  sayings: readonly Saying[],
  at: string,
): readonly AutoscalerCondition[] {
  return sayings.reduce<readonly Condition[]>(
    (conditions, saying) => setCondition(conditions, saying, at),
    (status?.conditions ?? []) as readonly Condition[],
  );
}

export function limitation({ by }: Limited): Saying {
  const say = (status: 'True' | 'False', reason: string, message: string): Saying => {
    return { type: 'ScalingLimited', status, reason, message };
  };
  switch (by) {
    case 'TooManyReplicas':
      return say('True', by, 'the desired replica count is more than the maximum replica count');
    case 'TooFewReplicas':
      return say('True', by, 'the desired replica count is less than the minimum replica count');
    case 'ScaleUpLimit':
      return say('True', by, 'the desired replica count is increasing faster than the maximum scale rate');
    case 'ScaleDownLimit':
      return say('True', by, 'the desired replica count is decreasing faster than the maximum scale rate');
    default:
      return say('False', 'DesiredWithinRange', 'the desired count is within the acceptable range');
  }
}

export function ability({ by }: Limited): Saying {
  const say = (reason: string, message: string): Saying => ({ type: 'AbleToScale', status: 'True', reason, message });
  if (by === 'ScaleUpStabilized')
    return say(by, 'recent recommendations were lower than current one, applying the lowest recent recommendation');
  if (by === 'ScaleDownStabilized')
    return say(by, 'recent recommendations were higher than current one, applying the highest recent recommendation');
  return say('ReadyForNewScale', 'recommended size matches current size');
}
