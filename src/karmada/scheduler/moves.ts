/** What goes from where to where between two placements. Pure. */
import type { TargetCluster } from '#karmada/apis/index.ts';

/** Replicas that leave, arrive, or go from one cluster to another. */
export interface Move {
  readonly from?: string;
  readonly to?: string;
  readonly replicas: number;
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
