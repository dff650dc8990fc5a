/**
 * What becomes of a binding's eviction tasks: kept, done, or taken back. Pure.
 *
 * As karmada v1.18 pkg/controllers/gracefuleviction a task is done (and what it kept in its cluster goes) when it is
 * older than its grace period, or when the scheduler has answered and every target is healthy; `suppressDeletion` keeps
 * it for ever when true and ends it at once when false. Different from Karmada (karmada#7455), unless told otherwise:
 * while the scheduler has found no place and no target is healthy, the copy of a task is the last one, and is kept
 * however old the task is; and a task whose cause is over before a place was found is taken back, so that the workload
 * is not left without a cluster in the middle of clusters that would do (karmada#5803).
 *
 * Start at {@link assessTasks}.
 */
import { rfc3339 } from '#base/clock.ts';
import {
  type AggregatedStatusItem,
  type GracefulEvictionTask,
  isPurgedDirectly,
  type TargetCluster,
} from '#karmada/apis/index.ts';
import { evictedTarget } from './evict-cluster.ts';

export interface AssessInput {
  readonly tasks: readonly GracefulEvictionTask[];
  readonly targets: readonly TargetCluster[];
  readonly aggregated: readonly AggregatedStatusItem[];
  /** Whether the scheduler has answered to the binding as it is now. */
  readonly scheduled: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** For tasks without a grace period of their own. */
  readonly timeoutMs: number;
  /** Let the last copy go when its time is over, as Karmada does. */
  readonly evictLastCopy?: boolean;
  /** Whether what a task was made for is no longer so. */
  readonly isOver?: (task: GracefulEvictionTask) => boolean;
}

export interface Assessment {
  readonly tasks: readonly GracefulEvictionTask[];
  /** Clusters whose task is done: nothing is kept there any more. */
  readonly evicted: readonly string[];
  /** Clusters whose copy is kept beyond its time, because it is the last. */
  readonly lastCopies: readonly string[];
  /** Clusters whose task is taken back: they are targets again. */
  readonly returned: readonly TargetCluster[];
  /** When to look again, in milliseconds from now; absent when only a change can bring news. */
  readonly nextMs?: number;
}

type Fate = 'keep' | 'evict' | 'protect' | 'return';

export function assessTasks(input: AssessInput): Assessment {
  const stamped = input.tasks.map((task) => ({ task: stamp(task, input.now), fate: fateOf(task, input) }));
  const of = (...fates: readonly Fate[]) => stamped.filter(({ fate }) => fates.includes(fate)).map(({ task }) => task);
  const waiting = of('keep').filter(({ suppressDeletion }) => suppressDeletion === undefined);
  const remaining = waiting.map((task) => endOf(task, input.timeoutMs) - input.now);
  return {
    tasks: of('keep', 'protect'),
    evicted: of('evict').map(({ fromCluster }) => fromCluster),
    lastCopies: of('protect').map(({ fromCluster }) => fromCluster),
    returned: of('return').map(evictedTarget),
    ...(remaining.length > 0 ? { nextMs: Math.max(0, Math.min(...remaining)) } : {}),
  };
}

function stamp(task: GracefulEvictionTask, now: number): GracefulEvictionTask {
  return task.creationTimestamp === undefined ? { ...task, creationTimestamp: rfc3339(now) } : task;
}

function fateOf(task: GracefulEvictionTask, input: AssessInput): Fate {
  if (task.creationTimestamp === undefined) return 'keep';
  if (task.suppressDeletion !== undefined) return task.suppressDeletion ? 'keep' : 'evict';
  const placed = input.scheduled && input.targets.length > 0;
  if (placed && allHealthy(input)) return 'evict';
  if (!placed && input.isOver?.(task)) return 'return';
  if (endOf(task, input.timeoutMs) > input.now) return 'keep';
  // What was purged directly is gone already: there is no copy left to be kept.
  const isLast = !placed && !someHealthy(input) && !isPurgedDirectly(task.purgeMode);
  return isLast && !input.evictLastCopy ? 'protect' : 'evict';
}

function endOf({ creationTimestamp = '', gracePeriodSeconds }: GracefulEvictionTask, timeoutMs: number): number {
  return Date.parse(creationTimestamp) + (gracePeriodSeconds === undefined ? timeoutMs : gracePeriodSeconds * 1_000);
}

function allHealthy({ targets, aggregated }: AssessInput): boolean {
  return targets.every(({ name }) => isHealthy(name, aggregated));
}

function someHealthy({ targets, aggregated }: AssessInput): boolean {
  return targets.some(({ name }) => isHealthy(name, aggregated));
}

function isHealthy(cluster: string, aggregated: readonly AggregatedStatusItem[]): boolean {
  return aggregated.some(({ clusterName, health }) => clusterName === cluster && health === 'Healthy');
}
