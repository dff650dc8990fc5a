/**
 * What would happen if: schedules bindings on a snapshot that has been changed first, and says what would move.
 *
 * It is the scheduler itself on other input, so the answer is what will happen, as long as the estimates hold. As in
 * life, a binding is only scheduled when something makes it: a taint that keeps newcomers away moves nothing. A lost
 * cluster is one whose workloads were evicted.
 */
import type { AnyBinding, Cluster, Placement, Taint, TargetCluster } from '#karmada/apis/index.ts';
import type { Decision, ScheduleInput } from './decision.ts';
import { isScheduled, needsScheduling } from './needs-scheduling.ts';
import { schedule } from './schedule.ts';

export interface Change {
  /** Clusters that fail and are left. */
  readonly lose?: readonly string[];
  /** Clusters that are added, or replace the one of that name. */
  readonly clusters?: readonly Cluster[];
  readonly taint?: readonly { readonly cluster: string; readonly taint: Taint }[];
  /** Of the bindings simulated: another placement, another number of replicas. */
  readonly placement?: Placement;
  readonly replicas?: number;
  /** Start afresh, as a rebalancing does. */
  readonly rebalance?: boolean;
}

export interface SimulateInput extends Pick<ScheduleInput, 'clusters' | 'now' | 'estimators' | 'peers' | 'options'> {
  readonly bindings: readonly AnyBinding[];
  readonly change: Change;
}

export interface Simulation {
  readonly binding: string;
  readonly before: readonly TargetCluster[];
  /** As before when it is not scheduled, or cannot be. */
  readonly after: readonly TargetCluster[];
  /** `nowhere`: it ran somewhere, and would run nowhere; `stuck`: it has less than it asks for, and stays so. */
  readonly verdict: 'unchanged' | 'moved' | 'nowhere' | 'stuck';
  readonly moves: readonly Move[];
  /** Why it would be scheduled, or why not. */
  readonly because: string;
  /** Absent when it would not be scheduled at all. */
  readonly decision?: Decision;
}

/** Replicas that leave, arrive, or go from one cluster to another. */
export interface Move {
  readonly from?: string;
  readonly to?: string;
  readonly replicas: number;
}

export function simulate({ bindings, change, ...input }: SimulateInput): readonly Simulation[] {
  const clusters = changedClusters(input.clusters, change);
  return bindings.map((binding) => simulateOne(binding, { ...input, clusters }, change));
}

function simulateOne(binding: AnyBinding, input: Omit<ScheduleInput, 'binding'>, change: Change): Simulation {
  const changed = changedBinding(binding, change, input.now);
  const name =
    binding.metadata.namespace === undefined
      ? binding.metadata.name
      : `${binding.metadata.namespace}/${binding.metadata.name}`;
  const before = binding.spec.clusters ?? [];
  const remaining = changed.spec.clusters ?? [];
  const looked = isScheduled(changed, changed.spec.schedulerName);
  const need = looked.yes ? needsScheduling(changed, input.clusters) : looked;
  if (!need.yes) return outcome({ binding: name, before, after: remaining, because: need.because });
  const decision = schedule({ ...input, binding: changed, because: need.because });
  return outcome({ binding: name, before, after: decision.clusters ?? remaining, because: need.because, decision });
}

function outcome(result: Omit<Simulation, 'verdict' | 'moves'>): Simulation {
  const moves = movesOf(result.before, result.after);
  return { ...result, moves, verdict: verdictOf(result, moves) };
}

function verdictOf(
  { before, after, decision }: Omit<Simulation, 'verdict' | 'moves'>,
  moves: readonly Move[],
): Simulation['verdict'] {
  if (before.length > 0 && after.length === 0) return 'nowhere';
  if (decision && decision.outcome.type !== 'scheduled') return 'stuck';
  return moves.length === 0 ? 'unchanged' : 'moved';
}

/** What one cluster loses is what another gains, as far as it goes; the largest differences are matched first. */
export function movesOf(before: readonly TargetCluster[], after: readonly TargetCluster[]): readonly Move[] {
  const count = (clusters: readonly TargetCluster[], name: string) => clusters.find((each) => each.name === name);
  const names = [...new Set([...before, ...after].map(({ name }) => name))].sort();
  const differences = names.map((name) => ({ name, by: weight(count(after, name)) - weight(count(before, name)) }));
  const leaving = differences.filter(({ by }) => by < 0).sort((a, b) => a.by - b.by);
  const arriving = differences.filter(({ by }) => by > 0).sort((a, b) => b.by - a.by);
  const moves: Move[] = [];
  for (const from of leaving) {
    for (const to of arriving) {
      const replicas = Math.min(-from.by, to.by);
      if (replicas > 0) moves.push({ from: from.name, to: to.name, replicas });
      from.by += replicas;
      to.by -= replicas;
    }
    if (from.by < 0) moves.push({ from: from.name, replicas: -from.by });
  }
  return [...moves, ...arriving.filter(({ by }) => by > 0).map(({ name, by }) => ({ to: name, replicas: by }))];
}

/** What has no replicas counts as one where it is. */
function weight(target: TargetCluster | undefined): number {
  return target ? (target.replicas ?? 1) : 0;
}

function changedClusters(
  clusters: readonly Cluster[],
  { lose = [], clusters: put = [], taint = [] }: Change,
): readonly Cluster[] {
  const replaced = new Set([...lose, ...put.map(({ metadata }) => metadata.name)]);
  const kept = [...clusters.filter(({ metadata }) => !replaced.has(metadata.name)), ...put];
  return kept.map((cluster) => {
    const added = taint.filter((each) => each.cluster === cluster.metadata.name).map((each) => each.taint);
    if (added.length === 0) return cluster;
    return { ...cluster, spec: { ...cluster.spec, taints: [...(cluster.spec.taints ?? []), ...added] } };
  });
}

function changedBinding(
  binding: AnyBinding,
  { lose = [], placement, replicas, rebalance }: Change,
  now: number,
): AnyBinding {
  const clusters = binding.spec.clusters?.filter(({ name }) => !lose.includes(name));
  return {
    ...binding,
    spec: {
      ...binding.spec,
      ...(clusters ? { clusters } : {}),
      ...(placement ? { placement } : {}),
      ...(replicas === undefined ? {} : { replicas }),
      ...(rebalance ? { rescheduleTriggeredAt: new Date(now).toISOString() } : {}),
    },
  };
}
