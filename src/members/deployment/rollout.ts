/**
 * How a Deployment moves from one set of pods to the next: pure arithmetic over the Deployment and its ReplicaSets.
 *
 * {@link planRollout} answers the next step only (which ReplicaSet to make, which to scale, which to forget) and the
 * status to report; called again after each change, it walks the whole rollout. The rules are Kubernetes':
 * never more than `replicas + maxSurge` pods, never fewer than `replicas - maxUnavailable` available ones.
 */
import { createHash } from 'node:crypto';
import type { Deployment, ReplicaSet } from '#gen/kube/types.ts';
import { NAME_ALPHABET } from '#base/ids.ts';

export const REVISION = 'deployment.kubernetes.io/revision';
export const HASH_LABEL = 'pod-template-hash';

export interface RolloutPlan {
  /** The ReplicaSet of the current template does not exist yet and is to be made with this many replicas. */
  readonly create?: {
    readonly name: string;
    readonly hash: string;
    readonly replicas: number;
    readonly revision: number;
  };
  readonly scale: readonly { readonly replicaSet: ReplicaSet; readonly replicas: number }[];
  /** Old, empty ReplicaSets beyond the history limit. */
  readonly forget: readonly ReplicaSet[];
  readonly revision: number;
}

export function planRollout(deployment: Deployment, replicaSets: readonly ReplicaSet[]): RolloutPlan {
  const hash = templateHash(deployment);
  const current = replicaSets.find((set) => set.metadata.labels?.[HASH_LABEL] === hash);
  const old = replicaSets.filter((set) => set !== current).sort(byAge);
  const newest = Math.max(0, ...old.map(revisionOf));
  const revision = current && revisionOf(current) > newest ? revisionOf(current) : newest + 1;
  const desired = deployment.spec?.replicas ?? 1;
  const bounds = boundsOf(deployment);

  if (!current) {
    const recreating = isRecreate(deployment) && total(old) > 0;
    return {
      create: {
        name: `${deployment.metadata.name}-${hash}`,
        hash,
        revision,
        replicas: recreating ? 0 : room(desired, 0, total(old), bounds.surge),
      },
      scale: recreating ? old.filter((set) => wanted(set) > 0).map((set) => ({ replicaSet: set, replicas: 0 })) : [],
      forget: [],
      revision,
    };
  }
  return { scale: nextScale(deployment, current, old), forget: beyondHistory(deployment, old), revision };
}

function nextScale(deployment: Deployment, current: ReplicaSet, old: readonly ReplicaSet[]): RolloutPlan['scale'] {
  if (deployment.spec?.paused === true) return [];
  const desired = deployment.spec?.replicas ?? 1;
  const active = old.filter((set) => wanted(set) > 0);

  if (isRecreate(deployment)) {
    if (active.length > 0) return active.map((replicaSet) => ({ replicaSet, replicas: 0 }));
    const stillThere = old.some((set) => (set.status?.replicas ?? 0) > 0);
    return stillThere || wanted(current) === desired ? [] : [{ replicaSet: current, replicas: desired }];
  }

  const { surge, unavailable } = boundsOf(deployment);
  const grown =
    wanted(current) > desired
      ? desired
      : wanted(current) + room(desired, wanted(current), total([current, ...old]), surge);
  const scaleUp = grown === wanted(current) ? [] : [{ replicaSet: current, replicas: grown }];
  return [...scaleUp, ...shrink(active, current, desired - unavailable)];
}

/** Takes away from old sets, oldest first and unhealthy pods before healthy ones, while enough stay available. */
function shrink(active: readonly ReplicaSet[], current: ReplicaSet, minAvailable: number): RolloutPlan['scale'] {
  const notYet = wanted(current) - available(current);
  let spare = total([current, ...active]) - minAvailable - notYet;
  let healthySpare = available(current) + active.reduce((sum, set) => sum + available(set), 0) - minAvailable;
  const result: { replicaSet: ReplicaSet; replicas: number }[] = [];
  for (const set of active) {
    if (spare <= 0) break;
    const unhealthy = Math.min(spare, Math.max(0, wanted(set) - available(set)));
    const healthy = Math.max(0, Math.min(spare - unhealthy, healthySpare, wanted(set) - unhealthy));
    spare -= unhealthy + healthy;
    healthySpare -= healthy;
    if (unhealthy + healthy > 0) result.push({ replicaSet: set, replicas: wanted(set) - unhealthy - healthy });
  }
  return result;
}

/** How many replicas the new set may gain now. */
function room(desired: number, has: number, all: number, surge: number): number {
  return Math.max(0, Math.min(desired + surge - all, desired - has));
}

function beyondHistory(deployment: Deployment, old: readonly ReplicaSet[]): readonly ReplicaSet[] {
  const idle = old.filter((set) => wanted(set) === 0 && (set.status?.replicas ?? 0) === 0);
  const keep = deployment.spec?.revisionHistoryLimit ?? 10;
  return idle.sort((a, b) => revisionOf(a) - revisionOf(b)).slice(0, Math.max(0, idle.length - keep));
}

/** The status of a Deployment, from its ReplicaSets alone. */
export function deploymentStatus(
  deployment: Deployment,
  replicaSets: readonly ReplicaSet[],
  now: string,
): NonNullable<Deployment['status']> {
  const hash = templateHash(deployment);
  const current = replicaSets.find((set) => set.metadata.labels?.[HASH_LABEL] === hash);
  const sum = (of: (set: ReplicaSet) => number | undefined) =>
    replicaSets.reduce((all, set) => all + (of(set) ?? 0), 0);
  const desired = deployment.spec?.replicas ?? 1;
  const replicas = sum((set) => set.status?.replicas);
  const ready = sum((set) => set.status?.readyReplicas);
  const availableReplicas = sum((set) => set.status?.availableReplicas);
  const updated = current?.status?.replicas ?? 0;
  const isAvailable = availableReplicas >= desired - boundsOf(deployment).unavailable;
  const complete = updated === desired && replicas === desired && availableReplicas === desired;
  return {
    ...(deployment.metadata.generation === undefined ? {} : { observedGeneration: deployment.metadata.generation }),
    ...positive('replicas', replicas),
    ...positive('updatedReplicas', updated),
    ...positive('readyReplicas', ready),
    ...positive('availableReplicas', availableReplicas),
    ...positive('unavailableReplicas', Math.max(0, total(replicaSets) - availableReplicas)),
    conditions: [
      condition(deployment, now, {
        type: 'Available',
        status: isAvailable ? 'True' : 'False',
        reason: isAvailable ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
        message: isAvailable
          ? 'Deployment has minimum availability.'
          : 'Deployment does not have minimum availability.',
      }),
      condition(deployment, now, {
        type: 'Progressing',
        status: 'True',
        reason: complete ? 'NewReplicaSetAvailable' : 'ReplicaSetUpdated',
        message: `ReplicaSet "${current?.metadata.name ?? ''}" ${complete ? 'has successfully progressed.' : 'is progressing.'}`,
      }),
    ],
  };
}

interface PlainCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** The condition with its times: transitions are stamped when the status flips, updates when anything in it changes. */
function condition(deployment: Deployment, now: string, next: PlainCondition) {
  const old = deployment.status?.conditions?.find(({ type }) => type === next.type);
  const same = old?.status === next.status && old.reason === next.reason && old.message === next.message;
  return {
    ...next,
    lastUpdateTime: same ? (old.lastUpdateTime ?? now) : now,
    lastTransitionTime: old?.status === next.status ? (old.lastTransitionTime ?? now) : now,
  };
}

/** Kubernetes leaves zero counts out of a status. */
function positive<Key extends string>(key: Key, value: number): { [K in Key]?: number } {
  return value > 0 ? ({ [key]: value } as { [K in Key]?: number }) : {};
}

function boundsOf(deployment: Deployment): { surge: number; unavailable: number } {
  const desired = deployment.spec?.replicas ?? 1;
  if (isRecreate(deployment)) return { surge: 0, unavailable: desired };
  const { maxSurge = '25%', maxUnavailable = '25%' } = deployment.spec?.strategy?.rollingUpdate ?? {};
  const surge = share(maxSurge, desired, Math.ceil);
  const unavailable = share(maxUnavailable, desired, Math.floor);
  // Both zero would never move; Kubernetes then lets one pod be missing.
  return surge === 0 && unavailable === 0
    ? { surge, unavailable: 1 }
    : { surge, unavailable: Math.min(unavailable, desired) };
}

function share(value: number | string, of: number, round: (n: number) => number): number {
  return typeof value === 'number' ? value : round((Number.parseFloat(value) / 100) * of);
}

const isRecreate = (deployment: Deployment) => deployment.spec?.strategy?.type === 'Recreate';
const wanted = (set: ReplicaSet) => set.spec?.replicas ?? 0;
const available = (set: ReplicaSet) => set.status?.availableReplicas ?? 0;
const total = (sets: readonly ReplicaSet[]) => sets.reduce((sum, set) => sum + wanted(set), 0);
const revisionOf = (set: ReplicaSet) => Number(set.metadata.annotations?.[REVISION] ?? 0);
const byAge = (a: ReplicaSet, b: ReplicaSet) =>
  revisionOf(a) - revisionOf(b) || (a.metadata.name < b.metadata.name ? -1 : 1);

/** A name for a pod template: equal templates have equal hashes, whatever the order of their keys. */
export function templateHash(deployment: Deployment): string {
  const digest = createHash('sha256').update(canonical(deployment.spec?.template)).digest();
  return Array.from(digest.subarray(0, 10), (byte) => NAME_ALPHABET[byte % NAME_ALPHABET.length]).join('');
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
