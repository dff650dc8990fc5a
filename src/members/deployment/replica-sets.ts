/** A Deployment's ReplicaSets: which one is of its template, and what the Deployment writes into them. Pure. */
import type { Deployment, PodTemplateSpec, ReplicaSet } from '#gen/kube/types.ts';
import { jsonEqual } from '#base/json.ts';
import { defined } from '../defined.ts';
import { controlledBy, namespaceOf } from '../owners.ts';
import { intOrPercent } from '../workload/int-or-percent.ts';
import { contentHash } from '../workload/template-hash.ts';

export const REVISION = 'deployment.kubernetes.io/revision';
export const HASH_LABEL = 'pod-template-hash';
const REVISION_HISTORY = 'deployment.kubernetes.io/revision-history';
const DESIRED_REPLICAS = 'deployment.kubernetes.io/desired-replicas';
const MAX_REPLICAS = 'deployment.kubernetes.io/max-replicas';
const NOT_COPIED = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deprecated.deployment.rollback.to',
  REVISION,
  REVISION_HISTORY,
  DESIRED_REPLICAS,
  MAX_REPLICAS,
]);
/** Characters of a revision history; the oldest go first. */
const HISTORY_LENGTH = 2000;
const NAME_LENGTH = 253;

export interface ReplicaSets {
  /** The set of the current template; the oldest, should there be several. */
  readonly current?: ReplicaSet;
  /** All others, oldest first. */
  readonly old: readonly ReplicaSet[];
}

export function sortReplicaSets(deployment: Deployment, sets: readonly ReplicaSet[]): ReplicaSets {
  const byAge = sets.toSorted(olderFirst);
  const current = byAge.find((set) => isOfTemplate(set, deployment.spec?.template));
  return { ...defined({ current }), old: byAge.filter((set) => set !== current) };
}

/** Templates are compared whole, because how they are hashed may change from one version to the next. */
export function isOfTemplate(set: ReplicaSet, template: PodTemplateSpec | undefined): boolean {
  return jsonEqual(withoutHash(set.spec?.template), withoutHash(template));
}

function withoutHash(template: PodTemplateSpec | undefined): unknown {
  const labels: Record<string, string> = { ...template?.metadata?.labels };
  delete labels[HASH_LABEL];
  return { ...template, metadata: { ...template?.metadata, labels } };
}

export function templateHash({ spec, status }: Deployment): string {
  return contentHash(spec?.template, status?.collisionCount);
}

/** The set of a template that has none yet. */
export function newReplicaSet(deployment: Deployment, replicas: number, revision: number): ReplicaSet {
  const { template, selector, minReadySeconds } = deployment.spec ?? { selector: {}, template: {} };
  const hash = templateHash(deployment);
  const labels = { ...template.metadata?.labels, [HASH_LABEL]: hash };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${deployment.metadata.name.slice(0, NAME_LENGTH - 1 - hash.length)}-${hash}`,
      namespace: namespaceOf(deployment),
      labels,
      annotations: { ...copiedAnnotations(deployment), [REVISION]: String(revision), ...sizeAnnotations(deployment) },
      ownerReferences: [controlledBy(deployment)],
    },
    spec: {
      replicas,
      ...defined({ minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [HASH_LABEL]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
}

/** The current set as it should be noted: newest revision, the Deployment's annotations; itself if it is so already. */
export function renewed(deployment: Deployment, current: ReplicaSet, old: readonly ReplicaSet[]): ReplicaSet {
  const before = revisionOf(current);
  const revision = maxRevision(old) + 1;
  const outdated = before < revision;
  const annotations = {
    ...current.metadata.annotations,
    ...copiedAnnotations(deployment),
    ...(outdated ? { [REVISION]: String(revision) } : {}),
    ...(outdated && current.metadata.annotations?.[REVISION] !== undefined ? withHistory(current, before) : {}),
  };
  const { minReadySeconds } = deployment.spec ?? {};
  const sameReadiness = (current.spec?.minReadySeconds ?? 0) === (minReadySeconds ?? 0);
  if (sameReadiness && jsonEqual(annotations, current.metadata.annotations ?? {})) return current;
  const spec = { ...(current.spec ?? { selector: {} }), minReadySeconds: minReadySeconds ?? 0 };
  return { ...current, metadata: { ...current.metadata, annotations }, spec };
}

/** A set that is rolled back to keeps the revisions it had before. */
function withHistory(set: ReplicaSet, revision: number): Record<string, string> {
  const history = (set.metadata.annotations?.[REVISION_HISTORY] ?? '').split(',').filter((one) => one !== '');
  const kept = [...history, String(revision)];
  while (kept.join(',').length > HISTORY_LENGTH) kept.shift();
  return { [REVISION_HISTORY]: kept.join(',') };
}

function copiedAnnotations({ metadata }: Deployment): Record<string, string> {
  return Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([key]) => !NOT_COPIED.has(key)));
}

/** A set scaled as part of its Deployment, with the Deployment's size noted on it. */
export function resized(deployment: Deployment, set: ReplicaSet, replicas: number): ReplicaSet {
  const annotations = { ...set.metadata.annotations, ...sizeAnnotations(deployment) };
  return {
    ...set,
    metadata: { ...set.metadata, annotations },
    spec: { ...(set.spec ?? { selector: {} }), replicas },
  };
}

function sizeAnnotations(deployment: Deployment): Record<string, string> {
  const desired = replicasOf(deployment);
  return { [DESIRED_REPLICAS]: String(desired), [MAX_REPLICAS]: String(desired + boundsOf(deployment).surge) };
}

/** How large the Deployment was when the set was last scaled; undefined when that was not noted. */
export function notedSize(set: ReplicaSet): { readonly desired?: number; readonly max?: number } {
  return defined({ desired: noted(set, DESIRED_REPLICAS), max: noted(set, MAX_REPLICAS) });
}

function noted({ metadata }: ReplicaSet, annotation: string): number | undefined {
  const value = metadata.annotations?.[annotation];
  return value !== undefined && /^\d+$/.test(value) ? Number(value) : undefined;
}

/** How many pods may be too many, and how many unavailable, while a rollout goes on. */
export function boundsOf(deployment: Deployment): { readonly surge: number; readonly unavailable: number } {
  const desired = replicasOf(deployment);
  if (isRecreate(deployment)) return { surge: 0, unavailable: 0 };
  const { maxSurge = '25%', maxUnavailable = '25%' } = deployment.spec?.strategy?.rollingUpdate ?? {};
  const surge = intOrPercent(maxSurge, desired, 'up');
  const unavailable = intOrPercent(maxUnavailable, desired, 'down');
  // Both zero would never move; Kubernetes then lets one pod be missing.
  const atLeastOne = surge === 0 && unavailable === 0 ? 1 : unavailable;
  return { surge, unavailable: Math.min(atLeastOne, desired) };
}

export const isRecreate = (deployment: Deployment) => deployment.spec?.strategy?.type === 'Recreate';
export const replicasOf = (deployment: Deployment) => deployment.spec?.replicas ?? 1;
export const wanted = (set: ReplicaSet) => set.spec?.replicas ?? 0;
export const available = (set: ReplicaSet) => set.status?.availableReplicas ?? 0;
export const total = (sets: readonly ReplicaSet[]) => sets.reduce((sum, set) => sum + wanted(set), 0);
export const isRunning = (set: ReplicaSet) => wanted(set) > 0;
export const revisionOf = (set: ReplicaSet) => Number(set.metadata.annotations?.[REVISION] ?? 0) || 0;
export const maxRevision = (sets: readonly ReplicaSet[]) => Math.max(0, ...sets.map(revisionOf));

export function olderFirst(a: ReplicaSet, b: ReplicaSet): number {
  const [mine, other] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? ''];
  return mine === other ? (a.metadata.name < b.metadata.name ? -1 : 1) : mine < other ? -1 : 1;
}
