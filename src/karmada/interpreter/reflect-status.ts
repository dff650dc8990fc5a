/**
 * What of a member object's status goes up into its Work.
 *
 * Only what is aggregated, so that a chatty status does not wake everybody above it. Workloads also say which
 * generation of the template they come from, which is how the template's observedGeneration can be told. Zeros are
 * left out where Kubernetes leaves them out.
 */
import type { JsonObject } from '#base/json.ts';
import { ANNOTATIONS } from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type Fields, fieldAt, fieldsAt, numberAt, stringAt } from './fields.ts';

type Reflect = (observed: KubeObject) => JsonObject | undefined;

/** The counts of a kind: those written even when 0, and those that are not. */
export interface Counts {
  readonly always: readonly string[];
  readonly nonZero: readonly string[];
}

export const DEPLOYMENT_COUNTS: Counts = {
  always: [],
  nonZero: ['replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas', 'unavailableReplicas'],
};
export const REPLICA_SET_COUNTS: Counts = { always: ['replicas'], nonZero: ['readyReplicas', 'availableReplicas'] };
export const DAEMON_SET_COUNTS: Counts = {
  always: ['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady'],
  nonZero: ['updatedNumberScheduled', 'numberAvailable', 'numberUnavailable'],
};
export const STATEFUL_SET_COUNTS: Counts = {
  always: ['replicas', 'availableReplicas'],
  nonZero: ['readyReplicas', 'currentReplicas', 'updatedReplicas'],
};
export const DISRUPTION_COUNTS: Counts = {
  always: ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'],
  nonZero: [],
};
export const AUTOSCALER_COUNTS: Counts = { always: ['desiredReplicas'], nonZero: ['currentReplicas'] };

/** Counts as they are written. */
export function writeCounts({ always, nonZero }: Counts, value: (field: string) => number): Record<string, number> {
  return Object.fromEntries([
    ...always.map((field) => [field, value(field)] as const),
    ...nonZero.map((field) => [field, value(field)] as const).filter(([, count]) => count !== 0),
  ]);
}

/** Quirk of Karmada: a StatefulSet's observedGeneration is not sent up, so its template's never moves. */
function workload(counts: Counts, sendsObservedGeneration = true): Reflect {
  return (observed) => {
    const status = fieldsAt(observed, 'status');
    if (!status) return undefined;
    const generations = {
      generation: observed.metadata.generation ?? 0,
      resourceTemplateGeneration: Number(observed.metadata.annotations?.[ANNOTATIONS.templateGeneration] ?? 0) || 0,
      ...(sendsObservedGeneration ? { observedGeneration: numberAt(status, 'observedGeneration') ?? 0 } : {}),
    };
    const reflected = {
      ...Object.fromEntries(Object.entries(generations).filter(([, generation]) => generation !== 0)),
      ...writeCounts(counts, (field) => numberAt(status, field) ?? 0),
    };
    return Object.keys(reflected).length === 0 ? undefined : reflected;
  };
}

/** Some fields of the status, those that are there. */
function pick(...fields: readonly string[]): Reflect {
  return (observed) => {
    const status = fieldsAt(observed, 'status');
    if (!status) return undefined;
    const found = fields.filter((field) => status[field] !== undefined && status[field] !== 0);
    return json(Object.fromEntries(found.map((field) => [field, status[field]])));
  };
}

function counted(counts: Counts, ...more: readonly string[]): Reflect {
  const rest = pick(...more);
  return (observed) => {
    const status = fieldsAt(observed, 'status');
    return status && { ...writeCounts(counts, (field) => numberAt(status, field) ?? 0), ...rest(observed) };
  };
}

const service: Reflect = (observed) => {
  if (stringAt(observed, 'spec', 'type') !== 'LoadBalancer') return undefined;
  const status = fieldsAt(observed, 'status');
  return status && json({ loadBalancer: fieldAt(status, 'loadBalancer') ?? {} });
};

export const REFLECT_STATUS: Readonly<Record<string, Reflect>> = {
  'apps/v1/Deployment': workload(DEPLOYMENT_COUNTS),
  'apps/v1/ReplicaSet': workload(REPLICA_SET_COUNTS),
  'apps/v1/DaemonSet': workload(DAEMON_SET_COUNTS),
  'apps/v1/StatefulSet': workload(STATEFUL_SET_COUNTS, false),
  'v1/Service': service,
  'batch/v1/Job': pick('active', 'succeeded', 'failed', 'conditions', 'startTime', 'completionTime'),
  'policy/v1/PodDisruptionBudget': counted(DISRUPTION_COUNTS, 'disruptedPods'),
  'autoscaling/v2/HorizontalPodAutoscaler': counted(AUTOSCALER_COUNTS),
};

/** For every other kind: all of it. */
export const wholeStatus: Reflect = (observed) => {
  const status = fieldsAt(observed, 'status');
  return status && json(status);
};

/** Objects come from JSON, so what is in them is JSON. */
function json(fields: Fields): JsonObject {
  return fields as JsonObject;
}
