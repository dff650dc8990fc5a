/** The taints that keep new work away from a member that is not ready. Pure. */
import { type Cluster, READY, type Taint, TAINTS } from '#karmada/apis/index.ts';
import { findCondition } from '#kube/meta/condition.ts';

const NOT_READY = { key: TAINTS.notReady, effect: 'NoSchedule' } as const;
const UNREACHABLE = { key: TAINTS.unreachable, effect: 'NoSchedule' } as const;

/** The taints a cluster should have by its Ready condition; the very same list when it has them. `now` is RFC 3339. */
export function taintsByCondition(cluster: Cluster, now: string): readonly Taint[] {
  const taints = cluster.spec.taints ?? [];
  const { add, remove } = changes(findCondition(cluster.status?.conditions, READY.type)?.status);
  const added = add.filter((taint) => !taints.some((each) => isSame(each, taint)));
  const kept = taints.filter((taint) => !remove.some((each) => isSame(each, taint)));
  if (added.length === 0 && kept.length === taints.length) return taints;
  return [...kept, ...added.map((taint) => ({ ...taint, timeAdded: now }))];
}

function changes(ready: 'True' | 'False' | 'Unknown' | undefined): {
  readonly add: readonly Taint[];
  readonly remove: readonly Taint[];
} {
  if (ready === 'True') return { add: [], remove: [NOT_READY, UNREACHABLE] };
  if (ready === 'Unknown') return { add: [UNREACHABLE], remove: [NOT_READY] };
  return { add: [NOT_READY], remove: ready === 'False' ? [UNREACHABLE] : [] };
}

function isSame(a: Taint, b: Taint): boolean {
  return a.key === b.key && a.effect === b.effect;
}

export function taintsMessage(taints: readonly Taint[]): string {
  if (taints.length === 0) return 'cluster now does not have taints';
  const shown = taints.map(
    ({ key, value, effect }) => `{Key:${key},${value ? `Value:${value},` : ''}Effect:${effect}}`,
  );
  return `cluster now has taints([${shown.join(',')}])`;
}
