/** What a cluster's nodes, pods and measurements say of it. Pure. */
import type { Node } from '#gen/kube/types.ts';
import { isObject } from '#base/json.ts';
import {
  addQuantities,
  formatQuantity,
  parseQuantity,
  quantityMilliValue,
  quantityValue,
  tryParseQuantity,
  ZERO,
} from '#kube/meta/quantity.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { PhaseCount, UsageSample } from '../index/store/index-store.ts';
import type { ClusterStatus } from './cluster.ts';

const SUMMED = ['cpu', 'memory', 'pods', 'ephemeral-storage', 'nvidia.com/gpu'];

export function nodeFacts(nodes: readonly Node[]): Pick<ClusterStatus, 'nodeSummary' | 'resourceSummary' | 'podCIDR'> {
  const podCIDR = nodes.map(({ spec }) => spec?.podCIDR).find((each) => each !== undefined);
  return {
    nodeSummary: { total: nodes.length, ready: nodes.filter(isReady).length },
    resourceSummary: {
      capacity: sumOf(nodes.map(({ status }) => status?.capacity)),
      allocatable: sumOf(nodes.map(({ status }) => status?.allocatable)),
    },
    ...(podCIDR === undefined ? {} : { podCIDR }),
  };
}

function isReady({ status }: Node): boolean {
  return status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;
}

function sumOf(lists: readonly (Readonly<Record<string, unknown>> | undefined)[]): Readonly<Record<string, string>> {
  const sums = SUMMED.flatMap((name) => {
    const amounts = lists.flatMap((list) => {
      const amount = list?.[name];
      return typeof amount === 'string' || typeof amount === 'number' ? [parseQuantity(amount)] : [];
    });
    return amounts.length === 0 ? [] : [[name, formatQuantity(amounts.reduce(addQuantities, ZERO))] as const];
  });
  return Object.fromEntries(sums);
}

export function podFacts(counts: readonly PhaseCount[]): Pick<ClusterStatus, 'podSummary'> {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const running = counts.filter(({ phase }) => phase === 'Running').reduce((sum, { count }) => sum + count, 0);
  return { podSummary: { total, running } };
}

/** `NodeMetrics` as samples: one for each node, and their sum as the cluster's. */
export function usageSamples(cluster: string, at: number, metrics: readonly KubeObject[]): readonly UsageSample[] {
  const nodes = metrics.map((each) => ({
    cluster,
    node: each.metadata.name,
    at,
    cpuMillis: Math.round(amountIn(each, 'cpu', quantityMilliValue)),
    memoryBytes: Math.round(amountIn(each, 'memory', quantityValue)),
  }));
  if (nodes.length === 0) return [];
  const cpuMillis = nodes.reduce((sum, each) => sum + each.cpuMillis, 0);
  const memoryBytes = nodes.reduce((sum, each) => sum + each.memoryBytes, 0);
  return [{ cluster, node: '', at, cpuMillis, memoryBytes }, ...nodes];
}

function amountIn(
  metric: KubeObject,
  name: string,
  value: (amount: ReturnType<typeof parseQuantity>) => number,
): number {
  const usage = isObject(metric['usage']) ? metric['usage'][name] : undefined;
  const amount = typeof usage === 'string' ? tryParseQuantity(usage) : undefined;
  return amount ? value(amount) : 0;
}

/** What is used of what can be allocated, in percent with one decimal. */
export function usageFacts(
  sample: UsageSample | undefined,
  allocatable: Readonly<Record<string, string>> = {},
): Pick<ClusterStatus, 'cpuUsage' | 'memoryUsage'> {
  if (!sample) return {};
  const cpu = quantityMilliValue(parseQuantity(allocatable['cpu'] ?? '0'));
  const memory = quantityValue(parseQuantity(allocatable['memory'] ?? '0'));
  return {
    ...(cpu > 0 ? { cpuUsage: percent(sample.cpuMillis / cpu) } : {}),
    ...(memory > 0 ? { memoryUsage: percent(sample.memoryBytes / memory) } : {}),
  };
}

function percent(share: number): number {
  return Math.round(share * 1000) / 10;
}
