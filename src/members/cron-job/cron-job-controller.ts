/** Starts the Jobs of CronJobs when they are due, and keeps their history short. */
import type { CronJob, CronJobStatus, Job } from '#gen/kube/types.ts';
import type { Clock } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Outcome, type Reconcile, retryIn } from '#kube/runtime/controller.ts';
import type { EventRecorder } from '#kube/runtime/events.ts';
import type { ClusterView } from '../cluster-view.ts';
import { namespaceOf, ownerKey } from '../owners.ts';
import { CRON_JOBS, JOBS } from '../resources.ts';
import { isNamespaceEnding, messageOf } from '../workload/pod-control.ts';
import { type CronPlan, planCronJob, started } from './cron-plan.ts';

/** Looked at a moment after a run is due, so that it is. */
const LATE_MS = 100;

export function cronJobController({
  client,
  clock,
  view,
  events,
}: {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly view: ClusterView;
  readonly events: EventRecorder;
}): Controller {
  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const cronJob = view.cronJobs.get(key);
    if (!cronJob) return done;
    const plan = planCronJob(cronJob, view.jobs.ownedBy(cronJob.metadata.uid ?? ''), clock.now());
    for (const job of plan.remove) await remove(cronJob, job);
    const job = plan.start ? await start(cronJob, plan.start.job) : undefined;
    const known = { ...cronJob, status: plan.status };
    await report(cronJob, job && plan.start ? started(known, job, plan.start.time) : plan.status, plan);
    return plan.afterMs === undefined ? done : retryIn(plan.afterMs + LATE_MS, 'the next run is due then');
  }

  async function start(cronJob: CronJob, job: Job): Promise<Job | undefined> {
    try {
      const created = await client.create<Job>(JOBS, job);
      events.event(cronJob, 'Normal', 'SuccessfulCreate', `Created job ${created.metadata.name}`);
      return created;
    } catch (error) {
      if (isNamespaceEnding(error)) return undefined;
      // Made before, by one who could not note it any more.
      if (hasReason(error, 'AlreadyExists')) return view.jobs.get(`${namespaceOf(job)}/${job.metadata.name}`);
      events.event(cronJob, 'Warning', 'FailedCreate', `Error creating job: ${messageOf(error)}`);
      throw error;
    }
  }

  async function remove(cronJob: CronJob, { metadata }: Job): Promise<void> {
    try {
      await client.delete(JOBS, metadata, { propagationPolicy: 'Background' });
      events.event(cronJob, 'Normal', 'SuccessfulDelete', `Deleted job ${metadata.name}`);
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error;
    }
  }

  async function report(cronJob: CronJob, status: CronJobStatus, { tells }: CronPlan): Promise<void> {
    for (const { type, reason, message } of tells) events.event(cronJob, type, reason, message);
    if (jsonEqual(status, cronJob.status ?? {})) return;
    await client.update<CronJob>(CRON_JOBS, { ...cronJob, status }, { subresource: 'status' });
  }

  return {
    name: 'cronjob',
    concurrency: 8,
    watches: [{ gvr: CRON_JOBS }, { gvr: JOBS, wakes: (job: KubeObject) => ownerKey(job, 'CronJob') }],
    reconcile,
  };
}
