/** The clusters that passed every filter, with what decides among them: tier, score and capacity. */
import type { BindingSpec, Cluster, Placement } from '#karmada/apis/index.ts';
import { clusterMatches } from '#karmada/selector/index.ts';
import { assignedReplicas, targets } from './binding-spec.ts';
import type { Estimator } from './estimator.ts';
import type { Capacity, PluginScore } from './explanation.ts';

export interface Candidate {
  readonly name: string;
  readonly cluster: Cluster;
  readonly scores: readonly PluginScore[];
  readonly score: number;
  /** 0 for the affinity itself, then its overflow tiers; the lower tier is filled first. */
  readonly tier: number;
  /** What it could take beyond what it has. */
  readonly allocatable: number;
  /** That and what it has. */
  readonly available: number;
  /** Absent where nothing has replicas, and nothing was estimated. */
  readonly capacity?: Capacity;
}

const MAX_INT32 = 2 ** 31 - 1;
/** The tier of a cluster no affinity mentions: behind all others. */
const NO_TIER = 1000;

/** In the order in which Karmada prefers them: tier, score, capacity, name. */
export function candidatesOf(
  spec: BindingSpec,
  placement: Placement,
  affinityName: string,
  clusters: readonly Cluster[],
  estimators: readonly Estimator[],
): readonly Candidate[] {
  return clusters.map((cluster) => candidateOf(spec, placement, affinityName, cluster, estimators)).sort(byPreference);
}

export function byPreference(a: Candidate, b: Candidate): number {
  return a.tier - b.tier || b.score - a.score || b.available - a.available || (a.name < b.name ? -1 : 1);
}

function candidateOf(
  spec: BindingSpec,
  placement: Placement,
  affinityName: string,
  cluster: Cluster,
  estimators: readonly Estimator[],
): Candidate {
  const { name } = cluster.metadata;
  const scores = scoresOf(spec, cluster);
  const capacity = capacityOf(spec, cluster, estimators);
  return {
    name,
    cluster,
    scores,
    score: scores.reduce((sum, { score }) => sum + score, 0),
    tier: tierOf(placement, affinityName, cluster),
    allocatable: capacity?.allocatable ?? MAX_INT32,
    available: capacity?.available ?? MAX_INT32 + assignedReplicas(spec, name),
    ...(capacity ? { capacity } : {}),
  };
}

function scoresOf(spec: BindingSpec, cluster: Cluster): readonly PluginScore[] {
  const here = targets(spec, cluster);
  return [
    { plugin: 'ClusterLocality', score: here ? 100 : 0, ...(here ? { detail: 'already ran here' } : {}) },
    { plugin: 'ClusterAffinity', score: 0 },
  ];
}

function capacityOf(spec: BindingSpec, cluster: Cluster, estimators: readonly Estimator[]): Capacity | undefined {
  const replicas = spec.replicas ?? 0;
  if (replicas === 0 && (spec.components ?? []).length === 0) return undefined;
  const estimates = estimators.map((each) => ({ estimator: each.name, ...each.estimate(cluster, spec) }));
  const known = estimates.flatMap((each) => (each.replicas === undefined ? [] : [each.replicas]));
  const least = Math.min(MAX_INT32, ...known);
  // Nobody sees a limit: as many as are asked for, rather than a number that would overflow in sums.
  const allocatable = least === MAX_INT32 ? replicas : least;
  return { allocatable, available: allocatable + assignedReplicas(spec, cluster.metadata.name), estimates };
}

function tierOf(placement: Placement, affinityName: string, cluster: Cluster): number {
  if (placement.clusterAffinity || !placement.clusterAffinities?.length) return 0;
  const term = placement.clusterAffinities.find((each) => each.affinityName === affinityName);
  if (!term) return NO_TIER;
  if (clusterMatches(cluster, term)) return 0;
  const tier = (term.overflowAffinities ?? []).findIndex((affinity) => clusterMatches(cluster, affinity));
  return tier < 0 ? NO_TIER : tier + 1;
}
