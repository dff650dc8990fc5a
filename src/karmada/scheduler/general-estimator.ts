/**
 * Estimates from what a Cluster's status says of itself; always at hand, and only as exact as the status is fresh.
 *
 * As karmada v1.18 pkg/estimator/client/general.go: the pods still allowed are the upper bound; with resource models
 * each grade's nodes count with the least such a node can have, otherwise the sum of free resources is divided.
 */
import type {
  Cluster,
  ReplicaRequirements,
  ResourceList,
  ResourceModelRange,
  ResourceSummary,
} from '#karmada/apis/index.ts';
import {
  parseQuantity,
  type Quantity,
  quantityMilliValue,
  quantityValue,
  subtractQuantities,
} from '#kube/meta/quantity.ts';
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
  const pods = Math.max(0, freeOf(summary).get('pods') ?? 0);
  return { replicas: pods, detail: `pods: room for ${pods} more` };
}

function summaryBound(summary: ResourceSummary, { resourceRequest = {} }: ReplicaRequirements): Bound {
  let bound: Bound = { replicas: Number.POSITIVE_INFINITY, detail: 'no resource is requested' };
  for (const [name, needed] of requestOf(resourceRequest)) {
    if (needed <= 0) continue;
    const free = freeOf(summary).get(name) ?? 0;
    if (free <= 0) return { replicas: 0, detail: `${name}: none free` };
    const detail = `${name}: ${name === 'cpu' ? `${free}m` : free} free / ${resourceRequest[name]} each`;
    bound = least(bound, { replicas: Math.floor(free / needed), detail });
  }
  return bound;
}

/** Thousandths of cpu, whole units of everything else. */
type Amounts = ReadonlyMap<string, number>;

function amountOf(name: string, quantity: Quantity): number {
  return name === 'cpu' ? quantityMilliValue(quantity) : quantityValue(quantity);
}

/** What a cluster has left of each resource. */
const freeOf = remembered(({ allocatable = {}, allocated, allocating }: ResourceSummary): Amounts => {
  return new Map(
    Object.entries({ pods: 0, ...allocatable }).map(([name, whole]) => {
      const taken = [allocated?.[name] ?? 0, allocating?.[name] ?? 0].map(parseQuantity);
      return [name, amountOf(name, taken.reduce(subtractQuantities, parseQuantity(whole)))];
    }),
  );
});

const requestOf = remembered((request: ResourceList): Amounts => {
  return new Map(Object.entries(request).map(([name, each]) => [name, amountOf(name, parseQuantity(each))]));
});

/** Statuses and requests are never changed, and each is asked about many times: what is made of them is kept. */
function remembered<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
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
    // Nodes of a grade are alike, and one replica at a time fills each to its brim before the next.
    replicas += count * perNode(smallestOf(ranges), requestOf(resourceRequest));
    nodes += count;
  }
  return { replicas, detail: `node models: ${replicas} fit on ${nodes} nodes` };
}

/** The least a node of a grade has. */
const smallestOf = remembered((ranges: readonly ResourceModelRange[]): Amounts => {
  return new Map(ranges.map(({ name, min }) => [name, amountOf(name, parseQuantity(min))]));
});

function perNode(node: Amounts, request: Amounts): number {
  let bound = PODS_PER_NODE;
  for (const [name, needed] of request) {
    if (isCounted(name) && needed > 0) bound = Math.min(bound, Math.floor((node.get(name) ?? 0) / needed));
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
