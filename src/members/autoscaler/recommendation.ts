/**
 * How many replicas a metric asks for. Pure.
 *
 * As Kubernetes: usage over target, within a tolerance; pods that are not ready yet are taken to use nothing when that
 * would mean more of them. Only resources of pods and containers are measured; other metrics cannot be had here.
 */
import type { MetricSpec, MetricStatus, Pod } from '#gen/kube/types.ts';
import { formatQuantity, milliQuantityOf, quantityOf } from '#kube/meta/quantity.ts';
import type { Usage } from '../metrics/usage.ts';
import { milli } from '../pod-requests.ts';
import { isPodReady } from '../workload/pod-state.ts';

export interface Measured {
  readonly pod: Pod;
  /** By container; undefined when nothing is known. */
  readonly usage: ReadonlyMap<string, Usage> | undefined;
}

export type Recommendation =
  | { readonly replicas: number; readonly status: MetricStatus; readonly name: string }
  | { readonly problem: string; readonly reason: string };

const TOLERANCE = 0.1;

export function recommend(
  metric: MetricSpec,
  current: number,
  measured: readonly Measured[],
  tolerances: { readonly up?: number; readonly down?: number } = {},
): Recommendation {
  const source = metric.resource ?? metric.containerResource;
  if (!source || (metric.type !== 'Resource' && metric.type !== 'ContainerResource')) {
    const reason = `FailedGet${metric.type}Metric`;
    return { reason, problem: `unable to get ${metric.type} metric: a simulated cluster has resource metrics only` };
  }
  const container = metric.containerResource?.container;
  const { averageUtilization, averageValue } = source.target;
  const kind = averageUtilization === undefined ? '' : ' utilization (percentage of request)';
  const name = `${source.name} ${container === undefined ? '' : 'container '}resource${kind}`;
  const samples = samplesOf(source.name, container, measured);
  if (typeof samples === 'string') return { reason: 'FailedGetResourceMetric', problem: samples };
  const target = averageUtilization === undefined ? inUnits(source.name, averageValue) : averageUtilization / 100;
  const value = ({ used, asked }: Total) => (averageUtilization === undefined ? used : asked === 0 ? 0 : used / asked);
  if (averageUtilization !== undefined && samples.some(({ asked }) => asked === 0))
    return { reason: 'FailedGetResourceMetric', problem: `missing request for ${source.name}` };
  const replicas = replicasFor(samples, current, target, value, averageUtilization === undefined, tolerances);
  return { replicas, name, status: statusOf(metric, samples, container) };
}

interface Total {
  readonly used: number;
  readonly asked: number;
}

interface Sample extends Total {
  readonly isReady: boolean;
}

function samplesOf(
  resource: string,
  container: string | undefined,
  measured: readonly Measured[],
): readonly Sample[] | string {
  const samples = measured
    .filter(({ pod }) => pod.metadata.deletionTimestamp === undefined && pod.status?.phase !== 'Failed')
    .map(({ pod, usage }): Sample => {
      const containers = (pod.spec?.containers ?? []).filter(
        ({ name }) => container === undefined || name === container,
      );
      const asked = containers.reduce(
        (sum, { resources }) => sum + inUnits(resource, resources?.requests?.[resource]),
        0,
      );
      const used = containers.reduce((sum, { name }) => sum + usedOf(resource, usage?.get(name)), 0);
      return { used, asked, isReady: usage !== undefined && isPodReady(pod) };
    });
  const none = 'no metrics returned from resource metrics API';
  return samples.some(({ isReady }) => isReady) ? samples : `unable to get metrics for resource ${resource}: ${none}`;
}

/** CPU in thousandths, everything else in units. */
const inUnits = (resource: string, quantity: string | undefined) =>
  resource === 'cpu' ? milli(quantity) : milli(quantity) / 1000;
const usedOf = (resource: string, usage: Usage | undefined) =>
  resource === 'cpu' ? (usage?.cpu ?? 0) : resource === 'memory' ? (usage?.memory ?? 0) : 0;

function replicasFor(
  samples: readonly Sample[],
  current: number,
  target: number,
  value: (total: Total) => number,
  perPod: boolean,
  { up = TOLERANCE, down = TOLERANCE }: { readonly up?: number; readonly down?: number },
): number {
  const ratioOf = (some: readonly Sample[]) => value(total(some)) / (perPod ? some.length : 1) / target;
  const isClose = (ratio: number) => ratio <= 1 + up && ratio >= 1 - down;
  const ready = samples.filter(({ isReady }) => isReady);
  const ratio = ratioOf(ready);
  if (ready.length === samples.length || ratio <= 1)
    return isClose(ratio) ? current : Math.ceil(round(ratio * ready.length));
  // More would come, but some have not begun to help yet.
  const hopeful = ratioOf(samples.map((sample) => (sample.isReady ? sample : { ...sample, used: 0 })));
  return isClose(hopeful) || hopeful < 1 ? current : Math.max(current, Math.ceil(round(hopeful * samples.length)));
}

/** Sums of parts that should make a whole number sometimes miss it by a hair. */
const round = (value: number) => Math.round(value * 1e9) / 1e9;

function total(samples: readonly Sample[]): Total {
  return samples.reduce((sum, { used, asked }) => ({ used: sum.used + used, asked: sum.asked + asked }), {
    used: 0,
    asked: 0,
  });
}

function statusOf(
  { type, resource, containerResource }: MetricSpec,
  samples: readonly Sample[],
  container: string | undefined,
): MetricStatus {
  const ready = samples.filter(({ isReady }) => isReady);
  const { used, asked } = total(ready);
  const { name = '', target } = resource ?? containerResource ?? {};
  const average = Math.round(used / ready.length);
  const current = {
    ...(target?.averageUtilization === undefined ? {} : { averageUtilization: Math.floor((used / asked) * 100) }),
    averageValue: formatQuantity(name === 'cpu' ? milliQuantityOf(average) : quantityOf(average)),
  };
  return container === undefined
    ? { type, resource: { name, current } }
    : { type, containerResource: { name, current, container } };
}
