/**
 * Makes one status of those of all members, per kind.
 *
 * As karmada v1.18 pkg/resourceinterpreter/default/native/aggregatestatus.go. Counts are added up. The template's
 * observedGeneration becomes its generation only when every member has observed what this generation of the template
 * became there; until then the old one stays. A template whose status would not change is returned as it is.
 */
import { jsonEqual } from '#base/json.ts';
import type { AggregatedStatusItem } from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type Fields, fieldsAt, listAt, numberAt, stringAt, withField } from './fields.ts';
import { aggregateJob } from './job-status.ts';
import { mergeIngress } from './load-balancer.ts';
import {
  AUTOSCALER_COUNTS,
  type Counts,
  DAEMON_SET_COUNTS,
  DEPLOYMENT_COUNTS,
  DISRUPTION_COUNTS,
  REPLICA_SET_COUNTS,
  STATEFUL_SET_COUNTS,
  writeCounts,
} from './reflect-status.ts';

type Aggregate = (template: KubeObject, items: readonly AggregatedStatusItem[]) => KubeObject;

function replaced(template: KubeObject, status: Fields): KubeObject {
  return jsonEqual(fieldsAt(template, 'status') ?? {}, status) ? template : withField(template, ['status'], status);
}

function sum(items: readonly AggregatedStatusItem[], field: string): number {
  return items.reduce((total, { status }) => total + (numberAt(status, field) ?? 0), 0);
}

/** Whether a member is done with what the template says now. */
type IsObserved = (status: Fields, template: KubeObject) => boolean;

const observedTemplate: IsObserved = (status, { metadata }) =>
  (numberAt(status, 'observedGeneration') ?? 0) >= (numberAt(status, 'generation') ?? 0) &&
  (numberAt(status, 'resourceTemplateGeneration') ?? 0) >= (metadata.generation ?? 0);

/** Quirk of Karmada: it compares the member's generation with itself here. */
const observedStatefulSet: IsObserved = (status) => {
  const generation = numberAt(status, 'generation') ?? 0;
  const observed = numberAt(status, 'observedGeneration') ?? 0;
  return observed >= generation && (numberAt(status, 'resourceTemplateGeneration') ?? 0) >= generation;
};

/** Adds counts up, and leaves what else is in the status alone. */
function workload(counts: Counts, isObserved: IsObserved = observedTemplate): Aggregate {
  return (template, items) => {
    const old = fieldsAt(template, 'status') ?? {};
    const all = items.every(({ status }) => status !== undefined && isObserved(status, template));
    const observedGeneration = all ? (template.metadata.generation ?? 0) : (numberAt(old, 'observedGeneration') ?? 0);
    const known = new Set(['observedGeneration', ...counts.always, ...counts.nonZero]);
    const others = Object.fromEntries(Object.entries(old).filter(([field]) => !known.has(field)));
    return replaced(template, {
      ...others,
      ...(observedGeneration === 0 ? {} : { observedGeneration }),
      ...writeCounts(counts, (field) => sum(items, field)),
    });
  };
}

const service: Aggregate = (template, items) =>
  stringAt(template, 'spec', 'type') === 'LoadBalancer' ? loadBalanced(template, items) : template;

const loadBalanced: Aggregate = (template, items) => {
  const ingress = mergeIngress(items.flatMap(({ status }) => listAt(status, 'loadBalancer', 'ingress')));
  return replaced(template, { loadBalancer: ingress.length === 0 ? {} : { ingress } });
};

const cronJob: Aggregate = (template, items) => {
  const active = items.flatMap(({ status }) => listAt(status, 'active'));
  const latest = (field: string) =>
    items
      .flatMap(({ status }) => stringAt(status, field) ?? [])
      .sort()
      .at(-1);
  const lastScheduleTime = latest('lastScheduleTime');
  const lastSuccessfulTime = latest('lastSuccessfulTime');
  return replaced(template, {
    ...(active.length > 0 ? { active } : {}),
    ...(lastScheduleTime === undefined ? {} : { lastScheduleTime }),
    ...(lastSuccessfulTime === undefined ? {} : { lastSuccessfulTime }),
  });
};

/** The first of the phases, in order of concern, that some member is in; one not yet heard of is pending. */
function worstPhase(items: readonly AggregatedStatusItem[], order: readonly string[]): string | undefined {
  const phases = new Set(items.map(({ status }) => (status ? stringAt(status, 'phase') : 'Pending')));
  return order.find((phase) => phases.has(phase));
}

const pod: Aggregate = (template, items) => {
  if (items.length === 0) return template;
  const phase = worstPhase(items, ['Failed', 'Pending', 'Running', 'Succeeded']);
  const containers = (field: string) =>
    items.flatMap(({ status }) => listAt(status, field)).map(({ ready = false, state = {} }) => ({ ready, state }));
  const containerStatuses = containers('containerStatuses');
  const initContainerStatuses = containers('initContainerStatuses');
  return replaced(template, {
    ...(phase === undefined ? {} : { phase }),
    ...(containerStatuses.length > 0 ? { containerStatuses } : {}),
    ...(initContainerStatuses.length > 0 ? { initContainerStatuses } : {}),
  });
};

const persistentVolume: Aggregate = (template, items) => {
  const phase = worstPhase(items, ['Failed', 'Pending', 'Available', 'Bound', 'Released']);
  return replaced(template, phase === undefined ? {} : { phase });
};

/** Bound unless somebody says otherwise; of several that do, the last counts, but one that lost its volume counts most. */
const persistentVolumeClaim: Aggregate = (template, items) => {
  const phases = items.flatMap(({ status }) => (status ? [stringAt(status, 'phase') ?? ''] : []));
  const other = phases.findLast((phase) => phase !== 'Bound');
  const phase = phases.includes('Lost') ? 'Lost' : (other ?? 'Bound');
  return replaced(template, phase === '' ? {} : { phase });
};

const podDisruptionBudget: Aggregate = (template, items) => {
  const disrupted = items.flatMap(({ clusterName, status }) =>
    Object.entries(fieldsAt(status, 'disruptedPods') ?? {}).map(([name, time]) => [`${clusterName}/${name}`, time]),
  );
  return replaced(template, {
    ...writeCounts(DISRUPTION_COUNTS, (field) => sum(items, field)),
    ...(disrupted.length > 0 ? { disruptedPods: Object.fromEntries(disrupted) } : {}),
  });
};

const horizontalPodAutoscaler: Aggregate = (template, items) =>
  replaced(
    template,
    writeCounts(AUTOSCALER_COUNTS, (field) => sum(items, field)),
  );

/** A job that is finished stays as it is. */
const job: Aggregate = (template, items) => {
  const status = aggregateJob(fieldsAt(template, 'status') ?? {}, items);
  return status ? replaced(template, status) : template;
};

export const AGGREGATE_STATUS: Readonly<Record<string, Aggregate>> = {
  'apps/v1/Deployment': workload(DEPLOYMENT_COUNTS),
  'apps/v1/ReplicaSet': workload(REPLICA_SET_COUNTS),
  'apps/v1/DaemonSet': workload(DAEMON_SET_COUNTS),
  'apps/v1/StatefulSet': workload(STATEFUL_SET_COUNTS, observedStatefulSet),
  'v1/Service': service,
  'networking.k8s.io/v1/Ingress': loadBalanced,
  'batch/v1/Job': job,
  'batch/v1/CronJob': cronJob,
  'v1/Pod': pod,
  'v1/PersistentVolume': persistentVolume,
  'v1/PersistentVolumeClaim': persistentVolumeClaim,
  'policy/v1/PodDisruptionBudget': podDisruptionBudget,
  'autoscaling/v2/HorizontalPodAutoscaler': horizontalPodAutoscaler,
};
