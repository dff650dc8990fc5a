/**
 * Where a pod runs: the node with the most room left among those that take it. Pure arithmetic over requests.
 *
 * A node takes a pod when it is ready and schedulable, the pod tolerates its taints and matches its selector, and the
 * requests fit into what is allocatable. Affinity and topology spread are not looked at.
 */
import type { Node, Pod } from '#gen/kube/types.ts';
import { parseQuantity, quantityMilliValue } from '#kube/meta/quantity.ts';

export type Placement =
  | { readonly node: string }
  /** Worded as the Kubernetes scheduler words it, for the PodScheduled condition and the event. */
  | { readonly unschedulable: string };

export function placePod(pod: Pod, nodes: readonly Node[], running: readonly Pod[]): Placement {
  const refusals = new Map<string, number>();
  let best: { name: string; free: number } | undefined;
  for (const node of nodes) {
    const verdict = judge(pod, node, running);
    if (typeof verdict === 'string') refusals.set(verdict, (refusals.get(verdict) ?? 0) + 1);
    else if (!best || verdict > best.free) best = { name: node.metadata.name, free: verdict };
  }
  if (best) return { node: best.name };
  const reasons = [...refusals].map(([reason, count]) => `${count} ${reason}`).sort();
  return { unschedulable: `0/${nodes.length} nodes are available: ${reasons.join(', ')}.` };
}

/** The share of the node left after the pod, or why it cannot go there. */
function judge(pod: Pod, node: Node, running: readonly Pod[]): number | string {
  if (node.spec?.unschedulable === true) return 'node(s) were unschedulable';
  if (!isReady(node)) return 'node(s) were not ready';
  const taint = node.spec?.taints?.find(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute');
  if (taint && !tolerates(pod, taint)) return `node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`;
  const selector = Object.entries(pod.spec?.nodeSelector ?? {});
  if (selector.some(([key, value]) => node.metadata.labels?.[key] !== value)) {
    return "node(s) didn't match Pod's node affinity/selector";
  }
  return room(pod, node, running);
}

function room(pod: Pod, node: Node, running: readonly Pod[]): number | string {
  const allocatable = node.status?.allocatable ?? {};
  const here = running.filter((other) => other.spec?.nodeName === node.metadata.name && !isOver(other));
  if (here.length >= Number(allocatable['pods'] ?? 110)) return 'Too many pods';
  let smallest = 1;
  for (const [resource, asked] of Object.entries(requestsOf(pod))) {
    const total = milli(allocatable[resource]);
    const used = here.reduce((sum, other) => sum + (requestsOf(other)[resource] ?? 0n), 0n);
    const left = total - used - asked;
    if (left < 0n) return `Insufficient ${resource}`;
    smallest = Math.min(smallest, total === 0n ? 0 : Number(left) / Number(total));
  }
  // Pods without requests still spread: fewer neighbours is better.
  return smallest - here.length / 10_000;
}

/** What a pod asks of a node, in thousandths: the sum of its containers, or its largest init container. */
export function requestsOf(pod: Pod): Readonly<Record<string, bigint>> {
  const sum: Record<string, bigint> = {};
  for (const container of pod.spec?.containers ?? []) {
    for (const [name, value] of Object.entries(container.resources?.requests ?? {})) {
      sum[name] = (sum[name] ?? 0n) + milli(value);
    }
  }
  for (const container of pod.spec?.initContainers ?? []) {
    for (const [name, value] of Object.entries(container.resources?.requests ?? {})) {
      const asked = milli(value);
      if (asked > (sum[name] ?? 0n)) sum[name] = asked;
    }
  }
  return sum;
}

function milli(value: string | number | undefined): bigint {
  return value === undefined ? 0n : BigInt(quantityMilliValue(parseQuantity(value)));
}

export const isOver = (pod: Pod) => pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';

export function isReady(node: Node): boolean {
  return node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
}

function tolerates(
  pod: Pod,
  taint: { readonly key: string; readonly value?: string; readonly effect: string },
): boolean {
  return (pod.spec?.tolerations ?? []).some(
    ({ key, operator = 'Equal', value = '', effect }) =>
      (effect === undefined || effect === taint.effect) &&
      (key === undefined || key === taint.key) &&
      (operator === 'Exists' || (key !== undefined && value === (taint.value ?? ''))),
  );
}
