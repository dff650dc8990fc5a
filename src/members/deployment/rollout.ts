/**
 * How a Deployment moves from one set of pods to the next: pure arithmetic over the Deployment and its ReplicaSets.
 *
 * {@link planRollout} answers the next step only (which ReplicaSet to make, to note down, to scale, to forget); called
 * again after each change, it walks the whole rollout. The rules are Kubernetes': never more than `replicas + maxSurge`
 * pods, never fewer than `replicas - maxUnavailable` available ones; a change of size in the middle of a rollout is
 * shared by all sets in proportion, and a paused Deployment is scaled but not rolled.
 */
import type { Deployment, ReplicaSet } from '#gen/kube/types.ts';
import {
  available,
  boundsOf,
  isRecreate,
  isRunning,
  maxRevision,
  newReplicaSet,
  notedSize,
  olderFirst,
  renewed,
  replicasOf,
  revisionOf,
  type ReplicaSets,
  total,
  wanted,
} from './replica-sets.ts';

export interface RolloutPlan {
  /** The set of the current template does not exist yet and is to be made. */
  readonly create?: ReplicaSet;
  /** The current set, with what is to be noted on it. */
  readonly renew?: ReplicaSet;
  readonly scale: readonly Scaling[];
  /** Old, empty sets beyond the history limit. */
  readonly forget: readonly ReplicaSet[];
  /** Whether this is a rollout, whose progress is judged, and not a mere change of size or a pause. */
  readonly rolls: boolean;
}

export interface Scaling {
  readonly replicaSet: ReplicaSet;
  readonly replicas: number;
}

/** `oldPodsRun` tells whether pods of old sets are still there: Recreate waits for them. */
export function planRollout(deployment: Deployment, sets: ReplicaSets, oldPodsRun = false): RolloutPlan {
  const { current, old } = sets;
  const renew = current ? renewed(deployment, current, old) : undefined;
  if (renew && renew !== current) return { renew, scale: [], forget: [], rolls: false };
  if (deployment.spec?.paused === true) {
    return { scale: resize(deployment, sets), forget: beyondHistory(deployment, old), rolls: false };
  }
  if (isResized(deployment, sets)) return { scale: resize(deployment, sets), forget: [], rolls: false };
  const step = isRecreate(deployment) ? recreate(deployment, sets, oldPodsRun) : roll(deployment, sets);
  const idle = !step.create && step.scale.length === 0 && isComplete(deployment);
  return { ...step, forget: idle ? beyondHistory(deployment, old) : [], rolls: true };
}

type Step = Pick<RolloutPlan, 'create' | 'scale'>;

function create(deployment: Deployment, old: readonly ReplicaSet[], replicas: number): Step {
  return { create: newReplicaSet(deployment, replicas, maxRevision(old) + 1), scale: [] };
}

function recreate(deployment: Deployment, { current, old }: ReplicaSets, oldPodsRun: boolean): Step {
  const running = old.filter(isRunning);
  if (running.length > 0) return { scale: running.map((replicaSet) => ({ replicaSet, replicas: 0 })) };
  if (oldPodsRun || old.some((set) => (set.status?.replicas ?? 0) > 0)) return { scale: [] };
  const desired = replicasOf(deployment);
  if (!current) return create(deployment, old, desired);
  return { scale: changed([{ replicaSet: current, replicas: desired }]) };
}

function roll(deployment: Deployment, { current, old }: ReplicaSets): Step {
  const desired = replicasOf(deployment);
  const { surge, unavailable } = boundsOf(deployment);
  if (!current) return create(deployment, old, Math.max(0, Math.min(desired, desired + surge - total(old))));
  const room = Math.max(0, desired + surge - total([current, ...old]));
  const grown = Math.min(desired, wanted(current) + room);
  const up = changed([{ replicaSet: current, replicas: grown }]);
  if (up.length > 0) return { scale: up };
  return { scale: shrink(old.filter(isRunning), current, desired - unavailable) };
}

/** Takes from old sets: first what is unavailable anyway, then, oldest first, what is not needed to stay available. */
function shrink(old: readonly ReplicaSet[], current: ReplicaSet, minAvailable: number): readonly Scaling[] {
  const notYet = wanted(current) - available(current);
  let spare = total([current, ...old]) - minAvailable - notYet;
  if (spare <= 0) return [];
  const sizes = new Map(old.map((set) => [set, wanted(set)]));
  for (const set of old) {
    const unhealthy = Math.max(0, Math.min(spare, wanted(set) - available(set)));
    spare -= unhealthy;
    sizes.set(set, wanted(set) - unhealthy);
  }
  let healthy = [current, ...old].reduce((sum, set) => sum + available(set), 0) - minAvailable;
  for (const set of old) {
    const taken = Math.max(0, Math.min(healthy, sizes.get(set) ?? 0));
    healthy -= taken;
    sizes.set(set, (sizes.get(set) ?? 0) - taken);
  }
  return changed([...sizes].map(([replicaSet, replicas]) => ({ replicaSet, replicas })));
}

const changed = (scale: readonly Scaling[]) =>
  scale.filter(({ replicaSet, replicas }) => wanted(replicaSet) !== replicas);

/** Whether the Deployment's size is another than when its sets were last scaled. */
function isResized(deployment: Deployment, { current, old }: ReplicaSets): boolean {
  return [...old, ...(current ? [current] : [])].filter(isRunning).some((set) => {
    const { desired } = notedSize(set);
    return desired !== undefined && desired !== replicasOf(deployment);
  });
}

/** A change of size that is no rollout: one running set takes it whole, several share it. */
function resize(deployment: Deployment, { current, old }: ReplicaSets): readonly Scaling[] {
  const desired = replicasOf(deployment);
  const all = [...old, ...(current ? [current] : [])];
  const running = all.filter(isRunning);
  const only = running.length > 1 ? undefined : (running[0] ?? current ?? old.at(-1));
  if (only) return noted(deployment, [{ replicaSet: only, replicas: desired }]);
  if (current && isSaturated(deployment, current)) {
    return changed(old.map((replicaSet) => ({ replicaSet, replicas: 0 })));
  }
  return isRecreate(deployment) ? [] : noted(deployment, share(deployment, running));
}

/** Scalings that change something: the size, or the size of the Deployment that is noted with it. */
function noted(deployment: Deployment, scale: readonly Scaling[]): readonly Scaling[] {
  const desired = replicasOf(deployment);
  const max = desired + boundsOf(deployment).surge;
  return scale.filter(({ replicaSet, replicas }) => {
    const before = notedSize(replicaSet);
    return wanted(replicaSet) !== replicas || before.desired !== desired || before.max !== max;
  });
}

function isSaturated(deployment: Deployment, set: ReplicaSet): boolean {
  const desired = replicasOf(deployment);
  return wanted(set) === desired && notedSize(set).desired === desired && available(set) === desired;
}

/** Shares what is to be added or taken by the sets' sizes, largest first; the largest gets what rounding leaves. */
function share(deployment: Deployment, running: readonly ReplicaSet[]): readonly Scaling[] {
  const desired = replicasOf(deployment);
  const allowed = desired > 0 ? desired + boundsOf(deployment).surge : 0;
  const toAdd = allowed - total(running);
  const order = running.toSorted((a, b) => wanted(b) - wanted(a) || (toAdd > 0 ? olderFirst(b, a) : olderFirst(a, b)));
  let added = 0;
  const sizes = order.map((replicaSet) => {
    const part = toAdd === added ? 0 : fraction(deployment, replicaSet, allowed);
    const within = toAdd > 0 ? Math.min(part, toAdd - added) : Math.max(part, toAdd - added);
    added += within;
    return { replicaSet, replicas: wanted(replicaSet) + within };
  });
  return sizes.map((scaling, index) =>
    index === 0 ? { ...scaling, replicas: Math.max(0, scaling.replicas + toAdd - added) } : scaling,
  );
}

/** How much a set changes when the Deployment goes from the size noted on it to the size it may have now. */
function fraction(deployment: Deployment, set: ReplicaSet, allowed: number): number {
  if (replicasOf(deployment) === 0) return -wanted(set);
  const before = notedSize(set).max || (deployment.status?.replicas ?? 0);
  return before === 0 ? 0 : Math.round((wanted(set) * allowed) / before) - wanted(set);
}

function beyondHistory(deployment: Deployment, old: readonly ReplicaSet[]): readonly ReplicaSet[] {
  const living = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const excess = living.length - (deployment.spec?.revisionHistoryLimit ?? 10);
  if (excess <= 0) return [];
  return living
    .toSorted((a, b) => revisionOf(a) - revisionOf(b) || olderFirst(a, b))
    .slice(0, excess)
    .filter(isIdle);
}

function isIdle(set: ReplicaSet): boolean {
  const { replicas, observedGeneration = 0 } = set.status ?? { replicas: 0, observedGeneration: 0 };
  return wanted(set) === 0 && replicas === 0 && observedGeneration >= (set.metadata.generation ?? 0);
}

/** As last reported: all desired replicas are updated and available, and no old ones are left. */
export function isComplete({ metadata, spec, status }: Deployment): boolean {
  const desired = spec?.replicas ?? 1;
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0, observedGeneration = 0 } = status ?? {};
  return (
    updatedReplicas === desired &&
    replicas === desired &&
    availableReplicas === desired &&
    observedGeneration >= (metadata.generation ?? 0)
  );
}
