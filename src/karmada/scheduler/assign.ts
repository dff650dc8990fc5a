/**
 * Shares the replicas out among the selected clusters.
 *
 * As karmada v1.18 pkg/scheduler/core/{assignment,division_algorithm,common}.go. Duplicated gives everybody all.
 * Static weights divide anew each time. By capacity (dynamic weight, aggregated) only the difference moves: scaling up
 * divides what is new by free capacity, scaling down divides what remains by what each had; a fresh start divides
 * everything by free capacity and what each had. Overflow tiers are filled one after the other.
 */
import type { BindingSpec, Placement, StaticClusterWeight, TargetCluster } from '#karmada/apis/index.ts';
import { clusterMatches } from '#karmada/selector/index.ts';
import { sumOfReplicas } from './binding-spec.ts';
import type { Candidate } from './candidates.ts';
import type { Mode, Strategy } from './explanation.ts';
import { type Tie, webster } from './webster.ts';

export interface AssignRequest {
  readonly spec: BindingSpec;
  readonly placement: Placement;
  readonly candidates: readonly Candidate[];
  readonly strategy: Strategy;
  readonly mode: Mode;
  /** Whether the affinity group in force has overflow tiers. */
  readonly overflows: boolean;
}

export interface Assignment {
  /** Only clusters that got something. */
  readonly clusters: readonly TargetCluster[];
  readonly steps: readonly string[];
  readonly shares: ReadonlyMap<string, Share>;
}

/** How a cluster came to its count. */
export interface Share {
  readonly weight?: number;
  readonly arithmetic: string;
}

export interface AssignmentFailure {
  readonly failure: { readonly type: 'unschedulable' | 'error'; readonly message: string };
  readonly steps: readonly string[];
}

export function assign(request: AssignRequest): Assignment | AssignmentFailure {
  const { candidates, strategy, spec } = request;
  if (candidates.length === 0) {
    return { failure: { type: 'error', message: 'no clusters available to schedule' }, steps: [] };
  }
  if (strategy === 'Propagated') return propagate(candidates);
  if (request.overflows) return assignTiers(request);
  return assignReplicas(request, candidates, spec.replicas ?? 0);
}

function propagate(candidates: readonly Candidate[]): Assignment {
  return {
    clusters: candidates.map(({ name }) => ({ name })),
    steps: ['has no replicas to share out: every selected cluster gets it'],
    shares: new Map(candidates.map(({ name }) => [name, { arithmetic: 'has no replicas to share out' }])),
  };
}

/** Each tier gets as much as it can hold before the next is asked. */
function assignTiers(request: AssignRequest): Assignment | AssignmentFailure {
  const steps: string[] = [];
  const clusters: TargetCluster[] = [];
  const shares = new Map<string, Share>();
  let remaining = request.spec.replicas ?? 0;
  for (const tier of [...new Set(request.candidates.map((each) => each.tier))].sort((a, b) => a - b)) {
    const members = request.candidates.filter((each) => each.tier === tier);
    const room = members.reduce((sum, each) => sum + each.available, 0);
    const replicas = Math.min(remaining, room);
    steps.push(`tier ${tier}: ${replicas} of ${remaining} replicas, room for ${room}`);
    const part = assignReplicas(request, members, replicas);
    if ('failure' in part) return { ...part, steps: [...steps, ...part.steps] };
    clusters.push(...part.clusters);
    steps.push(...part.steps);
    for (const [name, share] of part.shares) shares.set(name, share);
    remaining -= replicas;
    if (remaining <= 0) return { clusters, steps, shares };
  }
  const message = 'Clusters available replicas are not enough to schedule.';
  return { failure: { type: 'unschedulable', message }, steps };
}

function assignReplicas(
  request: AssignRequest,
  candidates: readonly Candidate[],
  replicas: number,
): Assignment | AssignmentFailure {
  switch (request.strategy) {
    case 'Duplicated':
      return duplicate(candidates, replicas);
    case 'StaticWeight':
      return divideByStaticWeight(request, candidates, replicas);
    default:
      return divideByCapacity(request, candidates, replicas);
  }
}

function duplicate(candidates: readonly Candidate[], replicas: number): Assignment {
  const arithmetic = `all ${replicas} replicas: Duplicated`;
  return {
    clusters: candidates.map(({ name }) => ({ name, replicas })).filter(hasReplicas),
    steps: [`Duplicated: ${replicas} replicas on each of ${candidates.length} clusters`],
    shares: new Map(candidates.map(({ name }) => [name, { arithmetic }])),
  };
}

function divideByStaticWeight({ spec, placement }: AssignRequest, candidates: readonly Candidate[], replicas: number) {
  const rules = placement.replicaScheduling?.weightPreference?.staticWeightList;
  const weighed = candidates.map((candidate) => ({ name: candidate.name, weight: staticWeight(candidate, rules) }));
  const matched = weighed.filter(({ weight }) => weight > 0);
  const weights = matched.length > 0 ? matched : weighed.map(({ name }) => ({ name, weight: 1 }));
  const shares = new Map<string, Share>();
  for (const { name } of weighed) shares.set(name, { weight: 0, arithmetic: 'matches no entry of the static weights' });
  return divide({ kept: [], weights, replicas, uid: spec.resource.uid, what: 'the weight', shares });
}

/** The greatest weight of the rules that match; everybody weighs 1 when there are no rules at all. */
function staticWeight({ cluster }: Candidate, rules: readonly StaticClusterWeight[] | undefined): number {
  if (!rules) return 1;
  return Math.max(
    0,
    ...rules.filter((rule) => clusterMatches(cluster, rule.targetCluster)).map(({ weight }) => weight),
  );
}

interface Weight {
  readonly name: string;
  readonly weight: number;
}

function divideByCapacity(request: AssignRequest, candidates: readonly Candidate[], replicas: number) {
  const { spec, mode } = request;
  const names = new Set(candidates.map(({ name }) => name));
  const previous = (spec.clusters ?? []).filter(({ name }) => names.has(name));
  const assigned = sumOfReplicas(previous);
  if (mode === 'Fresh') return freshly(request, candidates, previous, replicas);
  if (assigned > replicas) return scaleDown(request, previous, replicas);
  if (assigned < replicas) return scaleUp(request, candidates, previous, replicas - assigned);
  return unchanged(previous, replicas);
}

function unchanged(previous: readonly TargetCluster[], replicas: number): Assignment {
  return {
    clusters: previous.filter(hasReplicas),
    steps: [`all ${replicas} replicas stay where they are`],
    shares: new Map(previous.map(({ name, replicas: had = 0 }) => [name, { arithmetic: `keeps its ${had}` }])),
  };
}

function scaleDown(request: AssignRequest, previous: readonly TargetCluster[], replicas: number) {
  const weights = byWeight(previous.map(({ name, replicas: had = 0 }) => ({ name, weight: had })));
  return capacityDivision(request, {
    weights,
    kept: [],
    replicas,
    prior: [],
    what: 'what ran before',
    doing: 'scale down',
  });
}

function scaleUp(
  request: AssignRequest,
  candidates: readonly Candidate[],
  kept: readonly TargetCluster[],
  more: number,
) {
  const weights = byWeight(candidates.map(({ name, allocatable }) => ({ name, weight: allocatable })));
  return capacityDivision(request, {
    weights,
    kept,
    replicas: more,
    prior: kept.filter(hasReplicas).map(({ name }) => name),
    what: 'the free capacity',
    doing: 'scale up',
  });
}

function freshly(
  request: AssignRequest,
  candidates: readonly Candidate[],
  previous: readonly TargetCluster[],
  replicas: number,
) {
  const had = new Map(previous.map(({ name, replicas: count = 0 }) => [name, count]));
  const weights = byWeight(
    candidates.map(({ name, allocatable }) => ({ name, weight: allocatable + (had.get(name) ?? 0) })),
  );
  return capacityDivision(request, {
    weights,
    kept: [],
    replicas,
    prior: [],
    what: 'the capacity',
    doing: 'do fresh scale',
  });
}

interface CapacityDivision {
  readonly weights: readonly Weight[];
  /** What is not touched. */
  readonly kept: readonly TargetCluster[];
  /** What is to be divided. */
  readonly replicas: number;
  /** Clusters that Aggregated fills first. */
  readonly prior: readonly string[];
  readonly what: string;
  /** As Karmada names the step in its errors. */
  readonly doing: string;
}

function capacityDivision(
  { strategy, spec }: AssignRequest,
  division: CapacityDivision,
): Assignment | AssignmentFailure {
  const { weights, kept, replicas, prior, what, doing } = division;
  const room = weights.reduce((sum, { weight }) => sum + weight, 0);
  if (room < replicas) {
    const message = `failed to ${doing}: Clusters available replicas ${room} are not enough to schedule.`;
    return { failure: { type: 'unschedulable', message }, steps: [`room for ${room}, ${replicas} wanted`] };
  }
  const shares = new Map<string, Share>();
  if (strategy !== 'Aggregated') return divide({ kept, weights, replicas, uid: spec.resource.uid, what, shares });
  const few = fewest(weights, prior, replicas);
  for (const { name, weight } of weights) shares.set(name, { weight, arithmetic: notNeeded(few) });
  return divide({ kept, weights: few, replicas, uid: spec.resource.uid, what, shares });
}

function notNeeded(few: readonly Weight[]): string {
  return `not needed: ${few.map(({ name }) => name).join(', ')} ${few.length === 1 ? 'holds' : 'hold'} all (Aggregated)`;
}

/** The first clusters, those in use before the others, that hold the replicas together. */
function fewest(weights: readonly Weight[], prior: readonly string[], replicas: number): readonly Weight[] {
  const inUse = weights.filter(({ name }) => prior.includes(name));
  const ordered = [...inUse, ...weights.filter(({ name }) => !prior.includes(name))];
  let sum = 0;
  const enough = ordered.findIndex(({ weight }) => {
    sum += weight;
    return sum >= replicas;
  });
  return enough < 0 ? ordered : ordered.slice(0, enough + 1);
}

/** Greatest first; equal ones keep their order. */
function byWeight(weights: readonly Weight[]): readonly Weight[] {
  return weights.toSorted((a, b) => b.weight - a.weight);
}

interface Dividing {
  readonly kept: readonly TargetCluster[];
  readonly weights: readonly Weight[];
  readonly replicas: number;
  readonly uid: string | undefined;
  readonly what: string;
  /** What is said of clusters that take no part; those that do are added. */
  readonly shares: Map<string, Share>;
}

function divide({ kept, weights, replicas, uid, what, shares }: Dividing): Assignment {
  const total = weights.reduce((sum, { weight }) => sum + weight, 0);
  const parties = weights.map(({ name, weight }) => ({ name, votes: weight }));
  const { seats, tie } = webster(replicas, parties, uid);
  const had = new Map(kept.map(({ name, replicas: count = 0 }) => [name, count]));
  for (const { name, replicas: count = 0 } of kept) shares.set(name, { arithmetic: `keeps its ${count}` });
  for (const { name, weight } of weights) {
    const share = shareText(weight, total, replicas, what, seats.get(name) ?? 0);
    shares.set(name, { weight, arithmetic: had.get(name) ? `keeps its ${had.get(name)}, plus ${share}` : share });
  }
  const divided = Array.from(seats, ([name, count]) => ({ name, replicas: count + (had.get(name) ?? 0) }));
  const untouched = kept.filter(({ name }) => !seats.has(name));
  return {
    clusters: [...divided, ...untouched].filter(hasReplicas),
    steps: divisionSteps(parties.length, tie),
    shares,
  };
}

function divisionSteps(parties: number, tie: Tie | undefined): readonly string[] {
  const method = `divided among ${parties} clusters by Webster's method`;
  if (!tie) return [method];
  return [method, `tie for the last replica: ${tie.winner} before ${tie.losers.join(', ')} (${tie.rule})`];
}

/** `24/64 of the weight × 8 replicas = 3`, or with the exact share when that is no whole number. */
function shareText(weight: number, total: number, replicas: number, what: string, count: number): string {
  const product = `${weight}/${total} of ${what} × ${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`;
  const exact = total === 0 ? 0 : (weight * replicas) / total;
  return Number.isInteger(exact) && exact === count
    ? `${product} = ${count}`
    : `${product} = ${exact.toFixed(2)}, so ${count}`;
}

function hasReplicas({ replicas = 0 }: TargetCluster): boolean {
  return replicas > 0;
}
