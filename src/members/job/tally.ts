/**
 * Which pods of a Job have ended how, counted so that none is counted twice or forgotten. Pure.
 *
 * As Kubernetes: every pod carries a finalizer until it is counted. A pod that has ended is first noted by its uid in the
 * status, then let go, and only when it carries the finalizer no more does the note become a count. Whoever is stopped in
 * between finds in the status and the pods what is left to do. Successes of an Indexed Job are noted by their index.
 */
import type { Job, Pod } from '#gen/kube/types.ts';
import { formatIndexes, indexOf, parseIndexes } from './indexes.ts';
import { failureAction } from './pod-failure-policy.ts';

export const TRACKING = 'batch.kubernetes.io/job-tracking';

export interface Tally {
  /** All that have ended, counted or noted. */
  readonly succeeded: number;
  readonly failed: number;
  readonly completed: ReadonlySet<number>;
  /** Of these, what may be reported as counted already. */
  readonly counted: { readonly succeeded: number; readonly failed: number };
  readonly noted: { readonly succeeded: readonly string[]; readonly failed: readonly string[] };
  /** Pods that are noted in the stored status, and may go. */
  readonly release: readonly Pod[];
  readonly completedIndexes: string;
}

export const isIndexed = ({ spec }: Job) => spec?.completionMode === 'Indexed';

export const isTracked = ({ metadata }: Pod) => metadata.finalizers?.includes(TRACKING) ?? false;

/** A pod that is told to go counts as failed, unless the Job wants to see it end first. */
export function hasFailed(job: Job, { metadata, status }: Pod): boolean {
  if (status?.phase === 'Failed') return true;
  if (replacesOnlyFailed(job)) return false;
  return metadata.deletionTimestamp !== undefined && status?.phase !== 'Succeeded';
}

export function replacesOnlyFailed({ spec }: Job): boolean {
  return spec?.podReplacementPolicy === 'Failed' || spec?.podFailurePolicy !== undefined;
}

const uidOf = ({ metadata }: Pod) => metadata.uid ?? '';

export function tallyOf(job: Job, pods: readonly Pod[]): Tally {
  const tracked = new Map(pods.filter(isTracked).map((pod) => [uidOf(pod), pod]));
  const known = {
    succeeded: job.status?.uncountedTerminatedPods?.succeeded ?? [],
    failed: job.status?.uncountedTerminatedPods?.failed ?? [],
  };
  const still = (uids: readonly string[]) => uids.filter((uid) => tracked.has(uid));
  const ended = [...tracked.values()];
  const succeeded = ended.filter(({ status }) => status?.phase === 'Succeeded');
  const failed = ended.filter((pod) => hasFailed(job, pod) && failureAction(job, pod)?.action !== 'Ignore');
  const ignored = ended.filter((pod) => hasFailed(job, pod) && failureAction(job, pod)?.action === 'Ignore');

  const before = parseIndexes(job.status?.completedIndexes);
  const indexed = isIndexed(job);
  const now = new Set([...before, ...succeeded.flatMap((pod) => validIndex(job, pod) ?? [])]);
  const counted = {
    succeeded: indexed
      ? now.size
      : (job.status?.succeeded ?? 0) + known.succeeded.length - still(known.succeeded).length,
    failed: (job.status?.failed ?? 0) + known.failed.length - still(known.failed).length,
  };
  const noted = {
    succeeded: indexed ? [] : union(still(known.succeeded), succeeded.map(uidOf)),
    failed: union(still(known.failed), failed.map(uidOf)),
  };
  const isNoted = (pod: Pod) =>
    known.succeeded.includes(uidOf(pod)) ||
    known.failed.includes(uidOf(pod)) ||
    (indexed && pod.status?.phase === 'Succeeded' && before.has(indexOf(pod) ?? -1));
  return {
    succeeded: counted.succeeded + noted.succeeded.length,
    failed: counted.failed + noted.failed.length,
    completed: now,
    counted,
    noted,
    release: [...ended.filter(isNoted), ...ignored],
    completedIndexes: formatIndexes(now),
  };
}

function validIndex({ spec }: Job, pod: Pod): number | undefined {
  const index = indexOf(pod);
  return index !== undefined && index < (spec?.completions ?? 0) ? index : undefined;
}

const union = (a: readonly string[], b: readonly string[]) => [...new Set([...a, ...b])];
