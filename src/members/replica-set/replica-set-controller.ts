import type { Pod, ReplicaSet } from '#gen/kube/types.ts';
import { jsonEqual } from '#base/json.ts';
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { typed } from '#kube/client/typed-client.ts';
import { type Controller, done, type Outcome, type Reconcile } from '#kube/runtime/controller.ts';
import { podIsReady } from '../kubelet/pod-life.ts';
import { controlledBy, isControlledBy, ownerKey, PODS, REPLICA_SETS } from '../resources.ts';
import { isOver } from '../scheduler/fit.ts';

/** Keeps as many pods as a ReplicaSet asks for, and counts them in its status. */
export function replicaSetController({ client }: { client: KubeClient }): Controller {
  const replicaSets = typed<ReplicaSet>(client, { gvr: REPLICA_SETS, kind: 'ReplicaSet', namespaced: true });

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const replicaSet = await replicaSets.find(key);
    if (!replicaSet) return done;
    if (replicaSet.metadata.deletionTimestamp === undefined) await balance(replicaSet);
    await report(replicaSet);
    return done;
  }

  // A consistent list rather than the informer: a pod made a moment ago must be counted, or it would be made twice.
  async function podsOf(replicaSet: ReplicaSet): Promise<readonly Pod[]> {
    const { namespace } = replicaSet.metadata;
    const { items } = await client.list<Pod>(PODS, namespace === undefined ? {} : { namespace });
    return items.filter((pod) => isControlledBy(pod, replicaSet) && !isOver(pod));
  }

  async function balance(replicaSet: ReplicaSet): Promise<void> {
    const pods = (await podsOf(replicaSet)).filter((pod) => pod.metadata.deletionTimestamp === undefined);
    const missing = (replicaSet.spec?.replicas ?? 1) - pods.length;
    if (missing > 0) await Promise.all(Array.from({ length: missing }, () => create(replicaSet)));
    if (missing < 0) {
      const spare = pods.toSorted(leastUseful).slice(0, -missing);
      await Promise.all(spare.map((pod) => client.delete(PODS, pod.metadata).catch(ignoreNotFound)));
    }
  }

  async function create(replicaSet: ReplicaSet): Promise<void> {
    const { namespace, name } = replicaSet.metadata;
    const template = replicaSet.spec?.template;
    await client.create<Pod>(PODS, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        generateName: `${name}-`,
        ...(namespace === undefined ? {} : { namespace }),
        ...(template?.metadata?.labels ? { labels: template.metadata.labels } : {}),
        ...(template?.metadata?.annotations ? { annotations: template.metadata.annotations } : {}),
        ownerReferences: [controlledBy(replicaSet)],
      },
      ...(template?.spec ? { spec: template.spec } : {}),
    });
  }

  async function report(replicaSet: ReplicaSet): Promise<void> {
    const fresh = await replicaSets.find(`${replicaSet.metadata.namespace ?? ''}/${replicaSet.metadata.name}`);
    if (!fresh) return;
    const status = replicaSetStatus(fresh, await podsOf(fresh));
    if (jsonEqual(status, fresh.status)) return;
    await client.update<ReplicaSet>(REPLICA_SETS, { ...fresh, status }, { subresource: 'status' });
  }

  return {
    name: 'replicaset',
    concurrency: 4,
    watches: [{ gvr: REPLICA_SETS }, { gvr: PODS, wakes: (object) => ownerKey(object, 'ReplicaSet') }],
    reconcile,
  };
}

export function replicaSetStatus(replicaSet: ReplicaSet, pods: readonly Pod[]): NonNullable<ReplicaSet['status']> {
  const living = pods.filter((pod) => pod.metadata.deletionTimestamp === undefined);
  const ready = living.filter(podIsReady).length;
  return {
    replicas: living.length,
    ...(living.length > 0 ? { fullyLabeledReplicas: living.length } : {}),
    ...(ready > 0 ? { readyReplicas: ready, availableReplicas: ready } : {}),
    ...(replicaSet.metadata.generation === undefined ? {} : { observedGeneration: replicaSet.metadata.generation }),
  };
}

/** Who goes first when there are too many: unscheduled before scheduled, unready before ready, young before old. */
function leastUseful(a: Pod, b: Pod): number {
  const bound = Number(a.spec?.nodeName !== undefined) - Number(b.spec?.nodeName !== undefined);
  const ready = Number(podIsReady(a)) - Number(podIsReady(b));
  const age = (b.metadata.creationTimestamp ?? '').localeCompare(a.metadata.creationTimestamp ?? '');
  return bound || ready || age || a.metadata.name.localeCompare(b.metadata.name);
}

function ignoreNotFound(error: unknown): void {
  if (!hasReason(error, 'NotFound')) throw error;
}
