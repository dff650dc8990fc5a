/**
 * Every instance has exactly one hidden cluster in the inventory, so that it is collected as any cluster is.
 *
 * It comes as soon as the instance can be reached, follows where its credential is, and goes with the instance: a
 * finalizer holds the instance until its cluster, and with it everything indexed of it, is gone. It stays while the
 * instance has clusters of its own, which its life cycle says. A hidden cluster whose instance is not there any more,
 * however that came about, is removed too.
 */
import { CLUSTERS, type Cluster, clusters as clustersOf, VIRTUAL_LABEL } from '#kpanda/registry/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile, retryIn } from '#kube/runtime/index.ts';
import { INSTANCES, type Instance } from '../instances/index.ts';
import { isFreeToGo } from '../instances/instance-controller.ts';
import { instances as instancesOf } from '../instances/kinds.ts';
import { kubeconfigRef, virtualCluster } from '../instances/virtual-cluster.ts';

export const VIRTUAL_CLUSTER_FINALIZER = 'kairship.io/virtual-cluster';
/** On a hidden cluster: the instance it stands for. */
const INSTANCE_LABEL = 'kairship.io/instance';
const LOOK_AGAIN_MS = 2_000;

export interface VirtualClusterSyncDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
}

export function virtualClusterSyncController({ client, informers }: VirtualClusterSyncDeps): Controller {
  const known = informers<Instance>(INSTANCES);
  const hidden = informers<Cluster>(CLUSTERS);
  const [instances, clusters] = [instancesOf(client), clustersOf(client)];

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const instance = known.get(key);
    if (!instance) return removeOrphan(key);
    if (instance.metadata.deletionTimestamp !== undefined) return end(instance);
    if (!instance.status?.secretRef) return done;
    const held = await instances.addFinalizer(instance, VIRTUAL_CLUSTER_FINALIZER);
    await clusters.ensure(clusterOf(held));
    return done;
  }

  async function removeOrphan(instance: string): Promise<Outcome> {
    const found = hidden.get(virtualCluster(instance));
    if (found?.metadata.labels?.[INSTANCE_LABEL] === instance) await clusters.remove(found.metadata.name);
    return done;
  }

  async function end(instance: Instance): Promise<Outcome> {
    if (!isFreeToGo(instance)) return retryIn(LOOK_AGAIN_MS, 'clusters may remain in it');
    const name = virtualCluster(instance.metadata.name);
    const found = await clusters.find(name);
    if (!found) {
      await instances.dropFinalizer(instance, VIRTUAL_CLUSTER_FINALIZER);
      return done;
    }
    if (found.metadata.deletionTimestamp === undefined) await clusters.remove(name);
    return retryIn(LOOK_AGAIN_MS, 'what is indexed of it is being removed');
  }

  return {
    name: 'virtual-cluster-sync',
    watches: [
      { gvr: INSTANCES },
      {
        gvr: CLUSTERS,
        wakes: ({ metadata }) => [metadata.labels?.[INSTANCE_LABEL]].filter((name) => name !== undefined),
      },
    ],
    reconcile,
  };
}

function clusterOf(instance: Instance) {
  const { metadata, spec } = instance;
  return {
    metadata: {
      name: virtualCluster(metadata.name),
      labels: { [VIRTUAL_LABEL]: 'true', [INSTANCE_LABEL]: metadata.name },
    },
    spec: {
      secretRef: kubeconfigRef(instance) ?? { namespace: '', name: '' },
      ...(spec.alias === undefined ? {} : { aliasName: spec.alias }),
    },
  };
}
