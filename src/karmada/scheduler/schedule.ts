/**
 * The scheduler: decides on which clusters a binding runs, and with how many replicas.
 *
 * A decision is a pure function of a binding and a snapshot of the clusters:
 *
 *     filter → score → select → assign        once per affinity group, until one takes it
 *
 * Each step records why, for the clusters it takes and for those it leaves, so a decision carries its own
 * explanation: no reason is ever only in a log. The outcome, its message and the replica counts are those of Karmada
 * v1.18; where that leaves the answer to chance (the order of plugins, of equal clusters), the answer here is fixed.
 * It refuses nothing itself: a binding without a placement is scheduled as if every cluster would do.
 *
 * Start at {@link schedule}; `needsScheduling` says when to call it, `simulate` calls it on a changed snapshot.
 */
import { rfc3339 } from '#base/clock.ts';
import {
  type AnyBinding,
  type ClusterAffinityTerm,
  type Placement,
  SCHEDULED,
  type TargetCluster,
} from '#karmada/apis/index.ts';
import { keyOf } from '#kube/meta/object.ts';
import { appliedPlacement } from './applied-placement.ts';
import { type Assignment, type AssignmentFailure, assign } from './assign.ts';
import { isRescheduleRequired, modeOf, strategyOf } from './binding-spec.ts';
import { type Candidate, candidatesOf } from './candidates.ts';
import type { Decision, Outcome, ScheduleInput } from './decision.ts';
import { explainCluster } from './explain-cluster.ts';
import type { Attempt } from './explanation.ts';
import { type FilteredCluster, isDeleting, noClusterFitMessage, runFilters } from './filters.ts';
import { generalEstimator } from './general-estimator.ts';
import { type Selection, type SelectionFailure, select } from './select.ts';

export function schedule(input: ScheduleInput): Decision {
  const { binding, now, because } = input;
  const placement = binding.spec.placement ?? {};
  const attempts: Attempt[] = [];
  const { clusters, ...verdict } = tryGroups(input, placement, attempts);
  return {
    ...verdict,
    clusters,
    appliedPlacement: appliedPlacement(placement),
    explanation: {
      binding: keyOf(binding),
      generation: binding.metadata.generation ?? 0,
      resource: binding.spec.resource,
      decidedAt: rfc3339(now),
      ...(because === undefined ? {} : { because }),
      replicas: binding.spec.replicas ?? 0,
      strategy: strategyOf(binding.spec, placement),
      mode: modeOf(binding.spec.rescheduleTriggeredAt, binding.status?.lastScheduledTime),
      attempts,
    },
  };
}

/** When every group failed, the first one's failure is what is told: it is the one that was wanted. */
function tryGroups(
  input: ScheduleInput,
  placement: Placement,
  attempts: Attempt[],
): Pick<Decision, 'outcome' | 'clusters' | 'affinityName'> {
  const [wanted, ...others] = groupsToTry(input.binding, placement);
  const first = tryGroup(input, placement, wanted);
  let tried = first;
  attempts.push(first.attempt);
  for (const group of others) {
    if (tried.attempt.outcome.type === 'scheduled') break;
    tried = tryGroup(input, placement, group);
    attempts.push(tried.attempt);
  }
  const { outcome, affinityName } = tried.attempt;
  if (outcome.type === 'scheduled') {
    return { outcome, clusters: tried.clusters, ...(affinityName === undefined ? {} : { affinityName }) };
  }
  const failure = first.attempt.outcome;
  return { outcome: failure, clusters: failure.type === 'noClusterFit' ? [] : undefined };
}

/** From the group in use on, so that nothing moves back by itself; a rebalancing starts over. */
function groupsToTry({ spec, status }: AnyBinding, placement: Placement): readonly (ClusterAffinityTerm | undefined)[] {
  const groups = placement.clusterAffinities ?? [];
  if (isRescheduleRequired(spec.rescheduleTriggeredAt, status?.lastScheduledTime)) return groups;
  const inUse = groups.findIndex(({ affinityName }) => affinityName === status?.schedulerObservingAffinityName);
  return groups.slice(Math.max(0, inUse));
}

interface Tried {
  readonly attempt: Attempt;
  readonly clusters: readonly TargetCluster[];
}

function tryGroup(input: ScheduleInput, placement: Placement, group: ClusterAffinityTerm | undefined): Tried {
  const { binding, options = {} } = input;
  const { spec, status } = binding;
  const affinityName = group?.affinityName ?? '';
  const filtered = filterClusters(input, placement, affinityName);
  const candidates = candidatesOf(
    spec,
    placement,
    affinityName,
    filtered.filter(({ passed }) => passed).map(({ cluster }) => cluster),
    input.estimators ?? [generalEstimator],
  );
  const strategy = strategyOf(spec, placement);
  const selection =
    candidates.length === 0
      ? undefined
      : select({ candidates, placement, replicas: spec.replicas ?? 0, strictSpread: options.strictSpread ?? false });
  const assignment =
    selection && 'chosen' in selection
      ? assign({
          spec,
          placement,
          candidates: selection.chosen,
          strategy,
          mode: modeOf(spec.rescheduleTriggeredAt, status?.lastScheduledTime),
          overflows: !placement.clusterAffinity && group?.overflowAffinities !== undefined,
        })
      : undefined;
  const outcome = outcomeOf(filtered, input.clusters.length, selection, assignment);
  const clusters = resultOf(selection, assignment, options.emptyWorkloadPropagation ?? false);
  const explained = filtered.map((each) =>
    explainCluster({ ...each, spec, strategy, candidates, selection, assignment, outcome, clusters }),
  );
  return {
    clusters,
    attempt: {
      ...(group ? { affinityName } : {}),
      outcome,
      clusters: explained,
      selection: selection?.steps ?? [],
      assignment: assignment?.steps ?? [],
    },
  };
}

/** NotReady clusters are not refused: their taint does that, and a toleration may lift it. */
function filterClusters(input: ScheduleInput, placement: Placement, affinityName: string): readonly FilteredCluster[] {
  const { binding, clusters, peers, options } = input;
  const byName = clusters.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  return byName.map((cluster) => {
    const context = { spec: binding.spec, placement, affinityName, cluster, peers };
    const filters = runFilters(context, options?.disabledPlugins ?? []);
    const passed = !isDeleting(cluster) && filters.every(({ pass }) => pass);
    return { cluster, filters, passed };
  });
}

function outcomeOf(
  filtered: readonly FilteredCluster[],
  total: number,
  selection: Selection | SelectionFailure | undefined,
  assignment: Assignment | AssignmentFailure | undefined,
): Outcome {
  if (!selection) {
    const refusals = filtered.filter(({ cluster }) => !isDeleting(cluster)).map(firstRefusal);
    return { type: 'noClusterFit', message: noClusterFitMessage(refusals, total) };
  }
  if ('failure' in selection) return { type: 'error', message: `failed to select clusters: ${selection.failure}` };
  if (assignment && 'failure' in assignment) {
    const { type, message } = assignment.failure;
    return { type, message: `failed to assign replicas: ${message}` };
  }
  return { type: 'scheduled', message: SCHEDULED.successMessage };
}

function firstRefusal({ filters }: FilteredCluster): string {
  return filters.find(({ pass }) => !pass)?.reason ?? '';
}

function resultOf(
  selection: Selection | SelectionFailure | undefined,
  assignment: Assignment | AssignmentFailure | undefined,
  keepEmpty: boolean,
): readonly TargetCluster[] {
  if (!assignment || 'failure' in assignment || !selection || 'failure' in selection) return [];
  return keepEmpty ? withEmpty(assignment.clusters, selection.chosen) : assignment.clusters;
}

function withEmpty(clusters: readonly TargetCluster[], chosen: readonly Candidate[]): readonly TargetCluster[] {
  const names = new Set(clusters.map(({ name }) => name));
  return [...clusters, ...chosen.filter(({ name }) => !names.has(name)).map(({ name }) => ({ name, replicas: 0 }))];
}
