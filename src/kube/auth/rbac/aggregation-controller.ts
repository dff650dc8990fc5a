import type { ClusterRole } from '#gen/kube/types.ts';
import { jsonEqual } from '#base/json.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { typed } from '#kube/client/typed-client.ts';
import { type Controller, done } from '#kube/runtime/controller.ts';
import { aggregatedRules } from './aggregate.ts';

const CLUSTER_ROLES = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'clusterroles' };

/** Writes into aggregated ClusterRoles what they hold. Every role may be part of any, so there is one key for all. */
export function aggregationController({ client }: { client: KubeClient }): Controller {
  return {
    name: 'clusterrole-aggregation',
    watches: [{ gvr: CLUSTER_ROLES, wakes: () => ['all'] }],
    async reconcile() {
      await aggregateRoles(client);
      return done;
    },
  };
}

export async function aggregateRoles(client: KubeClient): Promise<void> {
  const roles = typed<ClusterRole>(client, { gvr: CLUSTER_ROLES, kind: 'ClusterRole', namespaced: false });
  const all = await roles.list();
  const wanted = aggregatedRules(all);
  for (const role of all) {
    const rules = wanted.get(role.metadata.name);
    if (rules && !jsonEqual(rules, role.rules ?? [])) await roles.update({ ...role, rules });
  }
}
