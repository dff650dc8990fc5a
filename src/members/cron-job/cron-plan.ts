/**
 * What a CronJob does now, and when to look at it again. Pure.
 *
 * It starts the latest run that is due and was not started, never two for one time, and never one that is later than its
 * starting deadline. Runs that were missed while it was suspended or nobody looked are not made up for.
 */
import type { CronJob, CronJobStatus, Job, ObjectReference } from '#gen/kube/types.ts';
import { rfc3339 } from '#base/clock.ts';
import { defined } from '../defined.ts';
import { isFinished } from '../job/job-plan.ts';
import { conditionOf } from '../job/verdict.ts';
import { controlledBy, namespaceOf } from '../owners.ts';
import { inZone, type Schedule, scheduleOf } from './schedule.ts';

export interface CronPlan {
  readonly status: CronJobStatus;
  /** The run to start, at its scheduled time. */
  readonly start?: { readonly job: Job; readonly time: number };
  /** Jobs that make room for it, and finished ones beyond the history that is kept. */
  readonly remove: readonly Job[];
  readonly tells: readonly { readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string }[];
  readonly afterMs?: number;
}

type Telling = CronPlan['tells'][number];

export function planCronJob(cronJob: CronJob, jobs: readonly Job[], now: number): CronPlan {
  const { status, tells } = observed(cronJob, jobs);
  const history = beyondHistory(cronJob, jobs);
  const rest = { status, remove: history, tells };
  if (cronJob.metadata.deletionTimestamp !== undefined || cronJob.spec?.suspend === true) return rest;
  const { schedule: text = '', timeZone } = cronJob.spec ?? {};
  const schedule = scheduleOf(text, timeZone);
  if ('problem' in schedule) {
    const message = `unparseable schedule: "${text}" : ${schedule.problem}`;
    return { ...rest, tells: [...tells, { type: 'Warning', reason: 'UnparseableSchedule', message }] };
  }
  const known = { ...cronJob, status };
  const { due, missed } = latestDue(known, schedule, now);
  const next = schedule.next(Math.max(now, due ?? 0));
  const waiting = { ...rest, ...(next === undefined ? {} : { afterMs: next - now }) };
  if (due === undefined || isDone(known, due)) return waiting;
  return begin(known, jobs, due, now, { ...waiting, tells: [...tells, ...missed] });
}

function begin(cronJob: CronJob, jobs: readonly Job[], due: number, now: number, plan: CronPlan): CronPlan {
  const { startingDeadlineSeconds, concurrencyPolicy } = cronJob.spec ?? {};
  const tell = (telling: Telling): CronPlan => ({ ...plan, tells: [...plan.tells, telling] });
  if (startingDeadlineSeconds !== undefined && due + startingDeadlineSeconds * 1000 < now) {
    const message = `Missed scheduled time to start a job: ${rfc1123(due)}`;
    return tell({ type: 'Warning', reason: 'MissSchedule', message });
  }
  const active = cronJob.status?.active ?? [];
  if (concurrencyPolicy === 'Forbid' && active.length > 0) {
    const message = 'Not starting job because prior execution is running and concurrency policy is Forbid';
    return tell({ type: 'Normal', reason: 'JobAlreadyActive', message });
  }
  const replaced =
    concurrencyPolicy === 'Replace'
      ? jobs.filter(({ metadata }) => active.some(({ uid }) => uid === metadata.uid))
      : [];
  return { ...plan, start: { job: jobOf(cronJob, due), time: due }, remove: [...plan.remove, ...replaced] };
}

/** The status once a run was started. */
export function started({ status }: CronJob, job: Job, time: number): CronJobStatus {
  const { apiVersion, kind, metadata } = job;
  const { name, uid, resourceVersion } = metadata;
  const reference = { apiVersion, kind, namespace: namespaceOf(job), name, ...defined({ uid, resourceVersion }) };
  return { ...status, active: [...(status?.active ?? []), reference], lastScheduleTime: rfc3339(time) };
}

/** Jobs that ended leave the list of those that run; the last success is noted. */
function observed(cronJob: CronJob, jobs: readonly Job[]): { status: CronJobStatus; tells: readonly Telling[] } {
  const tells: Telling[] = [];
  const byUid = new Map(jobs.map((job) => [job.metadata.uid, job]));
  const isOpen = ({ uid, name }: ObjectReference) => {
    const job = byUid.get(uid);
    if (job && !isFinished(job)) return true;
    tells.push(
      job ? sawCompleted(job) : { type: 'Normal', reason: 'MissingJob', message: `Active job went missing: ${name}` },
    );
    return false;
  };
  const active = (cronJob.status?.active ?? []).filter(isOpen);
  const successes = jobs
    .filter((job) => conditionOf(job, 'Complete'))
    .map(({ status }) => status?.completionTime ?? '');
  const lastSuccessfulTime = [cronJob.status?.lastSuccessfulTime ?? '', ...successes].sort().at(-1);
  const { active: _, ...rest } = cronJob.status ?? {};
  return {
    status: {
      ...rest,
      ...(active.length > 0 ? { active } : {}),
      ...(lastSuccessfulTime ? { lastSuccessfulTime } : {}),
    },
    tells,
  };
}

function sawCompleted(job: Job): Telling {
  const condition = conditionOf(job, 'Complete') ? 'Complete' : 'Failed';
  const message = `Saw completed job: ${job.metadata.name}, condition: ${condition}`;
  return { type: 'Normal', reason: 'SawCompletedJob', message };
}

function latestDue(
  { metadata, spec, status }: CronJob,
  schedule: Schedule,
  now: number,
): { readonly due?: number; readonly missed: readonly Telling[] } {
  const since = Date.parse(status?.lastScheduleTime ?? metadata.creationTimestamp ?? '') || now;
  const deadline = spec?.startingDeadlineSeconds;
  const earliest = deadline === undefined ? since : Math.max(since, now - deadline * 1000);
  const first = schedule.next(earliest);
  const second = first === undefined ? undefined : schedule.next(first);
  if (first === undefined || first > now) return { missed: [] };
  if (second === undefined || second > now) return { due: first, missed: [] };
  // Not one by one from the first: a schedule of minutes may have been forgotten for years.
  const between = second - first;
  const count = Math.floor((now - first) / between) + 1;
  let due: number | undefined;
  for (let time = schedule.next(first + (count - 2) * between); time !== undefined && time <= now; ) {
    due = time;
    time = schedule.next(time);
  }
  const message = 'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';
  return {
    due: due ?? first,
    missed: count > 100 ? [{ type: 'Warning', reason: 'TooManyMissedTimes', message }] : [],
  };
}

function isDone(cronJob: CronJob, due: number): boolean {
  const { active = [], lastScheduleTime } = cronJob.status ?? {};
  return Date.parse(lastScheduleTime ?? '') === due || active.some(({ name }) => name === jobName(cronJob, due));
}

const jobName = ({ metadata }: CronJob, time: number) => `${metadata.name}-${Math.floor(time / 60_000)}`;

function jobOf(cronJob: CronJob, time: number): Job {
  const { metadata, spec } = cronJob.spec?.jobTemplate ?? {};
  const scheduled = inZone(time, cronJob.spec?.timeZone);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobName(cronJob, time),
      namespace: namespaceOf(cronJob),
      ...defined({ labels: metadata?.labels }),
      annotations: { ...metadata?.annotations, 'batch.kubernetes.io/cronjob-scheduled-timestamp': scheduled },
      ownerReferences: [controlledBy(cronJob)],
    },
    ...defined({ spec }),
  };
}

function beyondHistory({ spec }: CronJob, jobs: readonly Job[]): readonly Job[] {
  const startTime = ({ status }: Job) => status?.startTime ?? '';
  const excess = (condition: string, limit: number) => {
    const over = jobs.filter((job) => conditionOf(job, condition) && job.metadata.deletionTimestamp === undefined);
    const byAge = over.toSorted((a, b) => (startTime(a) < startTime(b) ? -1 : 1));
    return byAge.slice(0, Math.max(0, byAge.length - limit));
  };
  return [
    ...excess('Complete', spec?.successfulJobsHistoryLimit ?? 3),
    ...excess('Failed', spec?.failedJobsHistoryLimit ?? 1),
  ];
}

/** `Mon, 02 Jan 2006 15:04:05 +0000` */
const rfc1123 = (time: number) => new Date(time).toUTCString().replace('GMT', '+0000');
