/** The tolerations a binding was scheduled with. */
import { ANNOTATIONS, type AnyBinding, type Placement, type Toleration } from '#karmada/apis/index.ts';

/**
 * From the placement the scheduler applied, not from the one that is wanted now: until it has answered to that, a
 * workload is judged by what it was placed with. Undefined when it was never scheduled, or the annotation was broken.
 */
export function appliedTolerations({ metadata }: AnyBinding): readonly Toleration[] | undefined {
  const text = metadata.annotations?.[ANNOTATIONS.appliedPlacement];
  if (!text) return undefined;
  try {
    return (JSON.parse(text) as Placement | null)?.clusterTolerations ?? [];
  } catch {
    return undefined;
  }
}
