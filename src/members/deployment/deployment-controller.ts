/** Turns Deployments into ReplicaSets, one rollout step per look, and reports how far the rollout has come. */
import type { Deployment, DeploymentStatus, ReplicaSet } from '#gen/kube/types.ts';
import type { Clock } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { selectorOf } from '#kube/meta/label-selector.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Outcome, type Reconcile, retryIn } from '#kube/runtime/controller.ts';
import type { EventRecorder } from '#kube/runtime/events.ts';
import type { ClusterView } from '../cluster-view.ts';
import { controllerOf, isControlledBy, namespaceOf, ownerKey } from '../owners.ts';
import { DEPLOYMENTS, PODS, REPLICA_SETS } from '../resources.ts';
import { claiming } from '../workload/claim.ts';
import { isNamespaceEnding, messageOf } from '../workload/pod-control.ts';
import { isOver } from '../workload/pod-state.ts';
import { deploymentStatus, failedStatus, type Happened, progressDeadline } from './deployment-status.ts';
import { isOfTemplate, isRecreate, resized, REVISION, sortReplicaSets, wanted } from './replica-sets.ts';
import { planRollout, type RolloutPlan, type Scaling } from './rollout.ts';

export function deploymentController({
  client,
  clock,
  view,
  events,
}: {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly view: ClusterView;
  readonly events: EventRecorder;
}): Controller {
  const claim = claiming(client, view.replicaSets);

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const deployment = view.deployments.get(key);
    if (!deployment) return done;
    await claim(deployment, selectorOf(deployment.spec?.selector));
    const plan: RolloutPlan =
      deployment.metadata.deletionTimestamp === undefined
        ? planRollout(deployment, setsOf(deployment), oldPodsRun(deployment))
        : { scale: [], forget: [], rolls: false };
    const created = plan.create ? await create(deployment, plan.create) : undefined;
    if (plan.renew) await client.update(REPLICA_SETS, plan.renew);
    for (const scaling of plan.scale) await scale(deployment, scaling);
    for (const { metadata } of plan.forget) await client.delete(REPLICA_SETS, metadata).catch(ignoreGone);
    await report(key, { rolls: plan.rolls, ...(created ? { created } : {}) });
    return untilDeadline(key);
  }

  const setsOf = (deployment: Deployment) =>
    sortReplicaSets(deployment, view.replicaSets.ownedBy(deployment.metadata.uid ?? ''));

  function oldPodsRun(deployment: Deployment): boolean {
    const { old } = setsOf(deployment);
    return (
      isRecreate(deployment) &&
      old.some(({ metadata }) => view.pods.ownedBy(metadata.uid ?? '').some((pod) => !isOver(pod)))
    );
  }

  /** The name of the set that was made, if it was. */
  async function create(deployment: Deployment, set: ReplicaSet): Promise<string | undefined> {
    const { name } = set.metadata;
    try {
      await client.create<ReplicaSet>(REPLICA_SETS, set);
    } catch (error) {
      if (hasReason(error, 'AlreadyExists')) return collide(deployment, name);
      if (!isNamespaceEnding(error)) await fail(deployment, name, messageOf(error));
      throw error;
    }
    if (wanted(set) > 0) tellScaling(deployment, 'up', name, 0, wanted(set));
    return name;
  }

  /** A set of that name which is not this template's: another hash has to be found. */
  async function collide(deployment: Deployment, name: string): Promise<undefined> {
    const set = view.replicaSets.get(`${namespaceOf(deployment)}/${name}`);
    if (!set || (isControlledBy(set, deployment) && isOfTemplate(set, deployment.spec?.template))) return;
    const { collisionCount = 0 } = deployment.status ?? {};
    await write(deployment, { ...deployment.status, collisionCount: collisionCount + 1 });
  }

  async function fail(deployment: Deployment, name: string, why: string): Promise<void> {
    const message = `Failed to create new replica set "${name}": ${why}`;
    events.event(deployment, 'Warning', 'ReplicaSetCreateError', message);
    await write(deployment, failedStatus(deployment, name, why, clock.now()));
  }

  async function scale(deployment: Deployment, { replicaSet, replicas }: Scaling): Promise<void> {
    await client.update<ReplicaSet>(REPLICA_SETS, resized(deployment, replicaSet, replicas));
    const before = wanted(replicaSet);
    if (before === replicas) return;
    tellScaling(deployment, before < replicas ? 'up' : 'down', replicaSet.metadata.name, before, replicas);
  }

  function tellScaling(deployment: Deployment, way: 'up' | 'down', name: string, from: number, to: number): void {
    const message = `Scaled ${way} replica set ${name} from ${from} to ${to}`;
    events.event(deployment, 'Normal', 'ScalingReplicaSet', message);
  }

  async function report(key: string, happened: Happened): Promise<void> {
    const deployment = view.deployments.get(key);
    if (!deployment) return;
    const sets = setsOf(deployment);
    const revision = sets.current?.metadata.annotations?.[REVISION];
    await write(deployment, deploymentStatus(deployment, sets, happened, clock.now()), revision);
  }

  /** Status and revision in one write of the status, which leaves the generation as it is. */
  async function write(deployment: Deployment, status: DeploymentStatus, revision?: string): Promise<void> {
    const { metadata } = deployment;
    const noted = revision === undefined || metadata.annotations?.[REVISION] === revision;
    if (noted && jsonEqual(status, deployment.status ?? {})) return;
    const annotations = noted ? metadata.annotations : { ...metadata.annotations, [REVISION]: revision };
    const next = { ...deployment, metadata: { ...metadata, ...(annotations ? { annotations } : {}) }, status };
    await client.update<Deployment>(DEPLOYMENTS, next, { subresource: 'status' });
  }

  function untilDeadline(key: string): Outcome {
    const deployment = view.deployments.get(key);
    const left = deployment && progressDeadline(deployment, clock.now());
    return left === undefined ? done : retryIn(left, 'lack of progress is reported then');
  }

  /** A set wakes its owner; one without an owner wakes those who might take it. */
  function* wakes(set: KubeObject): Iterable<string> {
    if (controllerOf(set)) return yield* ownerKey(set, 'Deployment');
    for (const deployment of view.deployments.inNamespace(namespaceOf(set))) {
      if (selectorOf(deployment.spec?.selector).matches(set.metadata.labels)) yield keyOf(deployment);
    }
  }

  /** Only Recreate waits for pods to be gone. */
  function* wakesWhenGone(pod: KubeObject, change: string): Iterable<string> {
    const owner = controllerOf(pod);
    if (change !== 'deleted' || owner?.kind !== 'ReplicaSet') return;
    const set = view.replicaSets.get(`${namespaceOf(pod)}/${owner.name}`);
    if (set) yield* ownerKey(set, 'Deployment');
  }

  return {
    name: 'deployment',
    concurrency: 16,
    watches: [
      { gvr: DEPLOYMENTS },
      { gvr: REPLICA_SETS, wakes: (set, old) => new Set([...wakes(set), ...(old ? wakes(old) : [])]) },
      { gvr: PODS, wakes: (pod, _old, change) => wakesWhenGone(pod, change) },
    ],
    reconcile,
  };
}

function ignoreGone(error: unknown): void {
  if (!hasReason(error, 'NotFound')) throw error;
}
