/** Workloads of any kind, as one list shows them: asked of the service that knows their kind best. */
import { useQuery } from '@connectrpc/connect-query';
import { keepPreviousData } from '@tanstack/react-query';
import { AppsService } from '#gen/proto/kairship/api/apps/v1alpha1/apps_service_pb.ts';
import type { Deployment } from '#gen/proto/kairship/api/apps/v1alpha1/deployment_pb.ts';
import type { DaemonSet, StatefulSet } from '#gen/proto/kairship/api/apps/v1alpha1/pod_sets_pb.ts';
import { BatchService } from '#gen/proto/kairship/api/batch/v1alpha1/batch_service_pb.ts';
import {
  type CronJob,
  CronJobStatus_CronJobState as CronJobState,
  type Job,
  JobStatus_JobState,
} from '#gen/proto/kairship/api/batch/v1alpha1/job_pb.ts';
import type { ClusterProviderSummary } from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_pb.ts';
import type { PodTemplateSpec } from '#gen/proto/kairship/api/core/v1alpha1/pod_pb.ts';
import { type ObjectMeta, SortBy, SortDir, WorkloadState } from '#gen/proto/kairship/api/types/v1alpha1/types_pb.ts';
import type { State } from '../parts/status.tsx';
import { useLost } from './clusters.ts';
import { heard } from './heard.ts';
import { CRON_JOB, DAEMON_SET, DEPLOYMENT, JOB, type Kind, STATEFUL_SET } from './kinds.ts';

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
  /** Changes wait, or no more jobs are begun. */
  readonly paused: boolean;
  readonly labels: Readonly<Record<string, string>>;
  /** When it last began, for what runs to its end; 0 for what has not. */
  readonly ranAt: number;
}

export interface ListAsked {
  readonly instance: string;
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
  /** One of the states of the kind; empty for all. */
  readonly state: string;
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

export type RowState =
  | 'Running'
  | 'NotReady'
  | 'Waiting'
  | 'Stopped'
  | 'Deleting'
  | 'Completed'
  | 'Failed'
  | 'Activated';

/** By which words the service of each kind calls its states. */
export function statesOf({ kind }: Kind): readonly RowState[] {
  if (kind === JOB.kind) return ['Waiting', 'Running', 'Completed', 'Failed', 'Deleting'];
  if (kind === CRON_JOB.kind) return ['Waiting', 'Activated', 'Stopped', 'Deleting'];
  return ['Running', 'NotReady', 'Waiting', 'Stopped', 'Deleting'];
}

export function useRows(asked: ListAsked) {
  const { instance, kind, namespace, name, page, pageSize } = asked;
  const sortBy = SORTS[asked.by] ?? SortBy.created_at;
  // A state that another kind has is none to ask this one for.
  const phase = statesOf(kind).find((one) => one === asked.state) ?? '';
  const sortDir = asked.descending ? SortDir.desc : SortDir.asc;
  const request = { instance, name, phase, page, pageSize, sortBy, sortDir };
  const lost = useLost(instance);
  const options = (of: Kind, where: 'one' | 'all' | 'any') => ({
    enabled: kind.kind === of.kind && (where === 'any' || (where === 'one') === (namespace !== '')),
    placeholderData: keepPreviousData,
  });
  const inOne = { ...request, namespace };
  const { method: apps } = AppsService;
  const deployments = useQuery(apps.listDeployments, inOne, options(DEPLOYMENT, 'one'));
  const allDeployments = useQuery(apps.listInstanceDeployments, request, options(DEPLOYMENT, 'all'));
  const statefulSets = useQuery(apps.listStatefulSets, inOne, options(STATEFUL_SET, 'one'));
  const allStatefulSets = useQuery(apps.listInstanceStatefulSets, request, options(STATEFUL_SET, 'all'));
  const daemonSets = useQuery(apps.listDaemonSets, inOne, options(DAEMON_SET, 'one'));
  const allDaemonSets = useQuery(apps.listInstanceDaemonSets, request, options(DAEMON_SET, 'all'));
  const jobs = useQuery(BatchService.method.listInstanceJobs, inOne, options(JOB, 'any'));
  const cronJobs = useQuery(BatchService.method.listInstanceCronJobs, inOne, options(CRON_JOB, 'any'));
  const everywhere = namespace === '';
  switch (kind.kind) {
    case STATEFUL_SET.kind:
      return rowsOf(everywhere ? allStatefulSets : statefulSets, statefulSetRow, lost);
    case DAEMON_SET.kind:
      return rowsOf(everywhere ? allDaemonSets : daemonSets, daemonSetRow, lost);
    case JOB.kind:
      return rowsOf(jobs, jobRow, lost);
    case CRON_JOB.kind:
      return rowsOf(cronJobs, cronJobRow, lost);
    default:
      return rowsOf(everywhere ? allDeployments : deployments, deploymentRow, lost);
  }
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

function stateOf(status: { readonly state: WorkloadState } | undefined): State {
  return STATES[status?.state ?? WorkloadState.UNSPECIFIED] ?? 'unknown';
}

function imagesOf(spec: { readonly template?: PodTemplateSpec | undefined } | undefined): string {
  return spec?.template?.spec?.containers.map(({ image }) => image).join(', ') ?? '';
}

function deploymentRow({ metadata, spec, status }: Deployment): Told {
  return {
    ...named(metadata),
    state: stateOf(status),
    count: `${status?.readyReplicas ?? 0}/${status?.replicas ?? 0}`,
    clusters: status?.clusters ?? [],
    detail: imagesOf(spec),
    paused: spec?.paused ?? false,
  };
}

function statefulSetRow({ metadata, spec, status }: StatefulSet): Told {
  return {
    ...named(metadata),
    state: stateOf(status),
    count: `${status?.readyReplicas ?? 0}/${status?.replicas ?? 0}`,
    clusters: status?.clusters ?? [],
    detail: imagesOf(spec),
  };
}

function daemonSetRow({ metadata, spec, status }: DaemonSet): Told {
  return {
    ...named(metadata),
    state: stateOf(status),
    count: `${status?.numberReady ?? 0}/${status?.desiredNumberScheduled ?? 0}`,
    clusters: status?.clusters ?? [],
    detail: imagesOf(spec),
  };
}

export const JOB_STATES: Readonly<Record<number, State>> = {
  [JobStatus_JobState.Completed]: 'healthy',
  [JobStatus_JobState.Failed]: 'blocked',
  [JobStatus_JobState.Running]: 'progressing',
  [JobStatus_JobState.Waiting]: 'progressing',
};

function jobRow({ metadata, spec, status, executionTimestamp }: Job): Told {
  const { active = 0, succeed = 0, failed = 0, phase = JobStatus_JobState.JOB_STATE_UNSPECIFIED } = status ?? {};
  return {
    ...named(metadata),
    state: JOB_STATES[phase] ?? 'unknown',
    count: `${succeed}/${active + succeed + failed}`,
    clusters: status?.clusters ?? [],
    detail: imagesOf(spec),
    ranAt: Number(executionTimestamp),
  };
}

const CRON_STATES: Readonly<Record<number, State>> = {
  [CronJobState.Activated]: 'healthy',
  [CronJobState.Waiting]: 'healthy',
  [CronJobState.Deleting]: 'progressing',
};

function cronJobRow({ metadata, spec, status, images, availed, total, executionTimestamp }: CronJob): Told {
  const paused = spec?.paused ?? false;
  return {
    ...named(metadata),
    state: paused ? 'unknown' : (CRON_STATES[status?.phase ?? 0] ?? 'unknown'),
    count: total > 0 ? `${availed}/${total}` : '',
    clusters: status?.clusters ?? [],
    detail: [spec?.schedule, ...images].filter(Boolean).join(' · '),
    paused,
    ranAt: Number(executionTimestamp),
  };
}

function named(metadata: ObjectMeta | undefined) {
  const { name = '', namespace = '', creationTimestamp = 0n, labels = {} } = metadata ?? {};
  return { name, namespace, labels, createdAt: Number(creationTimestamp), paused: false, ranAt: 0 };
}
