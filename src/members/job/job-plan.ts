/**
 * What a Job does next, and what it reports. Pure.
 *
 * It keeps as many pods working as it may until enough have succeeded, tries again after failures with a delay that
 * doubles from ten seconds to ten minutes, and when its end is decided, waits for its last pods to be gone before it says
 * that it is over.
 */
import type { Job, JobCondition, JobStatus, Pod } from '#gen/kube/types.ts';
import { rfc3339 } from '#base/clock.ts';
import { defined, unlessZero } from '../defined.ts';
import { isActive, isPodReady, isTerminating } from '../workload/pod-state.ts';
import { expendableFirst } from '../workload/rank-pods.ts';
import { formatIndexes, indexOf } from './indexes.ts';
import { hasFailed, isIndexed, isTracked, replacesOnlyFailed, type Tally, tallyOf } from './tally.ts';
import { conditionOf, deadlineOf, failedIndexes, failuresOf, isSuspended, type Verdict, verdictOf } from './verdict.ts';

/** A pod to make: for an index, if the Job has indexes, which had failed so often before. */
export interface NewPod {
  readonly index?: number;
  readonly failures?: number;
}

export interface JobPlan {
  readonly status: JobStatus;
  readonly create: readonly NewPod[];
  readonly remove: readonly Pod[];
  /** Pods that are counted, or need not be. */
  readonly release: readonly Pod[];
  readonly afterMs?: number;
  readonly tells: readonly { readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string }[];
}

export function planJob(job: Job, pods: readonly Pod[], now: number): JobPlan {
  if (isFinished(job)) return { ...NOTHING, status: job.status ?? {}, release: pods.filter(isTracked) };
  const active = pods.filter(isActive);
  const tally = tallyOf(job, pods);
  const verdict = verdictOf(job, pods, active, tally, now);
  if (job.metadata.deletionTimestamp !== undefined) {
    return { ...NOTHING, status: reported(job, pods, tally, now), release: pods.filter(isTracked) };
  }
  if (verdict) return finish(job, pods, active, tally, verdict, now);
  const work = isSuspended(job) ? suspend(active) : keepWorking(job, pods, active, tally, now);
  const { status, tells } = suspension(job, reported(job, pods, tally, now), now);
  const deadline = deadlineOf({ ...job, status });
  const waits = [work.afterMs, deadline && deadline - now].filter((ms) => ms !== undefined);
  return {
    ...work,
    status,
    release: tally.release,
    tells,
    ...(waits.length > 0 ? { afterMs: Math.max(0, Math.min(...waits)) } : {}),
  };
}

const NOTHING = { create: [], remove: [], tells: [] } as const;

export function isFinished(job: Pick<Job, 'status'>): boolean {
  return conditionOf(job, 'Complete') !== undefined || conditionOf(job, 'Failed') !== undefined;
}

function reported(job: Job, pods: readonly Pod[], tally: Tally, now: number): JobStatus {
  const { startTime = isSuspended(job) ? undefined : rfc3339(now), conditions } = job.status ?? {};
  const active = pods.filter(isActive);
  const failed = failedIndexes(job, pods);
  return defined({
    conditions,
    startTime,
    active: unlessZero(active.length),
    succeeded: unlessZero(tally.counted.succeeded),
    failed: unlessZero(tally.counted.failed),
    terminating: pods.filter(isTerminating).length,
    completedIndexes: isIndexed(job) && tally.completedIndexes !== '' ? tally.completedIndexes : undefined,
    failedIndexes: failed && formatIndexes(failed),
    uncountedTerminatedPods: defined({
      succeeded: tally.noted.succeeded.length > 0 ? tally.noted.succeeded : undefined,
      failed: tally.noted.failed.length > 0 ? tally.noted.failed : undefined,
    }),
    ready: active.filter(isPodReady).length,
  });
}

function finish(
  job: Job,
  pods: readonly Pod[],
  active: readonly Pod[],
  tally: Tally,
  { is, reason, message }: Verdict,
  now: number,
): JobPlan {
  const say = (conditions: readonly JobCondition[], type: string) =>
    withCondition(conditions, { type, status: 'True', reason, message }, now);
  const status = reported(job, pods, tally, now);
  const interim = say(status.conditions ?? [], is === 'success' ? 'SuccessCriteriaMet' : 'FailureTarget');
  const isOver = active.length === 0 && !pods.some(isTerminating) && !pods.some(isTracked);
  const open = { ...NOTHING, remove: active, release: releasable(job, pods, tally) };
  if (!isOver) return { ...open, status: { ...status, conditions: interim } };
  const completionTime = is === 'success' ? { completionTime: rfc3339(now) } : {};
  const conditions = say(interim, is === 'success' ? 'Complete' : 'Failed');
  return {
    ...open,
    status: { ...status, conditions, ...completionTime },
    tells: [
      is === 'success'
        ? { type: 'Normal', reason: 'Completed', message: 'Job completed' }
        : { type: 'Warning', reason, message },
    ],
  };
}

/** At the end also pods go that were deleted before they could end. */
function releasable(job: Job, pods: readonly Pod[], tally: Tally): readonly Pod[] {
  const counts = new Set(tally.release);
  const lost = pods.filter((pod) => isTracked(pod) && isTerminating(pod) && !hasFailed(job, pod));
  return [...counts, ...lost.filter((pod) => !counts.has(pod))];
}

type Work = Pick<JobPlan, 'create' | 'remove'> & { readonly afterMs?: number };

const suspend = (active: readonly Pod[]): Work => ({ create: [], remove: active });

/** Pods are made a batch at a time. */
const BURST = 500;

function keepWorking(
  job: Job,
  pods: readonly Pod[],
  active: readonly Pod[],
  { succeeded, completed }: Tally,
  now: number,
): Work {
  const { parallelism = 1, completions } = job.spec ?? {};
  const failed = failedIndexes(job, pods) ?? new Set<number>();
  const left = completions === undefined ? parallelism : Math.max(0, completions - succeeded - failed.size);
  const wanted = completions === undefined && succeeded > 0 ? active.length : Math.min(left, parallelism);
  const surplus = active.length - wanted;
  if (surplus > 0) return { create: [], remove: expendable(job, active, now).slice(0, surplus) };
  const leaving = replacesOnlyFailed(job) ? pods.filter(isTerminating) : [];
  const missing = Math.min(wanted - active.length - leaving.length, BURST);
  if (missing <= 0) return { create: [], remove: [] };
  if (!isIndexed(job))
    return whenBackOffEnds(
      job,
      pods,
      now,
      Array.from({ length: missing }, () => ({})),
    );
  const taken = new Set([...completed, ...failed, ...[...active, ...leaving].map(indexOf)]);
  const free = Array.from({ length: completions ?? 0 }, (_, index) => index).filter((index) => !taken.has(index));
  return indexedPods(job, pods, free.slice(0, missing), now);
}

/** Those of an Indexed Job with the highest index go first. */
function expendable(job: Job, active: readonly Pod[], now: number): readonly Pod[] {
  if (isIndexed(job)) return active.toSorted((a, b) => (indexOf(b) ?? 0) - (indexOf(a) ?? 0));
  return expendableFirst(active, () => 0, now);
}

const BACK_OFF_MS = 10_000;
const MAX_BACK_OFF_MS = 600_000;

function whenBackOffEnds(job: Job, pods: readonly Pod[], now: number, create: readonly NewPod[]): Work {
  const left = backOffEnd(job, pods) - now;
  return left > 0 ? { create: [], remove: [], afterMs: left } : { create, remove: [] };
}

/** With tries counted by index, each index waits for itself. */
function indexedPods(job: Job, pods: readonly Pod[], indexes: readonly number[], now: number): Work {
  if (job.spec?.backoffLimitPerIndex === undefined) {
    return whenBackOffEnds(
      job,
      pods,
      now,
      indexes.map((index) => ({ index })),
    );
  }
  const waits: number[] = [];
  const create = indexes.flatMap((index) => {
    const before = pods.filter((pod) => indexOf(pod) === index && hasFailed(job, pod));
    const left = backOffEnd(job, before) - now;
    if (left > 0) waits.push(left);
    const failures = before.length === 0 ? 0 : Math.max(...before.map(failuresOf)) + 1;
    return left > 0 ? [] : [{ index, failures }];
  });
  return { create, remove: [], ...(waits.length > 0 ? { afterMs: Math.min(...waits) } : {}) };
}

/** When the next try may begin: the delay grows with each failure since the last success. */
function backOffEnd(job: Job, pods: readonly Pod[]): number {
  const lastSuccess = Math.max(0, ...pods.filter(({ status }) => status?.phase === 'Succeeded').map(finishedAt));
  const failures = pods.filter((pod) => hasFailed(job, pod) && finishedAt(pod) > lastSuccess);
  if (failures.length === 0) return 0;
  const delay = Math.min(MAX_BACK_OFF_MS, BACK_OFF_MS * 2 ** Math.min(failures.length - 1, 20));
  return Math.max(...failures.map(finishedAt)) + delay;
}

function finishedAt({ metadata, status }: Pod): number {
  const times = (status?.containerStatuses ?? []).map(({ state }) => Date.parse(state?.terminated?.finishedAt ?? ''));
  const known = times.filter((time) => !Number.isNaN(time));
  if (known.length > 0) return Math.max(...known);
  return Date.parse(metadata.deletionTimestamp ?? metadata.creationTimestamp ?? '') || 0;
}

/** A Job that is put to rest forgets when it began, and begins anew when it goes on. */
function suspension(job: Job, status: JobStatus, now: number): Pick<JobPlan, 'status' | 'tells'> {
  const was = conditionOf(job, 'Suspended') !== undefined;
  const is = isSuspended(job);
  if (was === is) return { status, tells: [] };
  const said = is
    ? { type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' }
    : { type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' };
  const { startTime: _, ...rest } = status;
  const conditions = withCondition(status.conditions ?? [], said, now);
  return {
    status: { ...rest, conditions, ...(is ? {} : { startTime: rfc3339(now) }) },
    tells: [{ type: 'Normal', reason: is ? 'Suspended' : 'Resumed', message: said.message }],
  };
}

type Said = Pick<JobCondition, 'type' | 'status' | 'reason' | 'message'>;

function withCondition(conditions: readonly JobCondition[], next: Said, now: number): readonly JobCondition[] {
  const old = conditions.find(({ type }) => type === next.type);
  if (old?.status === next.status) return conditions;
  const at = rfc3339(now);
  const stamped = { ...next, lastProbeTime: at, lastTransitionTime: at };
  return old ? conditions.map((one) => (one === old ? stamped : one)) : [...conditions, stamped];
}
