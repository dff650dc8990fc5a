/**
 * Taints clusters by their conditions, as ClusterTaintPolicies ask (`cluster-taint-policy.ts`). Feature gate Failover.
 *
 * A cluster is looked at when its conditions change and when a policy that means it is made or changed; a policy that is
 * deleted leaves its taints behind, as in Karmada.
 */
import { type Clock, rfc3339 } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import { hasReason } from '#base/status-error.ts';
import {
  type Cluster,
  CLUSTER,
  CLUSTER_TAINT_POLICY,
  type ClusterTaintPolicy,
  EVENT_REASONS,
  type Taint,
} from '#karmada/apis/index.ts';
import { taintsMessage } from '#karmada/cluster/taints.ts';
import type { EventRecorder } from '#karmada/events/index.ts';
import { clusterMatches } from '#karmada/selector/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile } from '#kube/runtime/index.ts';
import { taintsByPolicies } from './cluster-taint-policy.ts';

export interface ClusterTaintPolicyDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly events: EventRecorder;
  readonly clock: Clock;
}

export function clusterTaintPolicyController(deps: ClusterTaintPolicyDeps): Controller {
  const { client, informers, events, clock } = deps;
  const clusters = informers<Cluster>(CLUSTER);
  const policies = informers<ClusterTaintPolicy>(CLUSTER_TAINT_POLICY);

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const cluster = clusters.get(key);
    if (!cluster) return done;
    const taints = taintsByPolicies(cluster, policies.list(), rfc3339(clock.now()));
    if (taints === cluster.spec.taints || jsonEqual(taints, cluster.spec.taints ?? [])) return done;
    await write(cluster, taints);
    const message = `Update Cluster(${key}) with taints(${taintsMessage(taints)}) succeed`;
    events.normal(cluster, EVENT_REASONS.taintClusterSucceed, message);
    return done;
  }

  async function write(cluster: Cluster, taints: readonly Taint[]): Promise<void> {
    const { resourceVersion } = cluster.metadata;
    const body = { metadata: { resourceVersion }, spec: { taints: taints.length > 0 ? taints : null } };
    try {
      await client.patch(CLUSTER, cluster.metadata, { type: 'merge', body });
    } catch (error) {
      // Somebody was faster: that is looked at again, and nothing to complain about.
      if (!hasReason(error, 'Conflict')) {
        const why = error instanceof Error ? error.message : String(error);
        events.warning(cluster, EVENT_REASONS.taintClusterFailed, why);
      }
      throw error;
    }
  }

  function wokenByPolicy(policy: ClusterTaintPolicy, old: KubeObject | undefined, change: string): readonly string[] {
    if (change === 'deleted' || old?.metadata.generation === policy.metadata.generation) return [];
    const { targetClusters } = policy.spec;
    const meant = clusters.list().filter((cluster) => !targetClusters || clusterMatches(cluster, targetClusters));
    return meant.map(keyOf);
  }

  return {
    name: 'cluster-taint-policy',
    watches: [
      { gvr: CLUSTER, wakes: (object, old, change) => wokenByCluster(object as Cluster, old, change) },
      {
        gvr: CLUSTER_TAINT_POLICY,
        wakes: (object, old, change) => wokenByPolicy(object as ClusterTaintPolicy, old, change),
      },
    ],
    reconcile,
  };
}

function wokenByCluster(cluster: Cluster, old: KubeObject | undefined, change: string): readonly string[] {
  if (change === 'deleted') return [];
  const before = (old as Cluster | undefined)?.status?.conditions;
  return old && jsonEqual(before, cluster.status?.conditions) ? [] : [keyOf(cluster)];
}
