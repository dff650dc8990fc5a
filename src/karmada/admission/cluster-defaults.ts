/** What a Cluster gets that its author left out: node grades, zones for a zone, times of NoExecute taints. */
import { type Clock, rfc3339 } from '#base/clock.ts';
import type { Draft } from '#base/json.ts';
import type { Cluster, ResourceModel } from '#karmada/apis/index.ts';

/** What Go prints for the largest 64-bit integer: "no upper bound". */
export const UNBOUNDED = '9223372036854775807';

const CPU = ['0', '1', '2', '4', '8', '16', '32', '64', '128', UNBOUNDED] as const;
const MEMORY = ['0', '4Gi', '16Gi', '32Gi', '64Gi', '128Gi', '256Gi', '512Gi', '1Ti', UNBOUNDED] as const;

/** Nine grades of nodes, from "less than one core" to "128 cores and more". */
export function defaultResourceModels(): Draft<ResourceModel>[] {
  return CPU.slice(0, -1).map((min, grade) => ({
    grade,
    ranges: [
      { name: 'cpu', min, max: CPU[grade + 1] ?? UNBOUNDED },
      { name: 'memory', min: MEMORY[grade] ?? '0', max: MEMORY[grade + 1] ?? UNBOUNDED },
    ],
  }));
}

export function defaultCluster(cluster: Draft<Cluster>, operation: 'CREATE' | 'UPDATE', clock: Clock): void {
  const { spec } = cluster;
  if (operation === 'CREATE' && !spec.resourceModels?.length) spec.resourceModels = defaultResourceModels();
  else standardize(spec.resourceModels ?? []);
  if (spec.zone && !spec.zones?.length) {
    spec.zones = [spec.zone];
    delete spec.zone;
  }
  // Served by Go upstream, where an empty list is no list.
  if (spec.taints?.length === 0) delete spec.taints;
  for (const taint of spec.taints ?? []) {
    if (taint.effect === 'NoExecute') taint.timeAdded ??= rfc3339(clock.now());
  }
}

/** In order of grade, from nothing to no upper bound, whatever was written at the two ends. */
function standardize(models: Draft<ResourceModel>[]): void {
  models.sort((a, b) => a.grade - b.grade);
  for (const range of models[0]?.ranges ?? []) range.min = '0';
  for (const range of models.at(-1)?.ranges ?? []) range.max = UNBOUNDED;
}
