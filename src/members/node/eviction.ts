/** How long a pod may stay on a node with taints that do not let it. Pure. */
import type { Pod, Taint } from '#gen/kube/types.ts';
import { isTolerated } from './taints.ts';

/** The moment the pod has to go, in milliseconds; undefined when it may stay. */
export function evictionTime({ spec }: Pod, taints: readonly Taint[] | undefined, now: number): number | undefined {
  const times = (taints ?? [])
    .filter(({ effect }) => effect === 'NoExecute')
    .map((taint) => {
      const tolerations = (spec?.tolerations ?? []).filter((toleration) => isTolerated(toleration, taint));
      if (tolerations.length === 0) return 0;
      // As Kubernetes: of all tolerations that apply, the shortest counts, and one without a limit is no limit.
      const limits = tolerations.map(({ tolerationSeconds }) => tolerationSeconds).filter((one) => one !== undefined);
      const since = Date.parse(taint.timeAdded ?? '') || now;
      return limits.length === 0 ? undefined : since + Math.max(0, Math.min(...limits)) * 1000;
    })
    .filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.min(...times);
}
