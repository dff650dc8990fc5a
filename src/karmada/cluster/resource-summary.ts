/** How much a member has and how much of it is taken, from its nodes and pods. Pure. */
import type { ClusterStatus, ResourceList, ResourceModel, ResourceSummary } from '#karmada/apis/index.ts';
import { addQuantities, compareQuantities, formatQuantity, parseQuantity, type Quantity } from '#kube/meta/quantity.ts';
import { type Amounts, addAmounts, amountsOf, raiseAmounts, resourceListOf } from './resource-amounts.ts';

/** What is read of a member's Node. */
export interface NodeView {
  readonly metadata: { readonly name: string };
  readonly status?: {
    readonly allocatable?: ResourceList;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** What is read of a member's Pod. */
export interface PodView {
  readonly spec?: {
    readonly nodeName?: string;
    readonly containers?: readonly ContainerView[];
    readonly initContainers?: readonly ContainerView[];
    readonly overhead?: ResourceList;
  };
  readonly status?: { readonly phase?: string };
}

interface ContainerView {
  readonly resources?: { readonly requests?: ResourceList };
}

export function nodeSummary(nodes: readonly NodeView[]): NonNullable<ClusterStatus['nodeSummary']> {
  const ready = nodes.filter(({ status }) =>
    status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True'),
  );
  return {
    ...(nodes.length > 0 ? { totalNum: nodes.length } : {}),
    ...(ready.length > 0 ? { readyNum: ready.length } : {}),
  };
}

/** `models` absent: no grades are counted. */
export function resourceSummary(
  nodes: readonly NodeView[],
  pods: readonly PodView[],
  models: readonly ResourceModel[] = [],
): ResourceSummary {
  const allocatable = sumOfAllocatable(nodes);
  const allocating = resourceListOf(totalRequests(pods.filter(isUnbound)));
  const allocated = resourceListOf(totalRequests(pods.filter(isRunning)));
  return {
    ...(Object.keys(allocatable).length > 0 ? { allocatable } : {}),
    ...(allocating ? { allocating } : {}),
    ...(allocated ? { allocated } : {}),
    ...(models.length > 0 ? { allocatableModelings: modelings(nodes, pods, models) } : {}),
  };
}

function sumOfAllocatable(nodes: readonly NodeView[]): ResourceList {
  const sums = new Map<string, Quantity>();
  for (const { status } of nodes) {
    for (const [name, text] of Object.entries(status?.allocatable ?? {})) {
      const amount = parseQuantity(text);
      const sum = sums.get(name);
      sums.set(name, sum ? addQuantities(sum, amount) : amount);
    }
  }
  return Object.fromEntries([...sums].map(([name, sum]) => [name, formatQuantity(sum)]));
}

function isUnbound({ spec }: PodView): boolean {
  return !spec?.nodeName;
}

/** Pods that ended hold nothing any more. */
function isRunning({ spec, status }: PodView): boolean {
  return !!spec?.nodeName && status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}

function totalRequests(pods: readonly PodView[]): Amounts {
  const total: Amounts = new Map();
  for (const pod of pods) addAmounts(total, podRequest(pod));
  if (pods.length > 0) total.set('pods', (total.get('pods') ?? 0) + pods.length);
  return total;
}

/** The sum of the containers, or the largest init container where that is more, and the overhead. */
function podRequest({ spec }: PodView): Amounts {
  const request: Amounts = new Map();
  for (const { resources } of spec?.containers ?? []) addAmounts(request, amountsOf(resources?.requests));
  for (const { resources } of spec?.initContainers ?? []) raiseAmounts(request, amountsOf(resources?.requests));
  addAmounts(request, amountsOf(spec?.overhead));
  return request;
}

function modelings(nodes: readonly NodeView[], pods: readonly PodView[], models: readonly ResourceModel[]) {
  const byNode = Map.groupBy(pods.filter(isRunning), ({ spec }) => spec?.nodeName ?? '');
  const counts = models.map(() => 0);
  for (const { metadata, status } of nodes) {
    const free = freeOf(amountsOf(status?.allocatable), totalRequests(byNode.get(metadata.name) ?? []));
    // Upstream stops counting at the first full node instead of passing it over, and so the counts end here.
    if (!free) break;
    const grade = gradeOf(free, models);
    if (grade >= 0) counts[grade] = (counts[grade] ?? 0) + 1;
  }
  return models.map(({ grade }, index) => ({ grade, count: counts[index] ?? 0 }));
}

/** What is left on a node; undefined when it takes no further pod. */
function freeOf(allocatable: Amounts, taken: Amounts): Amounts | undefined {
  const takenPods = taken.get('pods') ?? 0;
  if (takenPods > 0 && (allocatable.get('pods') ?? 0) - takenPods <= 0) return undefined;
  return new Map([...allocatable].map(([name, amount]) => [name, amount - (taken.get(name) ?? 0)]));
}

/** The highest grade all of whose lower bounds the node reaches; −1 for none. */
function gradeOf(free: Amounts, models: readonly ResourceModel[]): number {
  const names = models[0]?.ranges.map(({ name }) => name) ?? [];
  return Math.min(...names.map((name) => lastReached(free, name, models)));
}

function lastReached(free: Amounts, name: string, models: readonly ResourceModel[]): number {
  const has = parseQuantity(resourceListOf(new Map([[name, free.get(name) ?? 0]]))?.[name] ?? 0);
  return models.findLastIndex(({ ranges }) => {
    const min = ranges.find((range) => range.name === name)?.min ?? 0;
    return compareQuantities(parseQuantity(min), has) <= 0;
  });
}
