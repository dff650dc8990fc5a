/** `clusters/{name}/trace`: where the agent of a cluster says how far what it was given has come (`reported-hops.ts`). */
import { type Cluster, CLUSTER } from '#karmada/apis/index.ts';
import { readHops } from '#karmada/trace/reported-hops.ts';
import type { Tracer } from '#karmada/trace/tracer.ts';
import type { ApiExtension } from '#kube/apiserver/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';

export interface ClusterTraceDeps {
  readonly client: () => KubeClient;
  readonly trace: () => Tracer;
}

export function clusterTraceApi({ client, trace }: ClusterTraceDeps): ApiExtension {
  return {
    group: CLUSTER.group,
    version: CLUSTER.version,
    resource: CLUSTER.resource,
    subresource: 'trace',
    kind: { kind: 'ClusterTraceReport' },
    namespaced: false,
    verbs: ['create'],
    async serve(request) {
      const { name = '' } = request;
      await client().get<Cluster>(CLUSTER, { name });
      for (const hop of readHops(await request.body(), name)) trace().hop(hop);
      return { code: 201, object: { apiVersion: CLUSTER.apiVersion, kind: 'ClusterTraceReport', metadata: { name } } };
    },
  };
}
