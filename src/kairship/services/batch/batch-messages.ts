/** Jobs and cron jobs as the published API tells of them. */
import type { CronJob, Job } from '#gen/kube/types.ts';
import type { ClusterProviderSummary } from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_pb.ts';
import {
  type CronJob as CronJobMessage,
  CronJobSchema,
  type Job as JobMessage,
  JobSchema,
} from '#gen/proto/kairship/api/batch/v1alpha1/job_pb.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { asMessage } from '../as-message.ts';
import { cronJobState, jobState } from './job-state.ts';

export type JobObject = KubeObject & Job;
export type CronJobObject = KubeObject & CronJob;

export function jobMessage(job: JobObject, clusters: ClusterProviderSummary[] = []): JobMessage {
  const { status } = job;
  const told = asMessage(JobSchema, {
    ...job,
    executionTimestamp: status?.startTime,
    status: { ...status, succeed: status?.succeeded, clusters: [] },
  });
  if (told.status) Object.assign(told.status, { phase: jobState(job), clusters });
  return told;
}

/** `runs` are the jobs it has started, in all clusters. */
export function cronJobMessage(
  cronJob: CronJobObject,
  clusters: ClusterProviderSummary[],
  runs: readonly Job[],
): CronJobMessage {
  const { spec, status } = cronJob;
  const told = asMessage(CronJobSchema, {
    ...cronJob,
    spec: { ...spec, paused: spec?.suspend === true },
    status: {
      clusters: [],
      conditions: runs.map((run) => ({ jobName: run.metadata.name, conditions: run.status?.conditions ?? [] })),
    },
    availed: runs.filter((run) => (run.status?.active ?? 0) > 0).length,
    total: runs.length,
    executionTimestamp: status?.lastScheduleTime,
    images: (spec?.jobTemplate.spec?.template.spec?.containers ?? []).flatMap(({ image }) => image ?? []),
  });
  if (told.status) Object.assign(told.status, { phase: cronJobState(cronJob), clusters });
  return told;
}
