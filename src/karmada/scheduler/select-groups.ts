/**
 * Picks groups (regions, zones, …) so that their number lies within a constraint and together they have enough
 * clusters.
 *
 * As karmada v1.18 pkg/scheduler/core/spreadconstraint/select_groups.go, step for step, since among several answers
 * the order of the search decides: a path stops growing as soon as it is feasible; the heaviest path wins, then the
 * one with most clusters, then the one found first; a shorter path that begins the winner replaces it.
 */
export interface Group {
  readonly name: string;
  /** How many clusters it has. */
  readonly size: number;
  readonly weight: number;
}

export interface GroupLimits {
  readonly min: number;
  readonly max: number;
  /** How many clusters the groups must have together. */
  readonly clusters: number;
}

/** The chosen groups, heaviest first; empty when no choice meets the limits. */
export function selectGroups(groups: readonly Group[], limits: GroupLimits): readonly Group[] {
  const paths = feasiblePaths(groups.toSorted(bySearchOrder), limits);
  const [best, ...others] = paths.sort(byRank);
  if (!best) return [];
  return others.reduce((chosen, path) => (begins(path, chosen) ? path : chosen), best).groups;
}

interface Path {
  readonly id: number;
  /** Heaviest first. */
  readonly groups: readonly Group[];
  readonly weight: number;
  readonly size: number;
}

function feasiblePaths(groups: readonly Group[], { min, max, clusters }: GroupLimits): Path[] {
  const found: Path[] = [];
  const path: Group[] = [];
  const search = (size: number, from: number): void => {
    if (size >= clusters && path.length >= min && path.length <= max) {
      found.push(pathOf(found.length, path));
      return;
    }
    if (path.length >= max) return;
    for (let index = from; index < groups.length; index++) {
      const group = groups[index];
      if (!group) return;
      path.push(group);
      search(size + group.size, index + 1);
      // All groups are needed to reach the minimum: there is no other choice to look for.
      if (groups.length === min) return;
      path.pop();
    }
  };
  search(0, 0);
  return found;
}

function pathOf(id: number, groups: readonly Group[]): Path {
  const weight = groups.reduce((sum, group) => sum + group.weight, 0);
  const size = groups.reduce((sum, group) => sum + group.size, 0);
  return { id, groups: groups.toSorted((a, b) => b.weight - a.weight || byName(a, b)), weight, size };
}

function bySearchOrder(a: Group, b: Group): number {
  return a.size - b.size || b.weight - a.weight || byName(a, b);
}

function byRank(a: Path, b: Path): number {
  return b.weight - a.weight || b.size - a.size || a.id - b.id;
}

function byName(a: Group, b: Group): number {
  return a.name < b.name ? -1 : 1;
}

function begins(short: Path, long: Path): boolean {
  if (short.groups.length >= long.groups.length) return false;
  return short.groups.every((group, index) => group.name === long.groups[index]?.name);
}
