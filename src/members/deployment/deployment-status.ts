/**
 * What a Deployment reports: counts from its ReplicaSets, whether enough is available, whether it moves on. Pure.
 *
 * As Kubernetes: progress is whatever gets the rollout nearer its end; without any for `progressDeadlineSeconds` the
 * rollout has failed, which is reported and otherwise without consequence.
 */
import type { Deployment, DeploymentCondition, DeploymentStatus, ReplicaSet } from '#gen/kube/types.ts';
import { rfc3339 } from '#base/clock.ts';
import { defined, unlessZero } from '../defined.ts';
import { boundsOf, replicasOf, type ReplicaSets, total } from './replica-sets.ts';
import { isComplete } from './rollout.ts';

/** A deadline of the largest number is none. */
const NO_DEADLINE = 2 ** 31 - 1;
type Conditions = readonly DeploymentCondition[];

export interface Happened {
  /** The name of the set that was just made. */
  readonly created?: string;
  /** Whether progress is judged: not while paused or merely scaled. */
  readonly rolls: boolean;
}

export function deploymentStatus(
  deployment: Deployment,
  { current, old }: ReplicaSets,
  { created, rolls }: Happened,
  now: number,
): DeploymentStatus {
  const all = [...old, ...(current ? [current] : [])];
  const known = {
    ...deployment,
    status: { ...deployment.status, conditions: begun(deployment, current, created, now) },
  };
  const counts = countsOf(deployment, all, current);
  const availability = withCondition(known.status.conditions, availabilityOf(deployment, counts, now));
  const progress = rolls ? progressOf(known, counts, availability, current, now) : availability;
  const conditions = rolls ? withFailure(progress, current, all) : progress;
  return defined({ ...counts, conditions, collisionCount: deployment.status?.collisionCount });
}

/** The status of a Deployment whose set could not be made. */
export function failedStatus(deployment: Deployment, set: string, why: string, now: number): DeploymentStatus {
  const message = `Failed to create new replica set "${set}": ${why}`;
  if (!hasDeadline(deployment)) return deployment.status ?? {};
  const conditions = withCondition(
    deployment.status?.conditions ?? [],
    condition('Progressing', 'False', 'ReplicaSetCreateError', message, now),
  );
  return { ...deployment.status, conditions };
}

/** Milliseconds until lack of progress will have to be reported; undefined when it will not. */
export function progressDeadline(deployment: Deployment, now: number): number | undefined {
  const progressing = deployment.status?.conditions?.find(({ type }) => type === 'Progressing');
  if (!hasDeadline(deployment) || !progressing || deployment.spec?.paused === true) return undefined;
  if (isComplete(deployment) || progressing.reason === 'ProgressDeadlineExceeded') return undefined;
  if (progressing.reason === 'NewReplicaSetAvailable') return undefined;
  return Math.max(0, deadlineOf(deployment, progressing) - now) + 1000;
}

type Counts = Omit<DeploymentStatus, 'conditions' | 'collisionCount'>;

function countsOf(deployment: Deployment, all: readonly ReplicaSet[], current: ReplicaSet | undefined): Counts {
  const sum = (of: (status: NonNullable<ReplicaSet['status']>) => number | undefined) =>
    all.reduce((counted, { status }) => counted + ((status && of(status)) ?? 0), 0);
  const availableReplicas = sum((status) => status.availableReplicas);
  return defined({
    observedGeneration: deployment.metadata.generation,
    replicas: unlessZero(sum((status) => status.replicas)),
    updatedReplicas: unlessZero(current?.status?.replicas ?? 0),
    readyReplicas: unlessZero(sum((status) => status.readyReplicas)),
    availableReplicas: unlessZero(availableReplicas),
    unavailableReplicas: unlessZero(Math.max(0, total(all) - availableReplicas)),
    terminatingReplicas: sum((status) => status.terminatingReplicas),
  });
}

/** What is known of progress before anything is judged: a pause, a set found or made. */
function begun(
  { spec, status, ...deployment }: Deployment,
  current: ReplicaSet | undefined,
  created: string | undefined,
  now: number,
): Conditions {
  const conditions = status?.conditions ?? [];
  if (!hasDeadline({ spec, ...deployment } as Deployment)) return without(conditions, 'Progressing');
  const said = conditions.find(({ type }) => type === 'Progressing');
  const say = (state: string, reason: string, message: string) =>
    withCondition(conditions, condition('Progressing', state, reason, message, now));
  if (created !== undefined) return say('True', 'NewReplicaSetCreated', `Created new replica set "${created}"`);
  const isPaused = said?.reason === 'DeploymentPaused';
  if (spec?.paused === true && !isPaused && said?.reason !== 'ProgressDeadlineExceeded')
    return say('Unknown', 'DeploymentPaused', 'Deployment is paused');
  if (spec?.paused !== true && isPaused) return say('Unknown', 'DeploymentResumed', 'Deployment is resumed');
  if (current && !said) return say('True', 'FoundNewReplicaSet', `Found new replica set "${current.metadata.name}"`);
  return conditions;
}

function availabilityOf(deployment: Deployment, { availableReplicas = 0 }: Counts, now: number): DeploymentCondition {
  return availableReplicas >= replicasOf(deployment) - boundsOf(deployment).unavailable
    ? condition('Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.', now)
    : condition(
        'Available',
        'False',
        'MinimumReplicasUnavailable',
        'Deployment does not have minimum availability.',
        now,
      );
}

function progressOf(
  deployment: Deployment,
  counts: Counts,
  conditions: Conditions,
  current: ReplicaSet | undefined,
  now: number,
): Conditions {
  const said = deployment.status?.conditions?.find(({ type }) => type === 'Progressing');
  const wasComplete = counts.replicas === counts.updatedReplicas && said?.reason === 'NewReplicaSetAvailable';
  if (!hasDeadline(deployment) || wasComplete) return conditions;
  const what = current ? `ReplicaSet "${current.metadata.name}"` : `Deployment "${deployment.metadata.name}"`;
  const say = (state: string, reason: string, rest: string) =>
    condition('Progressing', state, reason, `${what} ${rest}`, now);
  if (isComplete({ ...deployment, status: counts }))
    return withCondition(conditions, say('True', 'NewReplicaSetAvailable', 'has successfully progressed.'));
  if (hasProgressed(deployment.status ?? {}, counts)) {
    const progress = say('True', 'ReplicaSetUpdated', 'is progressing.');
    const since = said?.status === 'True' ? defined({ lastTransitionTime: said.lastTransitionTime }) : {};
    // Said anew even with the same reason: the deadline counts from the last progress.
    return [...without(conditions, 'Progressing'), { ...progress, ...since }];
  }
  if (said && hasTimedOut(deployment, said, now))
    return withCondition(conditions, say('False', 'ProgressDeadlineExceeded', 'has timed out progressing.'));
  return conditions;
}

function hasProgressed(before: Counts, after: Counts): boolean {
  const old = ({ replicas = 0, updatedReplicas = 0 }: Counts) => replicas - updatedReplicas;
  return (
    (after.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    old(after) < old(before) ||
    (after.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (after.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  );
}

function hasTimedOut(deployment: Deployment, said: DeploymentCondition, now: number): boolean {
  if (said.reason === 'NewReplicaSetAvailable') return false;
  return said.reason === 'ProgressDeadlineExceeded' || deadlineOf(deployment, said) < now;
}

function deadlineOf({ spec }: Deployment, { lastUpdateTime }: DeploymentCondition): number {
  return Date.parse(lastUpdateTime ?? '') + (spec?.progressDeadlineSeconds ?? 0) * 1000;
}

function hasDeadline({ spec }: Deployment): boolean {
  return spec?.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== NO_DEADLINE;
}

/** What keeps a set from making its pods is the Deployment's failure too; the current set's comes first. */
function withFailure(conditions: Conditions, current: ReplicaSet | undefined, all: readonly ReplicaSet[]): Conditions {
  const failures = [...(current ? [current] : []), ...all].flatMap(({ status }) =>
    (status?.conditions ?? []).filter(({ type }) => type === 'ReplicaFailure'),
  );
  const [failure] = failures;
  if (!failure) return without(conditions, 'ReplicaFailure');
  return withCondition(conditions, { ...failure, ...defined({ lastUpdateTime: failure.lastTransitionTime }) });
}

function condition(type: string, status: string, reason: string, message: string, now: number): DeploymentCondition {
  return { type, status, lastUpdateTime: rfc3339(now), lastTransitionTime: rfc3339(now), reason, message };
}

const without = (conditions: Conditions, type: string) => conditions.filter((one) => one.type !== type);

/** As Kubernetes sets them: nothing new unless status or reason are, and then at the end of the list. */
function withCondition(conditions: Conditions, next: DeploymentCondition): Conditions {
  const old = conditions.find(({ type }) => type === next.type);
  if (old?.status === next.status && old.reason === next.reason) return conditions;
  const since = old?.status === next.status ? defined({ lastTransitionTime: old.lastTransitionTime }) : {};
  return [...without(conditions, next.type), { ...next, ...since }];
}
