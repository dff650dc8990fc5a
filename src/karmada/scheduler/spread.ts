/**
 * Spreading over groups of clusters: regions as Karmada does, zones, providers and label values as an extension.
 *
 * The dimensions are worked off one after the other, the widest first: the groups of one are weighed and picked, and
 * only their clusters remain for the next. In the end every group picked gets its best cluster, then the preferred of
 * the rest follow up to the limit by cluster. With region alone this is Karmada's own selection; it ignores what else
 * is constrained, which `strictSpread` keeps.
 */
import type { Placement, SpreadConstraint } from '#karmada/apis/index.ts';
import { schedulingType } from './binding-spec.ts';
import { byPreference, type Candidate } from './candidates.ts';
import type { Selection, SelectionFailure, SelectRequest } from './select.ts';
import { type Group, selectGroups } from './select-groups.ts';

/** What to spread over. */
export interface Dimension {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  /** The groups a cluster belongs to; several when it spans zones. */
  groupsOf(candidate: Candidate): readonly string[];
}

const FIELDS = {
  provider: ({ cluster }) => listOf(cluster.spec.provider),
  region: ({ cluster }) => listOf(cluster.spec.region),
  zone: ({ cluster }) => cluster.spec.zones ?? [],
} satisfies Record<string, (candidate: Candidate) => readonly string[]>;

function listOf(value: string | undefined): readonly string[] {
  return value === undefined || value === '' ? [] : [value];
}

/** The dimensions of the constraints, widest first; strictly only region, the one Karmada knows. */
export function dimensionsOf(constraints: readonly SpreadConstraint[], strict: boolean): readonly Dimension[] {
  const fields = strict ? (['region'] as const) : (['provider', 'region', 'zone'] as const);
  const byField = fields.flatMap((field) => {
    const constraint = constraints.findLast(({ spreadByField }) => spreadByField === field);
    return constraint ? [dimension(field, constraint, FIELDS[field], field === 'region')] : [];
  });
  if (strict) return byField;
  const byLabel = constraints.flatMap((constraint) => {
    const label = constraint.spreadByLabel ?? '';
    if (label === '') return [];
    return [dimension(`label ${label}`, constraint, ({ cluster }) => listOf(cluster.metadata.labels?.[label]), false)];
  });
  return [...byField, ...byLabel];
}

/** Quirk of Karmada: a region constraint without maxGroups cannot be met; our own read it as no limit. */
function dimension(
  name: string,
  { minGroups = 0, maxGroups = 0 }: SpreadConstraint,
  groupsOf: Dimension['groupsOf'],
  karmadas: boolean,
): Dimension {
  const max = maxGroups === 0 && !karmadas ? Number.POSITIVE_INFINITY : maxGroups;
  return { name, min: minGroups, max, groupsOf };
}

export function selectByGroups(
  request: SelectRequest,
  dimensions: readonly Dimension[],
  byCluster: SpreadConstraint | undefined,
): Selection | SelectionFailure {
  const steps: string[] = [];
  const leftOut = new Map<string, string>();
  const picked: { readonly dimension: Dimension; readonly groups: readonly Group[] }[] = [];
  let remaining = request.candidates;
  for (const dimension of dimensions) {
    const groups = groupsIn(remaining, dimension, request, byCluster?.minGroups ?? 0);
    if (groups.length < dimension.min) {
      const failure = `the number of feasible ${dimension.name} is less than spreadConstraint.MinGroups`;
      return { failure, steps: [...steps, `${groups.length} ${dimension.name} groups, ${dimension.min} wanted`] };
    }
    const chosen = selectGroups(groups, { ...dimension, clusters: byCluster?.minGroups ?? 0 });
    if (chosen.length === 0) {
      return { failure: 'the number of clusters is less than the cluster spreadConstraint.MinGroups', steps };
    }
    steps.push(stepOf(dimension, groups, chosen));
    picked.push({ dimension, groups: chosen });
    remaining = keepIn(remaining, dimension, chosen, leftOut);
  }
  return { ...pickClusters(remaining, picked, clusterLimit(dimensions, byCluster), leftOut), steps };
}

function stepOf({ name, max }: Dimension, groups: readonly Group[], chosen: readonly Group[]): string {
  const text = chosen.map((group) => `${group.name} (${group.size} clusters, score ${group.weight})`).join(', ');
  const limit = max === Number.POSITIVE_INFINITY ? '' : `, at most ${max}`;
  return `${name}: ${chosen.length} of ${groups.length}${limit}: ${text}`;
}

function keepIn(
  candidates: readonly Candidate[],
  dimension: Dimension,
  chosen: readonly Group[],
  leftOut: Map<string, string>,
): readonly Candidate[] {
  const names = new Set(chosen.map(({ name }) => name));
  return candidates.filter((candidate) => {
    const groups = dimension.groupsOf(candidate);
    if (groups.some((group) => names.has(group))) return true;
    leftOut.set(candidate.name, leftOutReason(dimension, groups, chosen.length));
    return false;
  });
}

function leftOutReason({ name, max }: Dimension, groups: readonly string[], chosen: number): string {
  if (groups.length === 0) return `has no ${name} to spread by`;
  if (chosen < max) return `${name} ${groups.join(', ')} was not needed`;
  return `${name} limit reached (spread: at most ${max})`;
}

/** Without a constraint by cluster only label constraints leave the number of clusters open. */
function clusterLimit(dimensions: readonly Dimension[], byCluster: SpreadConstraint | undefined): number {
  if (byCluster) return byCluster.maxGroups ?? 0;
  return dimensions.every(({ name }) => name.startsWith('label ')) ? Number.POSITIVE_INFINITY : 0;
}

/** Every group its best cluster, then the preferred of the rest; a limit below the number of groups does not cut. */
function pickClusters(
  remaining: readonly Candidate[],
  picked: readonly { readonly dimension: Dimension; readonly groups: readonly Group[] }[],
  limit: number,
  leftOut: Map<string, string>,
): Omit<Selection, 'steps'> {
  const chosen: Candidate[] = [];
  for (const { dimension, groups } of picked) {
    for (const { name } of groups) {
      const isMember = (candidate: Candidate) => dimension.groupsOf(candidate).includes(name);
      const best = remaining.find(isMember);
      if (best && !chosen.some(isMember)) chosen.push(best);
    }
  }
  const rest = remaining.filter((candidate) => !chosen.includes(candidate)).sort(byPreference);
  const room = Math.max(0, limit - chosen.length);
  for (const { name } of rest.slice(room)) leftOut.set(name, `spread: at most ${limit} clusters`);
  return { chosen: [...chosen, ...rest.slice(0, room)], leftOut };
}

function groupsIn(
  candidates: readonly Candidate[],
  dimension: Dimension,
  request: SelectRequest,
  clusterMin: number,
): readonly Group[] {
  const members = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    for (const name of dimension.groupsOf(candidate)) {
      const group = members.get(name) ?? [];
      group.push(candidate);
      members.set(name, group);
    }
  }
  return Array.from(members, ([name, clusters]) => ({
    name,
    size: clusters.length,
    weight: groupScore(clusters, request, dimension.min, clusterMin),
  }));
}

/** Capacity comes first, in thousands; the mean score of the clusters that count is in the last three digits. */
const UNIT = 1000;

function groupScore(
  clusters: readonly Candidate[],
  { placement, replicas }: { readonly placement: Placement; readonly replicas: number },
  groupMin: number,
  clusterMin: number,
): number {
  if (schedulingType(placement) === 'Duplicated') return duplicatedScore(clusters, replicas);
  const share = Math.ceil(replicas / Math.max(1, groupMin));
  const wanted = Math.max(clusterMin, groupMin);
  let room = 0;
  let score = 0;
  let count = 0;
  for (const cluster of clusters) {
    room += cluster.available;
    score += cluster.score;
    count++;
    if (count >= wanted && room >= share) break;
  }
  if (room < share) return room * UNIT + Math.trunc(score / clusters.length);
  return share * UNIT + Math.trunc(score / count);
}

function duplicatedScore(clusters: readonly Candidate[], replicas: number): number {
  const roomy = clusters.filter(({ available }) => available >= replicas);
  if (roomy.length === 0) return 0;
  const score = roomy.reduce((sum, cluster) => sum + cluster.score, 0);
  return roomy.length * UNIT + Math.trunc(score / roomy.length);
}
