/**
 * `autoscaling/v1` ⇄ `autoscaling/v2`.
 *
 * v1 knows one metric, the use of CPU in percent. Everything else v2 may say is kept in annotations of the v1 object,
 * as Kubernetes does, so that a v1 client that reads and writes back loses nothing.
 */
import type { AutoscalingV1HorizontalPodAutoscaler, AutoscalingV2HorizontalPodAutoscaler } from '#gen/kube/types.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Given } from '../kind.ts';
import { presentOnly } from '../present.ts';

type V1 = Given<AutoscalingV1HorizontalPodAutoscaler>;
type V2 = Given<AutoscalingV2HorizontalPodAutoscaler>;
type Metric = NonNullable<NonNullable<V2['spec']>['metrics']>[number];
type Condition = NonNullable<NonNullable<V2['status']>['conditions']>[number];
type Current = NonNullable<NonNullable<V2['status']>['currentMetrics']>[number];

const PREFIX = 'autoscaling.alpha.kubernetes.io/';
export const METRICS_ANNOTATION: string = `${PREFIX}metrics`;
const CURRENT_METRICS = `${PREFIX}current-metrics`;
const CONDITIONS = `${PREFIX}conditions`;
const BEHAVIOR = `${PREFIX}behavior`;

/** The autoscaler in the form of `apiVersion`. */
export function convertAutoscaler(object: KubeObject, apiVersion: string): KubeObject {
  if (object.apiVersion === apiVersion) return object;
  const given = presentOnly(object);
  const converted = apiVersion === 'autoscaling/v1' ? toV1(given as unknown as V2) : toV2(given as unknown as V1);
  return { ...given, ...(converted as object), apiVersion };
}

function toV1({ metadata, spec = {}, status }: V2): V1 {
  const { metrics = [], behavior, ...rest } = spec;
  const cpu = metrics.findIndex(isCpuUse);
  const percent = metrics[cpu]?.resource?.target?.averageUtilization;
  const { currentMetrics = [], conditions, ...counts } = status ?? {};
  const currentCpu = currentMetrics.findIndex(isCurrentCpuUse);
  const currentPercent = currentMetrics[currentCpu]?.resource?.current?.averageUtilization;
  const annotations = {
    ...metadata?.annotations,
    ...kept(
      METRICS_ANNOTATION,
      metrics.filter((_, at) => at !== cpu),
    ),
    ...kept(
      CURRENT_METRICS,
      currentMetrics.filter((_, at) => at !== currentCpu),
    ),
    ...kept(CONDITIONS, conditions ?? []),
    ...(behavior ? { [BEHAVIOR]: JSON.stringify(behavior) } : {}),
  };
  return {
    metadata: { ...metadata, ...(Object.keys(annotations).length > 0 ? { annotations } : {}) },
    spec: { ...rest, ...(percent === undefined ? {} : { targetCPUUtilizationPercentage: percent }) },
    ...(status
      ? {
          status: {
            currentReplicas: 0,
            ...counts,
            ...(currentPercent === undefined ? {} : { currentCPUUtilizationPercentage: currentPercent }),
          },
        }
      : {}),
  };
}

function toV2({ metadata, spec = {}, status }: V1): V2 {
  const { annotations = {}, ...meta } = metadata ?? {};
  const own = Object.entries(annotations).filter(
    ([key]) => ![METRICS_ANNOTATION, CURRENT_METRICS, CONDITIONS, BEHAVIOR].includes(key),
  );
  const { targetCPUUtilizationPercentage: percent, ...rest } = spec;
  const { currentCPUUtilizationPercentage: currentPercent, ...counts } = status ?? {};
  const metrics = [
    ...(percent === undefined ? [] : [cpuUse(percent)]),
    ...(list(annotations[METRICS_ANNOTATION]) as Metric[]),
  ];
  const currentMetrics = [
    ...(currentPercent === undefined ? [] : [currentCpuUse(currentPercent)]),
    ...(list(annotations[CURRENT_METRICS]) as Current[]),
  ];
  const behavior = parsed(annotations[BEHAVIOR]);
  const conditions = list(annotations[CONDITIONS]) as Condition[];
  return {
    metadata: { ...meta, ...(own.length > 0 ? { annotations: Object.fromEntries(own) } : {}) },
    spec: { ...rest, ...(metrics.length > 0 ? { metrics } : {}), ...(behavior ? { behavior } : {}) },
    ...(status
      ? {
          status: {
            ...counts,
            ...(currentMetrics.length > 0 ? { currentMetrics } : {}),
            ...(conditions.length > 0 ? { conditions } : {}),
          },
        }
      : {}),
  };
}

function isCpuUse({ type, resource }: Metric): boolean {
  return type === 'Resource' && resource?.name === 'cpu' && resource.target?.averageUtilization !== undefined;
}

function isCurrentCpuUse({ type, resource }: Current): boolean {
  return type === 'Resource' && resource?.name === 'cpu' && resource.current?.averageUtilization !== undefined;
}

function cpuUse(averageUtilization: number): Metric {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } };
}

function currentCpuUse(averageUtilization: number): Current {
  return { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization } } };
}

function kept(annotation: string, values: readonly unknown[]): Record<string, string> {
  return values.length === 0 ? {} : { [annotation]: JSON.stringify(values) };
}

function list(text: string | undefined): readonly unknown[] {
  const value = parsed(text);
  return Array.isArray(value) ? value : [];
}

/** An annotation anyone may write: what is no JSON is no metric. */
function parsed(text: string | undefined): object | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
