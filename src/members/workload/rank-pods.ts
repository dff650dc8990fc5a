/**
 * Which pods go first when there are too many. Pure.
 *
 * As the ReplicaSet controller of Kubernetes: those that do least (unscheduled, pending, unready), then those said to be
 * cheap, then those with most siblings on their node, then the younger, ages compared by magnitude only.
 */
import type { Pod } from '#gen/kube/types.ts';
import { isPodReady, readySince } from './pod-state.ts';

const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';
const PHASES = ['Pending', 'Unknown', 'Running'];

/** `siblingsOn` tells how many related pods a node has. */
export function expendableFirst(
  pods: readonly Pod[],
  siblingsOn: (node: string) => number,
  now: number,
): readonly Pod[] {
  return pods.toSorted(
    (a, b) =>
      Number(Boolean(a.spec?.nodeName)) - Number(Boolean(b.spec?.nodeName)) ||
      phase(a) - phase(b) ||
      Number(isPodReady(a)) - Number(isPodReady(b)) ||
      deletionCost(a) - deletionCost(b) ||
      siblingsOn(b.spec?.nodeName ?? '') - siblingsOn(a.spec?.nodeName ?? '') ||
      youngerFirst(readySince(a) ?? 0, readySince(b) ?? 0, a, b, now) ||
      restarts(b) - restarts(a) ||
      youngerFirst(createdAt(a), createdAt(b), a, b, now),
  );
}

const phase = ({ status }: Pod) => PHASES.indexOf(status?.phase ?? 'Pending');

function deletionCost({ metadata }: Pod): number {
  const cost = Number(metadata.annotations?.[DELETION_COST] ?? 0);
  return Number.isInteger(cost) ? cost : 0;
}

function restarts({ status }: Pod): number {
  return Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount }) => restartCount));
}

const createdAt = ({ metadata }: Pod) => Date.parse(metadata.creationTimestamp ?? '') || 0;

/** Ages of the same magnitude are as good as equal: the uid decides, so that not always the youngest goes. */
function youngerFirst(since: number, other: number, a: Pod, b: Pod, now: number): number {
  if (since === other) return 0;
  return magnitude(now - since) - magnitude(now - other) || ((a.metadata.uid ?? '') < (b.metadata.uid ?? '') ? -1 : 1);
}

const magnitude = (age: number) => (age > 0 ? Math.floor(Math.log2(age * 1e6)) : -1);
