import type { Pod } from '#gen/kube/types.ts';
import type { Clock } from '#base/clock.ts';
import type { ClusterView } from '../cluster-view.ts';
import { controllerOf } from '../owners.ts';
import { isPodReady } from '../workload/pod-state.ts';
import { containerUsage, plus, SYSTEM, type Usage } from './usage.ts';

/** Measures what runs. */
export interface PodMeter {
  /** By container; undefined for a pod that does not run. */
  readonly pod: (pod: Pod) => ReadonlyMap<string, Usage> | undefined;
  readonly node: (name: string) => Usage;
}

export function podMeter(view: ClusterView, clock: Clock): PodMeter {
  /** A load is shared by those who are ready to carry it. */
  function siblingsOf(pod: Pod): number {
    const owner = controllerOf(pod);
    return owner ? view.pods.ownedBy(owner.uid).filter(isPodReady).length : 1;
  }

  const measure = (pod: Pod) =>
    pod.status?.phase === 'Running' ? containerUsage(pod, siblingsOf(pod), clock.now()) : undefined;
  return {
    pod: measure,
    node: (name) =>
      view
        .podsOn(name)
        .flatMap((pod) => [...(measure(pod)?.values() ?? [])])
        .reduce(plus, SYSTEM),
  };
}
