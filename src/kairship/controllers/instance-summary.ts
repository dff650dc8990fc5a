/** The numbers of an instance and all its members: a pure function of what is in it. */
import type { Cluster } from '#karmada/apis/index.ts';
import { isConditionTrue } from '#kube/meta/condition.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { addQuantities, formatQuantity, parseQuantity, type Quantity, tryParseQuantity } from '#kube/meta/quantity.ts';
import { isObject } from '#base/json.ts';

export interface InstanceSummary {
  readonly resourceTotalNum: Readonly<Record<string, number>>;
  readonly policyTotalNum: Readonly<Record<string, number>>;
  readonly clusterSummary: Count;
  readonly nodeSummary: Count;
  readonly resourceSummary: {
    readonly allocatable: Readonly<Record<string, string>>;
    readonly allocated: Readonly<Record<string, string>>;
  };
  readonly workLoadSummary: Readonly<Record<string, Count>>;
  /** Members that cannot be asked: their last known numbers are in the sums. */
  readonly staleClusters?: readonly string[];
}

export interface Count {
  readonly totalNum: number;
  readonly readyNum: number;
}

export interface InstanceContents {
  readonly clusters: readonly Cluster[];
  /** Numbers of objects by resource, of policies by kind. */
  readonly resources: Readonly<Record<string, number>>;
  readonly policies: Readonly<Record<string, number>>;
  /** Workloads by kind. */
  readonly workloads: Readonly<Record<string, readonly KubeObject[]>>;
}

export function instanceSummary({ clusters, resources, policies, workloads }: InstanceContents): InstanceSummary {
  const nodes = clusters.map(({ status }) => status?.nodeSummary ?? {});
  const stale = clusters.filter(({ status }) => !isConditionTrue(status?.conditions, 'Ready'));
  const amounts = (part: 'allocatable' | 'allocated') =>
    sumOf(clusters.map(({ status }) => status?.resourceSummary?.[part] ?? {}));
  return {
    resourceTotalNum: resources,
    policyTotalNum: policies,
    clusterSummary: { totalNum: clusters.length, readyNum: clusters.length - stale.length },
    nodeSummary: {
      totalNum: total(nodes.map(({ totalNum = 0 }) => totalNum)),
      readyNum: total(nodes.map(({ readyNum = 0 }) => readyNum)),
    },
    resourceSummary: { allocatable: amounts('allocatable'), allocated: amounts('allocated') },
    workLoadSummary: Object.fromEntries(
      Object.entries(workloads).map(([kind, objects]) => [
        kind,
        { totalNum: objects.length, readyNum: objects.filter(isReady).length },
      ]),
    ),
    ...(stale.length > 0 ? { staleClusters: stale.map(({ metadata }) => metadata.name).toSorted() } : {}),
  };
}

/** A workload has what it asks for; a job is ready when it is complete. */
export function isReady(object: KubeObject): boolean {
  const [spec, status] = [object['spec'], object['status']].map((part) => (isObject(part) ? part : {}));
  const number = (value: unknown) => (typeof value === 'number' ? value : 0);
  switch (object.kind) {
    case 'DaemonSet':
      return number(status?.['numberReady']) >= number(status?.['desiredNumberScheduled']);
    case 'Job':
      return number(status?.['succeeded']) >= (typeof spec?.['completions'] === 'number' ? spec['completions'] : 1);
    case 'CronJob':
      return true;
    default:
      return number(status?.['readyReplicas']) >= (typeof spec?.['replicas'] === 'number' ? spec['replicas'] : 1);
  }
}

function sumOf(all: readonly Readonly<Record<string, string | number>>[]): Record<string, string> {
  const sums = new Map<string, Quantity>();
  for (const amounts of all) {
    for (const [resource, text] of Object.entries(amounts)) {
      const amount = tryParseQuantity(text);
      if (amount) sums.set(resource, addQuantities(sums.get(resource) ?? parseQuantity('0'), amount));
    }
  }
  return Object.fromEntries([...sums].map(([resource, sum]) => [resource, formatQuantity(sum)]));
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
