/**
 * The members of all instances, followed: which instance has which, as of now.
 *
 * An instance is followed from when it is known until it is gone. One that has not answered yet is told apart from one
 * without members ({@link InstanceClusters.complete}): what no instance uses may be cleaned up, what nobody knows may not.
 */
import type { Log } from '#base/log.ts';
import { CLUSTER, type Cluster } from '#karmada/apis/index.ts';
import type { Change } from '#kube/runtime/object-cache.ts';
import { type Informer, informer, type Informers } from '#kube/runtime/informer.ts';
import { INSTANCES, type Instance } from '../instances/index.ts';
import type { PlatformClients } from '../proxy/instance-client.ts';

export interface Joined {
  readonly instance: string;
  readonly cluster: Cluster;
}

export interface InstanceClusters {
  /** Calls `wake` with the name of every member that comes, goes, or is changed by somebody. */
  follow(wake: (cluster: string) => void, signal: AbortSignal): void;
  of(cluster: string): readonly Joined[];
  complete(): boolean;
}

export interface InstanceClustersDeps {
  readonly informers: Informers;
  readonly clients: PlatformClients;
  readonly log?: Log;
}

export function instanceClusters({ informers, clients, log }: InstanceClustersDeps): InstanceClusters {
  const followed = new Map<string, Informer<Cluster>>();
  return {
    follow(wake, signal) {
      informers<Instance>(INSTANCES).subscribe(({ type, object: { metadata } }) => {
        const known = followed.get(metadata.name);
        if (type === 'deleted') {
          followed.delete(metadata.name);
          known?.list().forEach((cluster) => wake(cluster.metadata.name));
          known?.stop();
        } else if (!known) {
          const members = informer<Cluster>(clients(metadata.name), CLUSTER, {}, { signal, ...(log ? { log } : {}) });
          followed.set(metadata.name, members);
          members.subscribe((change) => {
            if (isNews(change)) wake(change.object.metadata.name);
          });
        }
      });
    },
    of: (name) =>
      [...followed].flatMap(([instance, members]) => {
        const cluster = members.get(name);
        return cluster ? [{ instance, cluster }] : [];
      }),
    complete: () => [...followed.values()].every((members) => members.isSynced()),
  };
}

/** How a member is doing is no reason to look at it here. */
function isNews({ type, object: { metadata }, old }: Change<Cluster>): boolean {
  if (type !== 'modified') return true;
  const { generation, labels } = old.metadata;
  return generation !== metadata.generation || JSON.stringify(labels) !== JSON.stringify(metadata.labels);
}
