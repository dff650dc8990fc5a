/**
 * From one metric of an autoscaler and what was read for it to a number of replicas and the status people see. Pure.
 * Names, reasons and messages are those of Kubernetes' HorizontalPodAutoscaler.
 */
import type {
  ContainerResourceMetricSource,
  ExternalMetricSource,
  MetricIdentifier,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
  ObjectMetricSource,
  PodsMetricSource,
  ResourceMetricSource,
} from '#gen/kube/types.ts';
import type { EventReason } from '#karmada/apis/index.ts';
import { selectorOf } from '#kube/meta/label-selector.ts';
import { formatQuantity, milliQuantityOf, parseQuantity, quantityMilliValue } from '#kube/meta/quantity.ts';
import {
  averageReplicas,
  type Proposal,
  sharedReplicas,
  type Sizing,
  utilizationReplicas,
  valueReplicas,
} from './metric-replicas.ts';
import type { Samples } from './pod-groups.ts';

/** What the members say; `silent` names those that did not answer, with the reason, when others did. */
export type Reading =
  | { readonly type: 'samples'; readonly samples: Samples; readonly silent?: readonly string[] }
  | { readonly type: 'value'; readonly value: number; readonly silent?: readonly string[] }
  | { readonly type: 'failed'; readonly message: string };

export type Evaluation =
  | { readonly metric: string; readonly replicas: number; readonly status: MetricStatus; readonly because: string }
  | { readonly reason: EventReason; readonly failure: string; readonly error: string };

export interface EvaluationContext extends Sizing {
  readonly namespace: string;
}

export function evaluateMetric(spec: MetricSpec, reading: Reading, context: EvaluationContext): Evaluation {
  if (spec.type === 'Resource' && spec.resource) return ofResource(spec.resource, reading, context);
  if (spec.type === 'ContainerResource' && spec.containerResource) {
    return ofContainer(spec.containerResource, reading, context);
  }
  if (spec.type === 'Pods' && spec.pods) return ofPods(spec.pods, reading, context);
  if (spec.type === 'Object' && spec.object) return ofObject(spec.object, reading, context);
  if (spec.type === 'External' && spec.external) return ofExternal(spec.external, reading, context);
  const failure = `unknown metric source type ${JSON.stringify(spec.type)}`;
  return { reason: 'InvalidMetricSourceType', failure, error: failure };
}

function ofResource({ name, target }: ResourceMetricSource, reading: Reading, context: EvaluationContext): Evaluation {
  const { proposal, metric } = resourceProposal(name, undefined, target, reading, context);
  if ('failure' in proposal) {
    const error = `failed to get ${name} resource metric value: ${proposal.failure}`;
    return { reason: 'FailedGetResourceMetric', failure: proposal.failure, error };
  }
  return found(metric, proposal, { type: 'Resource', resource: { name, current: currentOf(proposal) } });
}

function ofContainer(
  { name, container, target }: ContainerResourceMetricSource,
  reading: Reading,
  context: EvaluationContext,
): Evaluation {
  const { proposal, metric } = resourceProposal(name, container, target, reading, context);
  if ('failure' in proposal) {
    const error = `failed to get ${container} container metric value: ${proposal.failure}`;
    return { reason: 'FailedGetContainerResourceMetric', failure: proposal.failure, error };
  }
  const status = { name, container, current: currentOf(proposal) };
  return found(metric, proposal, { type: 'ContainerResource', containerResource: status });
}

function resourceProposal(
  name: string,
  container: string | undefined,
  { averageValue, averageUtilization }: MetricTarget,
  reading: Reading,
  sizing: Sizing,
): { readonly proposal: Proposal; readonly metric: string } {
  const samples = samplesOf(reading, `unable to get metrics for resource ${name}`);
  const failed = (failure: string) => ({ failure: `failed to get ${name} utilization: ${failure}` });
  if (typeof samples === 'string') return { proposal: failed(samples), metric: '' };
  if (averageValue !== undefined) {
    const proposal = averageReplicas(samples, name, milli(averageValue), sizing);
    return { proposal: 'failure' in proposal ? failed(proposal.failure) : proposal, metric: `${name} resource` };
  }
  if (averageUtilization === undefined) {
    const failure =
      'invalid resource metric source: neither an average utilization target nor an average value target was set';
    return { proposal: { failure }, metric: '' };
  }
  const proposal = utilizationReplicas(samples, name, container, averageUtilization, sizing);
  const metric = `${name} ${container === undefined ? '' : 'container '}resource utilization (percentage of request)`;
  return { proposal: 'failure' in proposal ? failed(proposal.failure) : proposal, metric };
}

function ofPods({ metric, target }: PodsMetricSource, reading: Reading, context: EvaluationContext): Evaluation {
  const samples = samplesOf(reading, `unable to get metric ${metric.name}`);
  const proposal =
    typeof samples === 'string'
      ? { failure: samples }
      : averageReplicas(samples, undefined, milli(target.averageValue), context);
  if ('failure' in proposal) {
    const error = `failed to get pods metric value: ${proposal.failure}`;
    return { reason: 'FailedGetPodsMetric', failure: proposal.failure, error };
  }
  const status = { metric: identifierOf(metric), current: { averageValue: text(proposal.usage) } };
  return found(`pods metric ${metric.name}`, proposal, { type: 'Pods', pods: status });
}

function ofObject(
  { metric, target, describedObject }: ObjectMetricSource,
  reading: Reading,
  context: EvaluationContext,
): Evaluation {
  const { kind, name } = describedObject;
  const missing = `unable to get metric ${metric.name}: ${kind} on ${context.namespace} ${name}`;
  const proposal = valueProposal(reading, target, context, (why) => `${missing}/${why}`);
  if ('failure' in proposal) {
    const error = `failed to get object metric value: ${proposal.failure}`;
    return { reason: 'FailedGetObjectMetric', failure: proposal.failure, error };
  }
  const status = { metric: identifierOf(metric), current: valueOf(target, proposal.usage), describedObject };
  const shown = target.value === undefined ? externalName(metric) : `${kind} metric ${metric.name}`;
  return found(shown, proposal, { type: 'Object', object: status });
}

function ofExternal(
  { metric, target }: ExternalMetricSource,
  reading: Reading,
  context: EvaluationContext,
): Evaluation {
  const missing = `unable to get external metric ${context.namespace}/${metric.name}/${selectorText(metric)}`;
  const proposal = valueProposal(reading, target, context, (why) => `${missing}: ${why}`);
  if ('failure' in proposal) {
    const error = `failed to get ${metric.name} external metric value: ${proposal.failure}`;
    return { reason: 'FailedGetExternalMetric', failure: proposal.failure, error };
  }
  const status = { metric: identifierOf(metric), current: valueOf(target, proposal.usage) };
  return found(externalName(metric), proposal, { type: 'External', external: status });
}

function valueProposal(
  reading: Reading,
  { value, averageValue }: MetricTarget,
  sizing: Sizing,
  missing: (why: string) => string,
): Proposal {
  if (reading.type === 'failed') return { failure: missing(reading.message) };
  if (reading.type !== 'value') return { failure: missing('the members answered with readings of pods') };
  if (value !== undefined) return valueReplicas(reading.value, milli(value), sizing);
  if (averageValue !== undefined) return sharedReplicas(reading.value, milli(averageValue), sizing);
  return { failure: 'invalid metric source: neither a value target nor an average value target was set' };
}

/** The readings, or why there are none. */
function samplesOf(reading: Reading, missing: string): Samples | string {
  if (reading.type === 'samples') return reading.samples;
  return `${missing}: ${reading.type === 'failed' ? reading.message : 'the members answered with a single value'}`;
}

type Found = Exclude<Proposal, { readonly failure: string }>;

function found(metric: string, { replicas, because }: Found, status: MetricStatus): Evaluation {
  return { metric, replicas, status, because };
}

function currentOf({ usage, utilization }: Found): MetricValueStatus {
  return { ...(utilization === undefined ? {} : { averageUtilization: utilization }), averageValue: text(usage) };
}

function valueOf({ value }: MetricTarget, usage: number): MetricValueStatus {
  return value === undefined ? { averageValue: text(usage) } : { value: text(usage) };
}

function identifierOf({ name, selector }: MetricIdentifier): MetricIdentifier {
  return { name, ...(selector ? { selector } : {}) };
}

function externalName(metric: MetricIdentifier): string {
  return `external metric ${metric.name}(${selectorText(metric)})`;
}

function selectorText({ selector }: MetricIdentifier): string {
  return selector ? String(selectorOf(selector)) : 'nil';
}

function milli(quantity: string | undefined): number {
  return quantityMilliValue(parseQuantity(quantity ?? '0'));
}

function text(millis: number): string {
  return formatQuantity(milliQuantityOf(millis));
}
