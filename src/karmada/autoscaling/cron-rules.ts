/**
 * What a CronFederatedHPA has done and will do next, as its status tells. Pure.
 *
 * As karmada v1.18 pkg/controllers/cronfederatedhpa: each rule has a history with its newest executions first; a rule
 * that is suspended has no next time, a rule that is gone has no history. What was missed while nobody looked is not
 * made up for.
 */
import { rfc3339 } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import type { CronFederatedHpa, CronRule, ExecutionHistory } from '#karmada/apis/index.ts';
import { nextRun } from './next-run.ts';

/** When each rule runs next, and the rule that was meant; by name. */
export type CronPlan = ReadonlyMap<string, { readonly rule: CronRule; readonly at: number | undefined }>;

export const NO_PLAN: CronPlan = new Map();

/** The plan for the rules as they are; a rule that has not changed keeps its time, even one that has come. */
export function planned(rules: readonly CronRule[], before: CronPlan, now: number, timeZone: string): CronPlan {
  return new Map(
    rules.map((rule) => {
      const known = before.get(rule.name);
      return [rule.name, known && jsonEqual(known.rule, rule) ? known : { rule, at: timeOf(rule, now, timeZone) }];
    }),
  );
}

/** The rules whose time has come, the earliest first. */
export function dueRules(plan: CronPlan, now: number): readonly { readonly rule: CronRule; readonly at: number }[] {
  return [...plan.values()]
    .flatMap(({ rule, at }) => (at !== undefined && at <= now ? [{ rule, at }] : []))
    .sort((a, b) => a.at - b.at);
}

/** The plan after those have run. */
export function advanced(plan: CronPlan, now: number, timeZone: string): CronPlan {
  return new Map(
    [...plan].map(([name, { rule, at }]) => {
      const isDue = at !== undefined && at <= now;
      return [name, { rule, at: isDue ? timeOf(rule, now, timeZone) : at }];
    }),
  );
}

/** How long until the next rule runs, in milliseconds; undefined when none ever does. */
export function untilNext(plan: CronPlan, now: number): number | undefined {
  const times = [...plan.values()].flatMap(({ at }) => at ?? []);
  return times.length > 0 ? Math.max(0, Math.min(...times) - now) : undefined;
}

function timeOf({ schedule, suspend, timeZone }: CronRule, now: number, otherwise: string): number | undefined {
  return suspend ? undefined : nextRun(schedule, now, timeZone ?? otherwise);
}

export interface Execution {
  readonly rule: CronRule;
  /** When it was due, and when it ran, in milliseconds since the epoch. */
  readonly at: number;
  readonly ranAt: number;
  readonly failure?: string;
}

const DEFAULT_HISTORY_LIMIT = 3;

/** The histories of all rules, with what has just been executed. */
export function executionHistories(
  { status }: Pick<CronFederatedHpa, 'status'>,
  plan: CronPlan,
  executions: readonly Execution[],
): readonly ExecutionHistory[] {
  const before = status?.executionHistories ?? [];
  const known = before.flatMap(({ ruleName }) => (plan.has(ruleName) ? [ruleName] : []));
  return [...new Set([...known, ...plan.keys()])].map((ruleName) => {
    const history = before.find((each) => each.ruleName === ruleName);
    const at = plan.get(ruleName)?.at;
    const { nextExecutionTime: _old, ...kept } = history ?? { ruleName };
    const next = at === undefined ? kept : { ...kept, nextExecutionTime: rfc3339(at) };
    return executions.filter(({ rule }) => rule.name === ruleName).reduce(withExecution, next);
  });
}

function withExecution(history: ExecutionHistory, { rule, at, ranAt, failure }: Execution): ExecutionHistory {
  const times = { scheduleTime: rfc3339(at), executionTime: rfc3339(ranAt) };
  if (failure !== undefined) {
    const limit = rule.failedHistoryLimit ?? DEFAULT_HISTORY_LIMIT;
    const failed = [{ ...times, message: failure }, ...(history.failedExecutions ?? [])].slice(0, limit);
    return { ...history, failedExecutions: failed };
  }
  const { targetReplicas, targetMinReplicas, targetMaxReplicas } = rule;
  const applied = {
    ...times,
    ...(targetReplicas === undefined ? {} : { appliedReplicas: targetReplicas }),
    ...(targetMinReplicas === undefined ? {} : { appliedMinReplicas: targetMinReplicas }),
    ...(targetMaxReplicas === undefined ? {} : { appliedMaxReplicas: targetMaxReplicas }),
  };
  const limit = rule.successfulHistoryLimit ?? DEFAULT_HISTORY_LIMIT;
  return { ...history, successfulExecutions: [applied, ...(history.successfulExecutions ?? [])].slice(0, limit) };
}
