/** Jobs and cron jobs of an instance, and the jobs that cron jobs have started in its members. */
import { BatchService } from '#gen/proto/kairship/api/batch/v1alpha1/batch_service_pb.ts';
import {
  CronJobStatus_CronJobStateSchema as CronJobStates,
  JobStatus_JobStateSchema as JobStates,
} from '#gen/proto/kairship/api/batch/v1alpha1/job_pb.ts';
import { notFound } from '#base/status-error.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { kairshipPermission } from '../../access/kairship-product.ts';
import { clientIn, type Context, type ServiceDeps, writesIn } from '../deps.ts';
import { distributionOf } from '../distribution.ts';
import { inPhase } from '../in-phase.ts';
import { CRON_JOB, JOB } from '../kinds.ts';
import { listed, type ListedRequest } from '../listing.ts';
import { manifestRpcs } from '../manifest-rpcs.ts';
import { cronJobMessage, type CronJobObject, jobMessage, type JobObject } from './batch-messages.ts';
import { jobsStartedIn } from './cron-job-runs.ts';
import { cronJobState, jobState } from './job-state.ts';
import { restartJob } from './restart-job.ts';

const LIST = kairshipPermission('workload', 'list');

type Phased = ListedRequest & { readonly phase?: string };
interface InNamespace {
  readonly instance: string;
  readonly namespace: string;
  readonly name: string;
}

export function batchService(deps: ServiceDeps): ServedService {
  const { reads } = deps;
  const [jobs, cronJobs] = [manifestRpcs(deps, JOB), manifestRpcs(deps, CRON_JOB)];

  async function tellJobs(instance: string, objects: readonly JobObject[]) {
    const where = await distributionOf(reads, instance, objects);
    return objects.map((job) => jobMessage(job, where(job)));
  }

  async function tellCronJobs(instance: string, objects: readonly CronJobObject[]) {
    const where = await distributionOf(reads, instance, objects);
    return Promise.all(
      objects.map(async (cronJob) => {
        const [clusters, { namespace = '', name }] = [where(cronJob), cronJob.metadata];
        const started = clusters.map((cluster) =>
          jobsStartedIn(reads, { instance, cluster: cluster.name }, { namespace, name }),
        );
        return cronJobMessage(cronJob, clusters, (await Promise.all(started)).flat());
      }),
    );
  }

  async function listJobs(request: Phased, context: Context) {
    const only = inPhase<JobObject>(JobStates, request.phase, jobState);
    const { objects, pagination } = await listed(deps, context, request, { resource: JOB, permission: LIST, only });
    return { items: await tellJobs(request.instance, objects), pagination };
  }

  async function listCronJobs(request: Phased, context: Context) {
    const only = inPhase<CronJobObject>(CronJobStates, request.phase, cronJobState);
    const wanted = { resource: CRON_JOB, permission: LIST, only };
    const { objects, pagination } = await listed(deps, context, request, wanted);
    return { items: await tellCronJobs(request.instance, objects), pagination };
  }

  async function suspend({ instance, namespace, name }: InNamespace, context: Context, suspended: boolean) {
    const body = { spec: { suspend: suspended } };
    const write = writesIn(deps, context, { instance });
    const { object } = await write.patch(CRON_JOB, { namespace, name }, { type: 'merge', body });
    const [cronJob] = await tellCronJobs(instance, [object as CronJobObject]);
    return cronJob ? { cronJob } : {};
  }

  return service(BatchService, {
    async listJobsByCronJobsName(request, context) {
      const { instance, cluster, namespace, cronJob } = request;
      const owner = await reads.get({ instance, cluster }, CRON_JOB, { namespace, name: cronJob });
      if (!owner) throw notFound(CRON_JOB.resource, cronJob, CRON_JOB.group);
      const isWanted = inPhase<JobObject>(JobStates, request.phase, jobState);
      const isOwned = ({ metadata }: JobObject) =>
        metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) === true;
      const only = (job: JobObject) => isOwned(job) && (isWanted?.(job) ?? true);
      const { objects, pagination } = await listed(deps, context, request, { resource: JOB, permission: LIST, only });
      return { cluster, jobs: objects.map((job) => jobMessage(job)), pagination };
    },
    listInstanceCronJobs: listCronJobs,
    listCronJobs,
    async getCronJob(request, context) {
      const object = (await cronJobs.read(request, context)) as CronJobObject;
      const [told] = await tellCronJobs(request.instance, [object]);
      return told ?? {};
    },
    getCronJobJSON: cronJobs.json,
    createCronJob: cronJobs.create,
    updateCronJob: cronJobs.update,
    deleteCronJob: cronJobs.remove,
    pauseCronJob: (request, context) => suspend(request, context, true),
    resumeCronJob: (request, context) => suspend(request, context, false),
    listInstanceJobs: listJobs,
    listJobs,
    async getJob(request, context) {
      const [told] = await tellJobs(request.instance, [(await jobs.read(request, context)) as JobObject]);
      return told ?? {};
    },
    getJobJSON: jobs.json,
    createJob: jobs.create,
    deleteJob: jobs.remove,
    async restartJob({ instance, namespace, name, resourceVersion }, context) {
      const client = clientIn(deps, context, { instance });
      return { job: jobMessage(await restartJob(client, deps.clock, { namespace, name }, resourceVersion)) };
    },
  });
}
