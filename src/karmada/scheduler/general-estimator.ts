/**
 * Estimates from what a Cluster's status says of itself; always at hand, and only as exact as the status is fresh.
 *
 * As karmada v1.18 pkg/estimator/client/general.go: the pods still allowed are the upper bound; with resource models
 * each grade's nodes count with the least such a node can have, otherwise the sum of free resources is divided.
 */
import type { Cluster, ReplicaRequirements, ResourceList, ResourceSummary } from '#karmada/apis/index.ts';
import { parseQuantity, quantityMilliValue, quantityValue, subtractQuantities, ZERO } from '#kube/meta/quantity.ts';
import type { Estimator } from './estimator.ts';

export const GENERAL_ESTIMATOR = 'general-estimator';
const PODS_PER_NODE = 110;

interface Bound {
  readonly replicas: number;
  readonly detail: string;
}

export const generalEstimator: Estimator = {
  name: GENERAL_ESTIMATOR,
  estimate(cluster, { replicaRequirements }) {
    const summary = cluster.status?.resourceSummary;
    if (!summary) return { replicas: 0, detail: 'the cluster has not reported its resources' };
    const pods = podsBound(summary);
    if (pods.replicas === 0 || !replicaRequirements) return pods;
    return least(pods, modelsBound(cluster, replicaRequirements) ?? summaryBound(summary, replicaRequirements));
  },
};

/** Of equal bounds the first is named. */
function least(a: Bound, b: Bound): Bound {
  return b.replicas < a.replicas ? b : a;
}

function podsBound(summary: ResourceSummary): Bound {
  const free = freeOf(summary, 'pods') ?? ZERO;
  const pods = Math.max(0, quantityValue(free));
  return { replicas: pods, detail: `pods: room for ${pods} more` };
}

function freeOf({ allocatable, allocated, allocating }: ResourceSummary, name: string) {
  const whole = allocatable?.[name];
  if (whole === undefined && name !== 'pods') return undefined;
  const taken = [allocated?.[name], allocating?.[name]];
  return taken.reduce(
    (free, used) => (used === undefined ? free : subtractQuantities(free, parseQuantity(used))),
    parseQuantity(whole ?? 0),
  );
}

function summaryBound(summary: ResourceSummary, { resourceRequest = {} }: ReplicaRequirements): Bound {
  let bound: Bound = { replicas: Number.POSITIVE_INFINITY, detail: 'no resource is requested' };
  for (const [name, request] of Object.entries(resourceRequest)) {
    const needed = parseQuantity(request);
    if (quantityValue(needed) <= 0) continue;
    const free = freeOf(summary, name);
    if (!free || quantityValue(free) <= 0) return { replicas: 0, detail: `${name}: none free` };
    const amount = name === 'cpu' ? quantityMilliValue : quantityValue;
    const replicas = Math.floor(amount(free) / amount(needed));
    bound = least(bound, { replicas, detail: `${name}: ${text(name, amount(free))} free / ${request} each` });
  }
  return bound;
}

function text(name: string, amount: number): string {
  return name === 'cpu' ? `${amount}m` : String(amount);
}

/** Undefined when the cluster has no models to go by. */
function modelsBound(cluster: Cluster, { resourceRequest = {} }: ReplicaRequirements): Bound | undefined {
  const counts = cluster.status?.resourceSummary?.allocatableModelings ?? [];
  const models = cluster.spec.resourceModels ?? [];
  if (counts.length === 0 || models.length === 0 || counts.some(({ count }) => count < 0)) return undefined;
  let replicas = 0;
  let nodes = 0;
  for (const { grade, ranges } of models) {
    const count = counts.filter((each) => each.grade === grade).reduce((sum, each) => sum + each.count, 0);
    const smallest = Object.fromEntries(ranges.map(({ name, min }) => [name, min]));
    // Nodes of a grade are alike, and one replica at a time fills each to its brim before the next.
    replicas += count * perNode(smallest, resourceRequest);
    nodes += count;
  }
  return { replicas, detail: `node models: ${replicas} fit on ${nodes} nodes` };
}

function perNode(node: ResourceList, request: ResourceList): number {
  let bound = PODS_PER_NODE;
  for (const [name, each] of Object.entries(request)) {
    if (!isCounted(name)) continue;
    const amount = name === 'cpu' ? quantityMilliValue : quantityValue;
    const needed = amount(parseQuantity(each));
    if (needed > 0) bound = Math.min(bound, Math.floor(amount(parseQuantity(node[name] ?? 0)) / needed));
  }
  return bound;
}

/** What Kubernetes' scheduler counts on a node; other names are not looked at. */
function isCounted(name: string): boolean {
  return (
    name === 'cpu' ||
    name === 'memory' ||
    name === 'ephemeral-storage' ||
    name.includes('/') ||
    name.startsWith('hugepages-') ||
    name.startsWith('attachable-volumes-')
  );
}
