/**
 * Narrows the candidates down to those the spread constraints want.
 *
 * As karmada v1.18 pkg/scheduler/core/spreadconstraint: without constraints, or when static weights decide anyway,
 * every candidate is taken; a constraint by cluster takes the preferred ones, trading score for capacity where
 * replicas are divided; constraints by region and, as an extension, by zone, provider and label, are `spread.ts`.
 */
import type { Placement, SpreadConstraint } from '#karmada/apis/index.ts';
import { schedulingType } from './binding-spec.ts';
import type { Candidate } from './candidates.ts';
import { dimensionsOf, selectByGroups } from './spread.ts';

export interface Selection {
  readonly chosen: readonly Candidate[];
  readonly steps: readonly string[];
  /** Why a candidate was left out, by name. */
  readonly leftOut: ReadonlyMap<string, string>;
}

/** Karmada words it so: the constraints cannot be met. */
export interface SelectionFailure {
  readonly failure: string;
  readonly steps: readonly string[];
}

export interface SelectRequest {
  readonly candidates: readonly Candidate[];
  readonly placement: Placement;
  readonly replicas: number;
  readonly strictSpread: boolean;
}

export function select(request: SelectRequest): Selection | SelectionFailure {
  const { candidates, placement, strictSpread } = request;
  const constraints = placement.spreadConstraints ?? [];
  if (constraints.length === 0) return all(candidates, 'no spread constraint: every feasible cluster is selected');
  if (weighsStatically(placement)) return all(candidates, 'static weights: spread constraints are not looked at');

  const byCluster = constraints.findLast(({ spreadByField }) => spreadByField === 'cluster');
  const dimensions = dimensionsOf(constraints, strictSpread);
  if (dimensions.length > 0) return selectByGroups(request, dimensions, byCluster);
  if (byCluster) return selectByCluster(request, byCluster);
  return { failure: 'just support cluster and region spread constraint', steps: [] };
}

function all(candidates: readonly Candidate[], step: string): Selection {
  return { chosen: candidates, steps: [step], leftOut: new Map() };
}

function weighsStatically({ replicaScheduling }: Placement): boolean {
  if (!replicaScheduling || replicaScheduling.replicaDivisionPreference !== 'Weighted') return false;
  if ((replicaScheduling.replicaSchedulingType ?? 'Divided') !== 'Divided') return false;
  const weights = replicaScheduling.weightPreference;
  return !weights || ((weights.staticWeightList ?? []).length > 0 && !weights.dynamicWeight);
}

function selectByCluster(request: SelectRequest, constraint: SpreadConstraint): Selection | SelectionFailure {
  const { candidates, placement, replicas } = request;
  const { minGroups = 0, maxGroups = 0 } = constraint;
  if (candidates.length < minGroups) {
    return {
      failure: 'the number of feasible clusters is less than spreadConstraint.MinGroups',
      steps: [`${candidates.length} feasible clusters, at least ${minGroups} wanted`],
    };
  }
  // Quirk of Karmada: without maxGroups no cluster at all is selected.
  const count = Math.min(candidates.length, maxGroups);
  const step = `at most ${maxGroups} of ${candidates.length} feasible clusters, the preferred ones first`;
  if (schedulingType(placement) === 'Duplicated')
    return taken(candidates, candidates.slice(0, count), [step], maxGroups);

  const { chosen, swaps } = tradeForCapacity(candidates, count, replicas);
  if (chosen.length === 0 || available(chosen) < replicas) {
    return { failure: `no enough resource when selecting ${count} clusters`, steps: [step, ...swaps] };
  }
  return taken(candidates, chosen, [step, ...swaps], maxGroups);
}

function taken(
  candidates: readonly Candidate[],
  chosen: readonly Candidate[],
  steps: readonly string[],
  max: number,
): Selection {
  const names = new Set(chosen.map(({ name }) => name));
  const out = candidates.filter(({ name }) => !names.has(name));
  return { chosen, steps, leftOut: new Map(out.map(({ name }) => [name, `spread: at most ${max} clusters`])) };
}

/** Swaps the least preferred of the chosen for the roomiest of the rest, until the replicas fit or nothing helps. */
function tradeForCapacity(candidates: readonly Candidate[], count: number, replicas: number) {
  const chosen = candidates.slice(0, count);
  const rest = candidates.slice(count);
  const swaps: string[] = [];
  for (let index = chosen.length - 1; index >= 0 && available(chosen) < replicas; index--) {
    const leaving = chosen[index];
    const roomiest = leaving && roomierThan(leaving, rest);
    if (!leaving || !roomiest) continue;
    chosen[index] = roomiest;
    rest[rest.indexOf(roomiest)] = leaving;
    swaps.push(`${roomiest.name} (room for ${roomiest.available}) instead of ${leaving.name} (${leaving.available})`);
  }
  return { chosen, swaps };
}

/** The first of the candidates with most room, if that is more than the one that would leave has. */
function roomierThan(leaving: Candidate, candidates: readonly Candidate[]): Candidate | undefined {
  const roomiest = candidates.reduce((best, next) => (next.available > best.available ? next : best), leaving);
  return roomiest === leaving ? undefined : roomiest;
}

function available(candidates: readonly Candidate[]): number {
  return candidates.reduce((sum, candidate) => sum + candidate.available, 0);
}
