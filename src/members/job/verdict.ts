/** Whether a Job has reached its end, for good or ill. Pure. */
import type { Job, JobCondition, Pod } from '#gen/kube/types.ts';
import { indexOf, parseIndexes } from './indexes.ts';
import { failureAction } from './pod-failure-policy.ts';
import { hasFailed, type Tally } from './tally.ts';

export const FAILURES = 'batch.kubernetes.io/job-index-failure-count';

export interface Verdict {
  readonly is: 'success' | 'failure';
  readonly reason: string;
  readonly message: string;
}

export const isSuspended = ({ spec }: Job) => spec?.suspend === true;

export function conditionOf({ status }: Pick<Job, 'status'>, type: string): JobCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type && condition.status === 'True');
}

/** Once it is decided it stays so; `active` are the pods that still work. */
export function verdictOf(
  job: Job,
  pods: readonly Pod[],
  active: readonly Pod[],
  tally: Tally,
  now: number,
): Verdict | undefined {
  return decided(job) ?? failureOf(job, pods, active, tally, now) ?? successOf(job, active, tally);
}

function decided(job: Job): Verdict | undefined {
  const success = conditionOf(job, 'SuccessCriteriaMet');
  const failure = conditionOf(job, 'FailureTarget');
  const said = success ?? failure;
  return said && { is: success ? 'success' : 'failure', reason: said.reason ?? '', message: said.message ?? '' };
}

function failureOf(
  job: Job,
  pods: readonly Pod[],
  active: readonly Pod[],
  tally: Tally,
  now: number,
): Verdict | undefined {
  const fail = (reason: string, message: string): Verdict => ({ is: 'failure', reason, message });
  const policy = pods
    .filter((pod) => hasFailed(job, pod))
    .map((pod) => failureAction(job, pod))
    .find((action) => action?.action === 'FailJob');
  if (policy) return fail('PodFailurePolicy', policy.message);
  const limit = job.spec?.backoffLimit ?? 6;
  if (tally.failed > limit || restartsOf(job, active) > limit)
    return fail('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  const deadline = deadlineOf(job);
  if (deadline !== undefined && deadline <= now)
    return fail('DeadlineExceeded', 'Job was active longer than specified deadline');
  return failedByIndexes(job, pods, tally, fail);
}

/** Containers restarted in place are failures too; at the limit, the next one is one too many. */
function restartsOf({ spec }: Job, active: readonly Pod[]): number {
  if (spec?.template.spec?.restartPolicy !== 'OnFailure') return 0;
  const statuses = active
    .filter(({ status }) => status?.phase === 'Running' || status?.phase === 'Pending')
    .flatMap(({ status }) => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]);
  const restarts = statuses.reduce((sum, { restartCount }) => sum + restartCount, 0);
  return restarts > 0 && restarts >= (spec.backoffLimit ?? 6) ? Number.POSITIVE_INFINITY : 0;
}

/** When it will have been active for too long. */
export function deadlineOf(job: Job): number | undefined {
  const { activeDeadlineSeconds } = job.spec ?? {};
  const { startTime } = job.status ?? {};
  if (activeDeadlineSeconds === undefined || !startTime || isSuspended(job)) return undefined;
  return Date.parse(startTime) + activeDeadlineSeconds * 1000;
}

function failedByIndexes(
  job: Job,
  pods: readonly Pod[],
  { completed }: Tally,
  fail: (reason: string, message: string) => Verdict,
): Verdict | undefined {
  const failed = failedIndexes(job, pods);
  if (!failed) return undefined;
  const { maxFailedIndexes, completions = 0 } = job.spec ?? {};
  if (maxFailedIndexes !== undefined && failed.size > maxFailedIndexes)
    return fail('MaxFailedIndexesExceeded', 'Job has exceeded the specified maximal number of failed indexes');
  return failed.size > 0 && failed.size + completed.size >= completions
    ? fail('FailedIndexes', 'Job has failed indexes')
    : undefined;
}

/** The indexes that have used up their tries; undefined for a Job that does not count by index. */
export function failedIndexes(job: Job, pods: readonly Pod[]): ReadonlySet<number> | undefined {
  const limit = job.spec?.backoffLimitPerIndex;
  if (limit === undefined) return undefined;
  const failed = new Set(parseIndexes(job.status?.failedIndexes));
  for (const pod of pods.filter((one) => hasFailed(job, one))) {
    const index = indexOf(pod);
    if (index === undefined) continue;
    const action = failureAction(job, pod)?.action;
    if (action === 'FailIndex' || (action !== 'Ignore' && failuresOf(pod) >= limit)) failed.add(index);
  }
  return failed;
}

/** How often its index had failed before a pod was made. */
export const failuresOf = ({ metadata }: Pod) => Number(metadata.annotations?.[FAILURES] ?? 0) || 0;

function successOf(job: Job, active: readonly Pod[], { succeeded, completed }: Tally): Verdict | undefined {
  const rules = job.spec?.successPolicy?.rules ?? [];
  const index = rules.findIndex(({ succeededIndexes, succeededCount }) => {
    const wanted = succeededIndexes === undefined ? undefined : parseIndexes(succeededIndexes);
    const met = wanted ? completed.intersection(wanted).size : completed.size;
    return wanted?.size === met || (succeededCount !== undefined && met >= succeededCount);
  });
  if (index >= 0) return { is: 'success', reason: 'SuccessPolicy', message: `Matched rules at index ${index}` };
  const { completions } = job.spec ?? {};
  const enough = completions === undefined ? succeeded > 0 : succeeded >= completions;
  if (!enough || active.length > 0) return undefined;
  return { is: 'success', reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' };
}
