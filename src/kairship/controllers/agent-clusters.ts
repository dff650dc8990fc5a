/**
 * Members that pull, in the inventory: reached through the instance they pull from, so that they are collected and shown
 * as any cluster is. Such an entry comes and goes with the member; a cluster somebody imported under the name is theirs.
 */
import { type Cluster as InventoryCluster, clusters as clustersOf } from '#kpanda/registry/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Informers } from '#kube/runtime/informer.ts';
import { INSTANCES, type Instance } from '../instances/index.ts';
import { kubeconfigRef } from '../instances/virtual-cluster.ts';
import { memberPath } from '../proxy/instance-client.ts';
import type { Joined } from './instance-clusters.ts';

/** On a cluster of the inventory: the instance whose member it is, by an agent. */
export const AGENT_LABEL = 'kairship.io/agent-of';

export interface AgentClusters {
  /** Makes the entry of a member that pulls true; `found` is the one there is under its name. */
  ensure(joined: Joined, found: InventoryCluster | undefined): Promise<void>;
  remove(found: InventoryCluster): Promise<void>;
}

export const pulls = ({ cluster }: Joined): boolean =>
  cluster.spec.syncMode === 'Pull' && cluster.metadata.deletionTimestamp === undefined && Boolean(cluster.spec.id);

export const isAgentCluster = (cluster: InventoryCluster | undefined): boolean =>
  cluster?.metadata.labels?.[AGENT_LABEL] !== undefined;

export function agentClusters(client: KubeClient, informers: Informers): AgentClusters {
  const clusters = clustersOf(client);
  const instances = informers<Instance>(INSTANCES);
  return {
    async ensure({ instance, cluster: { metadata, spec } }, found) {
      const known = instances.get(instance);
      const secretRef = known && kubeconfigRef(known);
      if (!secretRef || (found && !isAgentCluster(found))) return;
      const { provider, region, zones = [] } = spec;
      await clusters.ensure({
        metadata: { name: metadata.name, labels: { ...metadata.labels, [AGENT_LABEL]: instance } },
        spec: {
          secretRef,
          apiPath: memberPath(metadata.name),
          ...(provider ? { provider } : {}),
          ...(region ? { region } : {}),
          ...(zones[0] ? { zone: zones[0] } : {}),
        },
      });
    },
    async remove({ metadata }) {
      if (metadata.deletionTimestamp === undefined) await clusters.remove(metadata.name);
    },
  };
}
