/**
 * A cluster that leaves without its member: when it is no longer waited for, and what is then left in the member.
 *
 * Nobody should have to find out later what an unreachable member still runs, so the list is written down before the
 * Works that know it go: in a ConfigMap that outlives the Cluster, one object a line. Pure.
 */
import { APPLIED, type Cluster, NAMESPACES, READY, type Work } from '#karmada/apis/index.ts';
import { findCondition, isConditionTrue } from '#kube/meta/condition.ts';
import type { KubeObject } from '#kube/meta/object.ts';

/** On a Cluster: let it go at once, whatever its member holds. */
export const FORCE_UNJOIN = 'cluster.kairship.io/force-unjoin';
/** On the ConfigMap: the cluster it reports of. */
export const UNJOIN_REPORT = 'cluster.kairship.io/unjoin-report';
/** How long a member that answers may take to give up what was put there. */
export const DEFAULT_UNJOIN_GRACE_MS = 300_000;
/** Well below what an object may weigh. */
const MOST_BYTES = 900_000;

/** Why a leaving cluster is no longer waited for; undefined while it is. */
export function abandonedBecause(cluster: Cluster, now: number, graceMs: number): string | undefined {
  const { annotations = {}, deletionTimestamp } = cluster.metadata;
  if (annotations[FORCE_UNJOIN] === 'true') return 'forced by annotation';
  const ready = findCondition(cluster.status?.conditions, READY.type);
  if (ready?.status !== 'True') return `the member is not ready: ${ready?.message ?? 'it was never seen'}`;
  const waited = now - Date.parse(deletionTimestamp ?? '');
  return waited > graceMs ? `it could not be cleared within ${Math.round(graceMs / 1000)} s` : undefined;
}

/** One line an object: apiVersion, kind, namespace/name; `preserved` where it was meant to stay. */
export function leftBehind(works: readonly Work[]): readonly string[] {
  return works
    .filter(({ status }) => isConditionTrue(status?.conditions, APPLIED.type) || status?.manifestStatuses !== undefined)
    .flatMap(({ spec }) => (spec.workload?.manifests ?? []).map((each) => line(each, spec.preserveResourcesOnDeletion)))
    .sort();
}

function line({ apiVersion, kind, metadata }: KubeObject, preserved: boolean | undefined): string {
  const name = metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`;
  return [apiVersion, kind, name, ...(preserved ? ['preserved'] : [])].join(' ');
}

export interface UnjoinReport extends KubeObject {
  readonly data: Readonly<Record<string, string>>;
}

export function unjoinReport(
  { metadata, spec }: Cluster,
  facts: { readonly because: string; readonly objects: readonly string[]; readonly at: string },
  before?: UnjoinReport,
): UnjoinReport {
  const { name, uid = '' } = metadata;
  // Written in several steps when somebody stopped us in between.
  const known = before?.data['uid'] === uid ? (before.data['objects'] ?? '').split('\n').filter(Boolean) : [];
  const objects = [...new Set([...known, ...facts.objects])].sort();
  return {
    ...before,
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      ...before?.metadata,
      name: `unjoin-report-${name}`,
      namespace: NAMESPACES.cluster,
      labels: { [UNJOIN_REPORT]: name },
    },
    data: {
      cluster: name,
      uid,
      ...(spec.id ? { id: spec.id } : {}),
      ...(spec.apiEndpoint ? { apiEndpoint: spec.apiEndpoint } : {}),
      because: facts.because,
      at: facts.at,
      total: String(objects.length),
      objects: shortened(objects),
    },
  };
}

/** Whether the same was reported of the same cluster before: who was interrupted after it need not tell it again. */
export function isReported(before: UnjoinReport | undefined, { data }: UnjoinReport): boolean {
  return before !== undefined && ['uid', 'because', 'objects'].every((field) => before.data[field] === data[field]);
}

function shortened(lines: readonly string[]): string {
  let bytes = 0;
  const fits = lines.findIndex((each) => (bytes += Buffer.byteLength(each) + 1) > MOST_BYTES);
  return (fits < 0 ? lines : lines.slice(0, fits)).join('\n');
}
