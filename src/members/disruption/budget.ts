/** How many pods of a budget may be disrupted. Pure. */
import type { Pod, PodDisruptionBudget, PodDisruptionBudgetStatus } from '#gen/kube/types.ts';
import { rfc3339 } from '#base/clock.ts';
import { setCondition } from '#kube/meta/condition.ts';
import type { Condition } from '#kube/meta/object.ts';
import { defined } from '../defined.ts';
import { intOrPercent } from '../workload/int-or-percent.ts';
import { isActive, isPodReady } from '../workload/pod-state.ts';

/** How long an eviction that was allowed may take before it counts no more. */
export const DISRUPTION_MS = 120_000;

/** `scale` is how many pods their controllers want. */
export function budgetStatus(
  budget: PodDisruptionBudget,
  pods: readonly Pod[],
  scale: number,
  now: number,
): PodDisruptionBudgetStatus {
  const disruptedPods = stillLeaving(budget, pods, now);
  const healthy = pods.filter(
    (pod) => isActive(pod) && isPodReady(pod) && disruptedPods[pod.metadata.name] === undefined,
  ).length;
  const { minAvailable, maxUnavailable = 0 } = budget.spec ?? {};
  const expectedPods = typeof minAvailable === 'number' ? pods.length : scale;
  const desiredHealthy =
    minAvailable === undefined
      ? Math.max(0, expectedPods - intOrPercent(maxUnavailable, expectedPods, 'up'))
      : intOrPercent(minAvailable, expectedPods, 'up');
  const disruptionsAllowed = expectedPods > 0 ? Math.max(0, healthy - desiredHealthy) : 0;
  const enough = disruptionsAllowed > 0;
  const condition = {
    type: 'DisruptionAllowed',
    status: enough ? 'True' : 'False',
    reason: enough ? 'SufficientPods' : 'InsufficientPods',
    message: '',
    ...defined({ observedGeneration: budget.metadata.generation }),
  } as const;
  return {
    ...defined({ observedGeneration: budget.metadata.generation }),
    ...(Object.keys(disruptedPods).length > 0 ? { disruptedPods } : {}),
    disruptionsAllowed,
    currentHealthy: healthy,
    desiredHealthy,
    expectedPods,
    conditions: setCondition(
      budget.status?.conditions as readonly Condition[] | undefined,
      condition,
      rfc3339(now),
    ) as never,
  };
}

/** Pods whose eviction was allowed and which are not yet seen to go. */
function stillLeaving({ status }: PodDisruptionBudget, pods: readonly Pod[], now: number): Record<string, string> {
  const known = new Map(pods.map((pod) => [pod.metadata.name, pod]));
  return Object.fromEntries(
    Object.entries(status?.disruptedPods ?? {}).filter(([name, since]) => {
      const pod = known.get(name);
      return pod && pod.metadata.deletionTimestamp === undefined && Date.parse(since) + DISRUPTION_MS > now;
    }),
  );
}
