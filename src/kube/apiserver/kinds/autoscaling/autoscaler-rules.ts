/** Between which bounds an autoscaler moves, and by which metrics. */
import type { AutoscalingV2HorizontalPodAutoscaler, HPAScalingRules, MetricSpec } from '#gen/kube/types.ts';
import { forbidden, invalid, invalidAll, notSupported, required } from '#kube/meta/field-error.ts';
import { pathSegmentProblems } from '#kube/meta/names.ts';
import { tryParseQuantity } from '#kube/meta/quantity.ts';
import { nonNegative, oneOf } from '../checks.ts';
import type { Errors, Given } from '../kind.ts';

type Autoscaler = Given<AutoscalingV2HorizontalPodAutoscaler>;
type Target = NonNullable<NonNullable<Given<MetricSpec>['external']>['target']>;
type Reference = NonNullable<Autoscaler['spec']>['scaleTargetRef'];

/** `target` is how what it scales has to be named: what was there before need not be named any better. */
export function* autoscalerRules({ spec = {} }: Autoscaler, target?: { readonly old?: Autoscaler }): Errors {
  const { minReplicas, maxReplicas = 0, scaleTargetRef, metrics = [], behavior } = spec;
  if (minReplicas !== undefined && minReplicas < 1) {
    yield invalid('spec.minReplicas', minReplicas, 'must be greater than or equal to 1');
  }
  if (maxReplicas < 1) yield invalid('spec.maxReplicas', maxReplicas, 'must be greater than 0');
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    yield invalid('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`');
  }
  yield* objectReference(scaleTargetRef, 'spec.scaleTargetRef');
  if (target) yield* targetVersion(scaleTargetRef, target.old?.spec?.scaleTargetRef);
  for (const [at, metric] of metrics.entries()) yield* metricRules(metric, `spec.metrics[${at}]`);
  if (minReplicas === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External')) {
    const rule = 'must specify at least one Object or External metric to support scaling to zero replicas';
    yield forbidden('spec.metrics', rule);
  }
  if (behavior?.scaleUp) yield* scalingRules(behavior.scaleUp, 'spec.behavior.scaleUp');
  if (behavior?.scaleDown) yield* scalingRules(behavior.scaleDown, 'spec.behavior.scaleDown');
}

function* objectReference(reference: Reference, path: string): Errors {
  const { kind = '', name = '' } = reference ?? {};
  for (const [field, value] of Object.entries({ kind, name })) {
    if (value === '') yield required(`${path}.${field}`);
    else yield* invalidAll(`${path}.${field}`, value, pathSegmentProblems(value));
  }
}

/** The one thing of the core group that can be scaled. */
const CORE_KIND = 'ReplicationController';

/** Autoscalers of older servers may say nothing of the group, as long as they do not change what they scale. */
function* targetVersion(reference: Reference, old: Reference): Errors {
  const { apiVersion = '', kind } = reference ?? {};
  if (old && (old.apiVersion ?? '') === apiVersion && old.kind === kind) return;
  const problem = versionProblem(apiVersion, kind === CORE_KIND);
  if (problem !== undefined) yield invalid('spec.scaleTargetRef.apiVersion', apiVersion, problem);
}

function versionProblem(apiVersion: string, mayBeCore: boolean): string | undefined {
  const parts = apiVersion.split('/');
  if (parts.length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  return mayBeCore || (parts.length === 2 && parts[0] !== '') ? undefined : 'apiVersion must specify API group';
}

const SOURCES = {
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
  External: 'external',
  ContainerResource: 'containerResource',
} as const;
const TYPES = Object.keys(SOURCES).sort();

function* metricRules(metric: Given<MetricSpec>, path: string): Errors {
  const { type = '' } = metric;
  if (type === '') yield required(`${path}.type`, 'must specify a metric source type');
  if (!Object.hasOwn(SOURCES, type)) yield notSupported(`${path}.type`, type, TYPES);
  const present = Object.values(SOURCES).filter((source) => metric[source] !== undefined);
  if (present.length === 1) yield* sourceRules(metric, path);
  const expected = SOURCES[type as keyof typeof SOURCES];
  if (expected && !metric[expected]) {
    yield required(`${path}.${expected}`, 'must populate information for the given metric source');
  }
  if (present.length === 1) return;
  for (const other of present.filter((source) => source !== expected)) {
    yield forbidden(`${path}.${other}`, 'must populate the given metric source only');
  }
}

function* sourceRules(
  { object, external, pods, resource, containerResource }: Given<MetricSpec>,
  path: string,
): Errors {
  if (object) {
    yield* objectReference(object.describedObject, `${path}.object.describedObject`);
    yield* namedTarget(object, `${path}.object`);
    const { value, averageValue } = object.target ?? {};
    if (value === undefined && averageValue === undefined) {
      yield required(`${path}.object.target.averageValue`, 'must set either a target value or averageValue');
    }
  } else if (external) {
    yield* namedTarget(external, `${path}.external`);
    yield* oneTarget(external.target, `${path}.external.target`);
  } else if (pods) {
    yield* namedTarget(pods, `${path}.pods`);
    if (pods.target?.averageValue === undefined) {
      yield required(`${path}.pods.target.averageValue`, 'must specify a positive target averageValue');
    }
  } else if (resource) yield* resourceRules(resource, `${path}.resource`);
  else if (containerResource) {
    if (!containerResource.container)
      yield required(`${path}.containerResource.container`, 'must specify a container name');
    yield* resourceRules(containerResource, `${path}.containerResource`);
  }
}

function* namedTarget(
  { metric, target }: Pick<NonNullable<Given<MetricSpec>['external']>, 'metric' | 'target'>,
  path: string,
): Errors {
  const { name = '' } = metric ?? {};
  if (name === '') yield required(`${path}.metric.name`, 'must specify a metric name');
  else yield* invalidAll(`${path}.metric.name`, name, pathSegmentProblems(name));
  yield* targetRules(target ?? {}, `${path}.target`);
}

function* oneTarget(target: Target | undefined, path: string): Errors {
  const { value, averageValue } = target ?? {};
  if (value === undefined && averageValue === undefined) {
    yield required(`${path}.averageValue`, 'must set either a target value for metric or a per-pod target');
  } else if (value !== undefined && averageValue !== undefined) {
    yield forbidden(`${path}.value`, 'may not set both a target value for metric and a per-pod target');
  }
}

function* resourceRules(
  { name, target }: Pick<NonNullable<Given<MetricSpec>['resource']>, 'name' | 'target'>,
  path: string,
): Errors {
  if (!name) yield required(`${path}.name`, 'must specify a resource name');
  yield* targetRules(target ?? {}, `${path}.target`);
  const { averageUtilization, averageValue } = target ?? {};
  if (averageUtilization === undefined && averageValue === undefined) {
    yield required(`${path}.target.averageUtilization`, 'must set either a target raw value or a target utilization');
  } else if (averageUtilization !== undefined && averageValue !== undefined) {
    yield forbidden(`${path}.target.averageValue`, 'may not set both a target raw value and a target utilization');
  }
}

function* targetRules({ type = '', value, averageValue, averageUtilization }: Target, path: string): Errors {
  if (type === '') yield required(`${path}.type`, 'must specify a metric target type');
  if (!['Utilization', 'Value', 'AverageValue'].includes(type)) {
    yield invalid(`${path}.type`, type, 'must be either Utilization, Value, or AverageValue');
  }
  for (const [field, amount] of Object.entries({ value, averageValue })) {
    if (amount !== undefined && (tryParseQuantity(amount)?.nanos ?? 0n) <= 0n) {
      yield invalid(`${path}.${field}`, amount, 'must be positive');
    }
  }
  if (averageUtilization !== undefined && averageUtilization < 1) {
    yield invalid(`${path}.averageUtilization`, averageUtilization, 'must be greater than 0');
  }
}

const MAX_WINDOW = 3_600;
const MAX_PERIOD = 1_800;

function* scalingRules(rules: Given<HPAScalingRules>, path: string): Errors {
  const { stabilizationWindowSeconds: window, selectPolicy, policies = [], tolerance } = rules;
  if (window !== undefined && window < 0) {
    yield invalid(`${path}.stabilizationWindowSeconds`, window, 'must be greater than or equal to zero');
  }
  if (window !== undefined && window > MAX_WINDOW) {
    yield invalid(`${path}.stabilizationWindowSeconds`, window, `must be less than or equal to ${MAX_WINDOW}`);
  }
  yield* oneOf(selectPolicy, ['Disabled', 'Max', 'Min'], `${path}.selectPolicy`);
  if (policies.length === 0) yield required(`${path}.policies`, 'must specify at least one Policy');
  for (const [at, { type = '', value = 0, periodSeconds = 0 }] of policies.entries()) {
    const own = `${path}.policies[${at}]`;
    yield* oneOf(type, ['Percent', 'Pods'], `${own}.type`);
    if (value <= 0) yield invalid(`${own}.value`, value, 'must be greater than zero');
    if (periodSeconds <= 0) yield invalid(`${own}.periodSeconds`, periodSeconds, 'must be greater than zero');
    if (periodSeconds > MAX_PERIOD) {
      yield invalid(`${own}.periodSeconds`, periodSeconds, `must be less than or equal to ${MAX_PERIOD}`);
    }
  }
  if (tolerance !== undefined && (tryParseQuantity(tolerance)?.nanos ?? 0n) < 0n) {
    yield invalid(`${path}.tolerance`, tolerance, 'must be greater than or equal to 0');
  }
}

export function* autoscalerStatus({ status }: Autoscaler): Errors {
  yield* nonNegative(status?.currentReplicas, 'status.currentReplicas');
  yield* nonNegative(status?.desiredReplicas, 'status.desiredReplicas');
}
