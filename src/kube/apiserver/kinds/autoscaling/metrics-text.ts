/** The TARGETS column of autoscalers: `cpu: 12%/80%, 5/10 + 1 more...`. */
import type { AutoscalingV2HorizontalPodAutoscaler } from '#gen/kube/types.ts';
import type { Given } from '../kind.ts';

type Autoscaler = Given<AutoscalingV2HorizontalPodAutoscaler>;
type Metric = NonNullable<NonNullable<Autoscaler['spec']>['metrics']>[number];
type Current = NonNullable<NonNullable<Autoscaler['status']>['currentMetrics']>[number];

const SHOWN = 2;

export function metricsText(metrics: readonly Metric[], current: readonly Current[]): string {
  if (metrics.length === 0) return '<none>';
  const all = metrics.map((metric, at) => metricText(metric, current[at]));
  const shown = all.slice(0, SHOWN).join(', ');
  return all.length > SHOWN ? `${shown} + ${all.length - SHOWN} more...` : shown;
}

function metricText(metric: Metric, current: Current | undefined): string {
  switch (metric.type) {
    case 'External':
      return valueText(metric.external?.target, current?.external?.current);
    case 'Object':
      return valueText(metric.object?.target, current?.object?.current);
    case 'Pods':
      return `${current?.pods ? (current.pods.current?.averageValue ?? '0') : '<unknown>'}/${metric.pods?.target?.averageValue ?? '0'}`;
    case 'Resource':
      return resourceText(metric.resource, current?.resource?.current);
    case 'ContainerResource':
      return resourceText(metric.containerResource, current?.containerResource?.current);
    default:
      return '<unknown type>';
  }
}

type Target = NonNullable<NonNullable<Metric['external']>['target']>;
type Value = NonNullable<NonNullable<Current['external']>['current']>;

function valueText(target: Target | undefined, current: Value | undefined): string {
  return target?.averageValue === undefined
    ? `${current?.value ?? '<unknown>'}/${target?.value ?? '0'}`
    : `${current?.averageValue ?? '<unknown>'}/${target.averageValue} (avg)`;
}

interface Resource {
  readonly name?: string | undefined;
  readonly target?: Target | undefined;
}

function resourceText(resource: Resource | undefined, current: Value | undefined): string {
  const { name = '', target } = resource ?? {};
  if (target?.averageValue !== undefined)
    return `${name}: ${current?.averageValue ?? '<unknown>'}/${target.averageValue}`;
  return `${name}: ${percent(current?.averageUtilization, '<unknown>')}/${percent(target?.averageUtilization, '<auto>')}`;
}

function percent(value: number | undefined, absent: string): string {
  return value === undefined ? absent : `${value}%`;
}
