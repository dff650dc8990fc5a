/** Whether an object in a member does what it is there for. */
import { isConditionTrue } from '#kube/meta/condition.ts';
import type { Condition, KubeObject } from '#kube/meta/object.ts';
import { fieldAt, listAt, numberAt, stringAt } from './fields.ts';

type IsHealthy = (object: KubeObject) => boolean;

const count = (object: KubeObject, field: string): number => numberAt(object, 'status', field) ?? 0;

/** The controller in the member has seen the newest spec. */
function isObserved(object: KubeObject): boolean {
  return count(object, 'observedGeneration') === (object.metadata.generation ?? 0);
}

/** Without a number of its own a workload is healthy with what it has. */
function wanted(object: KubeObject): number {
  return numberAt(object, 'spec', 'replicas') ?? 0;
}

const isRolledOut: IsHealthy = (object) =>
  isObserved(object) &&
  count(object, 'updatedReplicas') >= wanted(object) &&
  count(object, 'availableReplicas') >= count(object, 'updatedReplicas');

const isReplicaSetUp: IsHealthy = (object) =>
  isObserved(object) && count(object, 'availableReplicas') >= wanted(object);

const isDaemonSetUp: IsHealthy = (object) =>
  isObserved(object) &&
  count(object, 'updatedNumberScheduled') >= count(object, 'desiredNumberScheduled') &&
  count(object, 'numberAvailable') >= count(object, 'updatedNumberScheduled');

const hasAddress: IsHealthy = (object) =>
  listAt(object, 'status', 'loadBalancer', 'ingress').some(({ hostname, ip }) => Boolean(hostname) || Boolean(ip));

const isPodUp: IsHealthy = (object) => {
  const phase = stringAt(object, 'status', 'phase');
  if (phase === 'Succeeded') return true;
  const conditions = fieldAt(object, 'status', 'conditions') as readonly Condition[] | undefined;
  return phase === 'Running' && isConditionTrue(conditions, 'Ready');
};

export const HEALTH: Readonly<Record<string, IsHealthy>> = {
  'apps/v1/Deployment': isRolledOut,
  'apps/v1/StatefulSet': isRolledOut,
  'apps/v1/ReplicaSet': isReplicaSetUp,
  'apps/v1/DaemonSet': isDaemonSetUp,
  'v1/Service': (object) => stringAt(object, 'spec', 'type') !== 'LoadBalancer' || hasAddress(object),
  'networking.k8s.io/v1/Ingress': hasAddress,
  'v1/PersistentVolumeClaim': (object) => stringAt(object, 'status', 'phase') === 'Bound',
  'v1/Pod': isPodUp,
  'policy/v1/PodDisruptionBudget': (object) => count(object, 'currentHealthy') >= count(object, 'desiredHealthy'),
};
