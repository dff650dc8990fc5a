/** How jobs and cron jobs are, in one word: pure functions of the object. */
import type { CronJob, Job } from '#gen/kube/types.ts';
import {
  CronJobStatus_CronJobState as CronJobState,
  JobStatus_JobState as JobState,
} from '#gen/proto/kairship/api/batch/v1alpha1/job_pb.ts';

export function jobState({ metadata, status }: Job): JobState {
  if (metadata.deletionTimestamp !== undefined) return JobState.Deleting;
  const isSo = (type: string) => status?.conditions?.some((one) => one.type === type && one.status === 'True') === true;
  if (isSo('Failed')) return JobState.Failed;
  if (isSo('Complete')) return JobState.Completed;
  return status?.startTime !== undefined || (status?.active ?? 0) > 0 ? JobState.Running : JobState.Waiting;
}

/** It waits until it has started a job for the first time. */
export function cronJobState({ metadata, spec, status }: CronJob): CronJobState {
  if (metadata.deletionTimestamp !== undefined) return CronJobState.Deleting;
  if (spec?.suspend) return CronJobState.Stopped;
  const hasStarted = status?.lastScheduleTime !== undefined || (status?.active ?? []).length > 0;
  return hasStarted ? CronJobState.Activated : CronJobState.Waiting;
}
