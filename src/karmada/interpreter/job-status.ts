/**
 * One Job of many: failed as soon as it failed somewhere, complete when it is complete everywhere.
 *
 * As karmada v1.18 pkg/util/helper/job.go, but for the times of its conditions: those are the latest of the members',
 * so that the same members make the same status.
 */
import type { AggregatedStatusItem } from '#karmada/apis/index.ts';
import { type Fields, listAt, numberAt, stringAt } from './fields.ts';

/** Undefined when the job had finished before. */
export function aggregateJob(old: Fields, items: readonly AggregatedStatusItem[]): Fields | undefined {
  if (finishedAs(old) !== undefined) return undefined;
  const members = items.flatMap(({ clusterName, status }) => (status ? [{ clusterName, status }] : []));
  const conditions = conditionsOf(members, items.length);
  const startTime = stringAt(old, 'startTime') ?? timesOf(members, 'startTime', items.length)[0];
  const completionTime = timesOf(members, 'completionTime', items.length).at(-1);
  return {
    ...countsOf(members),
    ...(conditions.length > 0 ? { conditions } : {}),
    ...(startTime === undefined ? {} : { startTime }),
    ...(completionTime === undefined ? {} : { completionTime }),
  };
}

interface Member {
  readonly clusterName: string;
  readonly status: Fields;
}

function countsOf(members: readonly Member[]): Fields {
  const counts = ['active', 'succeeded', 'failed'].map((field) => {
    return [field, members.reduce((sum, { status }) => sum + (numberAt(status, field) ?? 0), 0)] as const;
  });
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** In order; empty unless all `expected` members have the time. */
function timesOf(members: readonly Member[], field: string, expected: number): readonly string[] {
  const times = members.flatMap(({ status }) => stringAt(status, field) ?? []);
  return times.length === expected ? times.sort() : [];
}

function finishedAs(status: Fields): string | undefined {
  const finished = listAt(status, 'conditions').find(
    ({ type, status: is }) => (type === 'Complete' || type === 'Failed') && is === 'True',
  );
  return stringAt(finished, 'type');
}

function conditionsOf(members: readonly Member[], expected: number): readonly Fields[] {
  const failed = members.filter(({ status }) => finishedAs(status) === 'Failed').map(({ clusterName }) => clusterName);
  const complete = members.filter(({ status }) => finishedAs(status) === 'Complete').length;
  const at = latestTransition(members);
  if (failed.length > 0) {
    return [condition('Failed', 'JobFailed', `Job executed failed in member clusters ${failed.join(',')}`, at)];
  }
  if (complete === 0 || complete < expected) return [];
  const completed = condition('Complete', 'Completed', 'Job completed', at);
  if (!members.every(({ status }) => metSuccessCriteria(status))) return [completed];
  const met = 'All member clusters have met success criteria';
  return [completed, condition('SuccessCriteriaMet', 'CompletionsReached', met, at)];
}

function metSuccessCriteria(status: Fields): boolean {
  return listAt(status, 'conditions').some(({ type, status: is }) => type === 'SuccessCriteriaMet' && is === 'True');
}

function latestTransition(members: readonly Member[]): string | undefined {
  const times = members.flatMap(({ status }) =>
    listAt(status, 'conditions').flatMap((each) => stringAt(each, 'lastTransitionTime') ?? []),
  );
  return times.sort().at(-1);
}

function condition(type: string, reason: string, message: string, at: string | undefined): Fields {
  const times = at === undefined ? {} : { lastProbeTime: at, lastTransitionTime: at };
  return { type, status: 'True', ...times, reason, message };
}
