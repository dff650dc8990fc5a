/**
 * What every Work carries besides its author's words: a permanent id, and manifests that say whose they are.
 *
 * The binding controller does the same before it writes, so that a second write of an unchanged Work is none.
 */
import type { Ids } from '#base/ids.ts';
import type { Draft } from '#base/json.ts';
import { ANNOTATIONS, LABELS, type Work } from '#karmada/apis/index.ts';
import { denied } from './refusal.ts';
import { prune } from '#karmada/interpreter/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';

export function defaultWork(work: Draft<Work>, ids: Ids): void {
  const labels = { ...work.metadata.labels };
  labels[LABELS.workId] ||= ids.uid();
  work.metadata.labels = labels;
  const workload = work.spec.workload;
  if (!workload?.manifests) return;
  workload.manifests = workload.manifests.map((manifest) => {
    refuseUntyped(manifest);
    const pruned = prune({ ...manifest, metadata: manifest.metadata ?? {} });
    recordManaged(pruned, labels[LABELS.workId]);
    return pruned;
  });
}

/** As the webhook, which cannot read it as an object. */
function refuseUntyped(manifest: Partial<KubeObject>): void {
  if (typeof manifest.kind === 'string' && manifest.kind !== '') return;
  throw denied('work.karmada.io', `Object 'Kind' is missing in '${JSON.stringify(manifest)}'`);
}

/** Notes on the manifest which labels and annotations came from here: only those are ever taken back. */
export function recordManaged(manifest: Draft<KubeObject>, workId: string | undefined): void {
  const annotations = { ...manifest.metadata.annotations };
  const recorded = new Set([...Object.keys(annotations), ANNOTATIONS.managedAnnotations, ANNOTATIONS.managedLabels]);
  annotations[ANNOTATIONS.managedAnnotations] = [...recorded].sort().join(',');
  const labels = { ...manifest.metadata.labels, ...(workId ? { [LABELS.workId]: workId } : {}) };
  annotations[ANNOTATIONS.managedLabels] = Object.keys(labels).sort().join(',');
  manifest.metadata.annotations = annotations;
  if (Object.keys(labels).length > 0) manifest.metadata.labels = labels;
}
