/**
 * The part of a control plane that is an agent's business, as a client: its own Cluster and the Works in its own
 * namespace. Informers ask for everything there is; an agent may see no more than this.
 */
import { CLUSTER, WORK } from '#karmada/apis/index.ts';
import { executionNamespace } from '#karmada/names/index.ts';
import type { KubeClient, ListOptions } from '#kube/client/kube-client.ts';
import { type Gvr, groupResource } from '#kube/meta/gvk.ts';

export function ownPart(control: KubeClient, cluster: string): KubeClient {
  const scopes = new Map<string, Pick<ListOptions, 'namespace' | 'fieldSelector'>>([
    [groupResource(WORK), { namespace: executionNamespace(cluster) }],
    [groupResource(CLUSTER), { fieldSelector: `metadata.name=${cluster}` }],
  ]);
  const scopeOf = (gvr: Gvr) => scopes.get(groupResource(gvr)) ?? {};
  return {
    ...control,
    list: (gvr, options = {}) => control.list(gvr, { ...options, ...scopeOf(gvr) }),
    watch: (gvr, options) => control.watch(gvr, { ...options, ...scopeOf(gvr) }),
  };
}
