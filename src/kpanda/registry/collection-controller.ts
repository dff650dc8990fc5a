/**
 * Keeps the index's sources what the inventory says: every cluster is followed with its present credential, and a
 * removed one leaves nothing behind, whether it is alive or dead. What the index holds of clusters that are not in the
 * inventory (somebody took a finalizer away by hand) is removed too.
 */
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Outcome, type Reconcile, retryIn } from '#kube/runtime/index.ts';
import type { Collector } from '../index/collect/collector.ts';
import type { IndexWriter } from '../index/store/index-store.ts';
import {
  type Cluster,
  CLUSTER_FINALIZER,
  CLUSTERS,
  clusters as clustersOf,
  OWNED_LABEL,
  SECRETS,
  secrets as secretsOf,
} from './cluster.ts';
import type { MemberClients } from './member-clients.ts';

export interface CollectionDeps {
  readonly client: KubeClient;
  readonly members: MemberClients;
  readonly collector: Collector;
  readonly writer: IndexWriter;
}

const LOOK_AGAIN_MS = 30_000;
const NO_SECRET_MS = 5_000;

export function collectionController({ client, members, collector, writer }: CollectionDeps): Controller {
  const clusters = clustersOf(client);
  const secrets = secretsOf(client);
  const followed = new Map<string, string>();
  /** Which clusters a Secret is for. */
  const using = new Map<string, string>();

  async function reconcile({ key, log }: Reconcile): Promise<Outcome> {
    const cluster = await clusters.find(key);
    if (!cluster || cluster.metadata.deletionTimestamp !== undefined) return leave(key, cluster);
    // Before anything of it is kept, or a crash in between would leave it behind.
    const held = await clusters.addFinalizer(cluster, CLUSTER_FINALIZER);
    const { namespace, name } = held.spec.secretRef;
    using.set(key, `${namespace}/${name}`);
    try {
      const { client: member, version, problem } = await members.connect(held);
      const wanted = `${version} ${JSON.stringify(held.spec.collect ?? {})}`;
      if (followed.get(key) !== wanted) {
        await collector.follow(key, member, held.spec.collect);
        followed.set(key, wanted);
        log.info('the cluster is followed', { cluster: key });
      }
      return problem === undefined ? done : retryIn(LOOK_AGAIN_MS, problem);
    } catch (error) {
      if (!hasReason(error, 'NotFound', 'BadRequest', 'Invalid')) throw error;
      return retryIn(NO_SECRET_MS, error.message);
    }
  }

  async function leave(name: string, cluster: Cluster | undefined): Promise<Outcome> {
    followed.delete(name);
    using.delete(name);
    await collector.forget(name);
    members.forget(name);
    if (!cluster) return done;
    const { secretRef } = cluster.spec;
    const secret = await secrets.find(secretRef);
    // A Secret that somebody else made is theirs to remove.
    if (secret?.metadata.labels?.[OWNED_LABEL] === name) await secrets.remove(secretRef);
    await clusters.dropFinalizer(cluster, CLUSTER_FINALIZER);
    return done;
  }

  function* clustersOfSecret({ metadata }: KubeObject): Iterable<string> {
    for (const [cluster, secret] of using) if (secret === `${metadata.namespace}/${metadata.name}`) yield cluster;
  }

  return {
    name: 'cluster-collection',
    concurrency: 8,
    watches: [{ gvr: CLUSTERS }, { gvr: SECRETS, wakes: clustersOfSecret }],
    async source(wake) {
      for (const name of await writer.sourceNames()) wake(name);
    },
    reconcile,
  };
}
