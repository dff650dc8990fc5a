/** Workloads of any kind, as one list shows them: asked of the service that knows their kind best. */
import { useQuery } from '@connectrpc/connect-query';
import { keepPreviousData } from '@tanstack/react-query';
import { ApiextensionsService } from '#gen/proto/kairship/api/apiextensions/v1alpha1/apiextensions_service_pb.ts';
import type { CustomResource } from '#gen/proto/kairship/api/apiextensions/v1alpha1/custom_resource_pb.ts';
import { AppsService } from '#gen/proto/kairship/api/apps/v1alpha1/apps_service_pb.ts';
import type { Deployment } from '#gen/proto/kairship/api/apps/v1alpha1/deployment_pb.ts';
import { BatchService } from '#gen/proto/kairship/api/batch/v1alpha1/batch_service_pb.ts';
import { type CronJob, type Job, JobStatus_JobState } from '#gen/proto/kairship/api/batch/v1alpha1/job_pb.ts';
import type { ClusterProviderSummary } from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_pb.ts';
import { SortBy, SortDir, WorkloadState } from '#gen/proto/kairship/api/types/v1alpha1/types_pb.ts';
import type { State } from '../parts/status.tsx';
import { useLost } from './clusters.ts';
import { heard } from './heard.ts';
import { CRON_JOB, DEPLOYMENT, JOB, type Kind } from './kinds.ts';

export interface Row {
  readonly name: string;
  readonly namespace: string;
  readonly state: State;
  /** `9/9`, where the kind has something to count. */
  readonly count: string;
  /** Some of its clusters do not answer: the count is of what they last said. */
  readonly silent: boolean;
  readonly clusters: readonly ClusterProviderSummary[];
  readonly detail: string;
  readonly createdAt: number;
}

export interface ListAsked {
  readonly instance: string;
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
  readonly page: number;
  readonly pageSize: number;
  readonly by: string;
  readonly descending: boolean;
}

export interface Rows {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly pages: number;
}

const SORTS: Readonly<Record<string, SortBy>> = {
  name: SortBy.field_name,
  namespace: SortBy.namespace,
  created: SortBy.created_at,
};

export function useRows(asked: ListAsked) {
  const { instance, kind, namespace, name, page, pageSize } = asked;
  const sortBy = SORTS[asked.by] ?? SortBy.created_at;
  const request = { instance, name, page, pageSize, sortBy, sortDir: asked.descending ? SortDir.desc : SortDir.asc };
  const lost = useLost(instance);
  const is = (one: Kind) => kind.kind === one.kind;
  const options = (enabled: boolean) => ({ enabled, placeholderData: keepPreviousData });
  const inNamespace = useQuery(
    AppsService.method.listDeployments,
    { ...request, namespace },
    options(is(DEPLOYMENT) && namespace !== ''),
  );
  const everywhere = useQuery(
    AppsService.method.listInstanceDeployments,
    request,
    options(is(DEPLOYMENT) && namespace === ''),
  );
  const jobs = useQuery(BatchService.method.listInstanceJobs, { ...request, namespace }, options(is(JOB)));
  const cronJobs = useQuery(BatchService.method.listInstanceCronJobs, { ...request, namespace }, options(is(CRON_JOB)));
  const { group, version, resource } = kind;
  const others = useQuery(
    ApiextensionsService.method.listCustomResources,
    { ...request, group, version, resource, namespace },
    options(![DEPLOYMENT, JOB, CRON_JOB].some(is)),
  );
  if (is(DEPLOYMENT)) return rowsOf(namespace === '' ? everywhere : inNamespace, deploymentRow, lost);
  if (is(JOB)) return rowsOf(jobs, jobRow, lost);
  if (is(CRON_JOB)) return rowsOf(cronJobs, cronJobRow, lost);
  return rowsOf(others, otherRow, lost);
}

interface Listed<T> {
  readonly data:
    | {
        readonly items: readonly T[];
        readonly pagination?: { readonly total: number; readonly pages: number } | undefined;
      }
    | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

type Told = Omit<Row, 'silent'>;

function rowsOf<T>({ data, error, refetch }: Listed<T>, row: (item: T) => Told, lost: ReadonlySet<string>) {
  const rows: Rows | undefined = data && {
    rows: data.items.map((item) => heard(row(item), lost)),
    total: data.pagination?.total ?? data.items.length,
    pages: data.pagination?.pages ?? 1,
  };
  return { data: rows, error, refetch };
}

const STATES: Readonly<Record<number, State>> = {
  [WorkloadState.RUNNING]: 'healthy',
  [WorkloadState.NOT_READY]: 'degraded',
  [WorkloadState.WAITING]: 'progressing',
  [WorkloadState.DELETING]: 'progressing',
  [WorkloadState.STOPPED]: 'unknown',
};

function deploymentRow({ metadata, spec, status }: Deployment): Told {
  const images = spec?.template?.spec?.containers.map(({ image }) => image) ?? [];
  return {
    ...named(metadata),
    state: STATES[status?.state ?? WorkloadState.UNSPECIFIED] ?? 'unknown',
    count: `${status?.readyReplicas ?? 0}/${status?.replicas ?? 0}`,
    clusters: status?.clusters ?? [],
    detail: images.join(', '),
  };
}

const JOB_STATES: Readonly<Record<number, State>> = {
  [JobStatus_JobState.Completed]: 'healthy',
  [JobStatus_JobState.Failed]: 'blocked',
  [JobStatus_JobState.Running]: 'progressing',
  [JobStatus_JobState.Waiting]: 'progressing',
};

function jobRow({ metadata, spec, status }: Job): Told {
  const { active = 0, succeed = 0, failed = 0, phase = JobStatus_JobState.JOB_STATE_UNSPECIFIED } = status ?? {};
  return {
    ...named(metadata),
    state: JOB_STATES[phase] ?? 'unknown',
    count: `${succeed}/${active + succeed + failed}`,
    clusters: status?.clusters ?? [],
    detail: spec?.template?.spec?.containers.map(({ image }) => image).join(', ') ?? '',
  };
}

function cronJobRow({ metadata, spec, status, images }: CronJob): Told {
  return {
    ...named(metadata),
    state: spec?.paused ? 'unknown' : 'healthy',
    count: '',
    clusters: status?.clusters ?? [],
    detail: [spec?.schedule, ...images].filter(Boolean).join(' · '),
  };
}

function otherRow({ name, namespace, clusters, propagationPolicies, creationTimestamp }: CustomResource): Told {
  const applied = clusters.filter((cluster) => cluster.applied).length;
  return {
    name,
    namespace,
    state: clusters.length === 0 ? 'unknown' : applied === clusters.length ? 'healthy' : 'progressing',
    count: clusters.length === 0 ? '' : `${applied}/${clusters.length}`,
    clusters,
    detail: propagationPolicies.join(', '),
    createdAt: Number(creationTimestamp),
  };
}

function named(metadata: { name: string; namespace: string; creationTimestamp: bigint } | undefined) {
  const { name = '', namespace = '', creationTimestamp = 0n } = metadata ?? {};
  return { name, namespace, createdAt: Number(creationTimestamp) };
}
