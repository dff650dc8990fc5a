import type { Deployment, ReplicaSet } from '#gen/kube/types.ts';
import { type Clock, rfc3339 } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { typed } from '#kube/client/typed-client.ts';
import { type Controller, done, type Outcome, type Reconcile } from '#kube/runtime/controller.ts';
import { controlledBy, DEPLOYMENTS, isControlledBy, ownerKey, REPLICA_SETS } from '../resources.ts';
import { deploymentStatus, HASH_LABEL, planRollout, REVISION, type RolloutPlan } from './rollout.ts';

/** Turns Deployments into ReplicaSets, one rollout step per reconcile, and reports how far the rollout has come. */
export function deploymentController({ client, clock }: { client: KubeClient; clock: Clock }): Controller {
  const deployments = typed<Deployment>(client, { gvr: DEPLOYMENTS, kind: 'Deployment', namespaced: true });

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const deployment = await deployments.find(key);
    if (!deployment || deployment.metadata.deletionTimestamp !== undefined) return done;

    const replicaSets = await owned(deployment);
    const plan = planRollout(deployment, replicaSets);
    if (plan.create) await create(deployment, plan.create);
    for (const { replicaSet, replicas } of plan.scale) await scale(deployment, replicaSet, replicas);
    for (const replicaSet of plan.forget) await client.delete(REPLICA_SETS, replicaSet.metadata);
    await stampRevision(deployment, replicaSets, plan.revision);
    await report(key);
    return done;
  }

  // A consistent list rather than the informer: a ReplicaSet made a moment ago must be seen, or it would be made twice.
  async function owned(deployment: Deployment): Promise<readonly ReplicaSet[]> {
    const { namespace } = deployment.metadata;
    const { items } = await client.list<ReplicaSet>(REPLICA_SETS, namespace === undefined ? {} : { namespace });
    return items.filter((set) => isControlledBy(set, deployment));
  }

  async function create(deployment: Deployment, made: NonNullable<RolloutPlan['create']>): Promise<void> {
    const { template, selector, minReadySeconds } = deployment.spec ?? { selector: {}, template: {} };
    const { namespace } = deployment.metadata;
    const labels = { ...template.metadata?.labels, [HASH_LABEL]: made.hash };
    await client.create<ReplicaSet>(REPLICA_SETS, {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: made.name,
        ...(namespace === undefined ? {} : { namespace }),
        labels,
        annotations: { ...copiedAnnotations(deployment), [REVISION]: String(made.revision) },
        ownerReferences: [controlledBy(deployment)],
      },
      spec: {
        replicas: made.replicas,
        ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
        selector: { ...selector, matchLabels: { ...selector.matchLabels, [HASH_LABEL]: made.hash } },
        template: { ...template, metadata: { ...template.metadata, labels } },
      },
    });
  }

  async function scale(deployment: Deployment, replicaSet: ReplicaSet, replicas: number): Promise<void> {
    const desired = { 'deployment.kubernetes.io/desired-replicas': String(deployment.spec?.replicas ?? 1) };
    await client.update<ReplicaSet>(REPLICA_SETS, {
      ...replicaSet,
      metadata: { ...replicaSet.metadata, annotations: { ...replicaSet.metadata.annotations, ...desired } },
      ...(replicaSet.spec ? { spec: { ...replicaSet.spec, replicas } } : {}),
    });
  }

  /** The Deployment and the ReplicaSet it is rolling to carry the same revision; `kubectl rollout` reads it. */
  async function stampRevision(deployment: Deployment, sets: readonly ReplicaSet[], revision: number): Promise<void> {
    const name = planName(deployment, sets);
    if (name && name.metadata.annotations?.[REVISION] !== String(revision)) {
      await annotate(REPLICA_SETS, name, revision);
    }
    if (deployment.metadata.annotations?.[REVISION] !== String(revision)) {
      await annotate(DEPLOYMENTS, deployment, revision);
    }
  }

  async function annotate(gvr: typeof DEPLOYMENTS, object: Deployment | ReplicaSet, revision: number): Promise<void> {
    const body = { metadata: { annotations: { [REVISION]: String(revision) } } };
    await client.patch(gvr, object.metadata, { type: 'merge', body });
  }

  async function report(key: string): Promise<void> {
    const deployment = await deployments.find(key);
    if (!deployment) return;
    const status = deploymentStatus(deployment, await owned(deployment), rfc3339(clock.now()));
    if (jsonEqual(status, deployment.status)) return;
    await client.update<Deployment>(DEPLOYMENTS, { ...deployment, status }, { subresource: 'status' });
  }

  return {
    name: 'deployment',
    concurrency: 4,
    watches: [{ gvr: DEPLOYMENTS }, { gvr: REPLICA_SETS, wakes: (object) => ownerKey(object, 'Deployment') }],
    reconcile,
  };
}

function planName(deployment: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined {
  const hash = planRollout(deployment, sets).create?.hash;
  return hash === undefined ? sets.toSorted((a, b) => revision(b) - revision(a))[0] : undefined;
}

const revision = (set: ReplicaSet) => Number(set.metadata.annotations?.[REVISION] ?? 0);

/** As Kubernetes: everything but what kubectl and the rollout itself keep there. */
function copiedAnnotations(deployment: Deployment): Record<string, string> {
  const skipped = /^(kubectl\.kubernetes\.io\/last-applied-configuration|deployment\.kubernetes\.io\/.*)$/;
  return Object.fromEntries(
    Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => !skipped.test(key)),
  );
}
