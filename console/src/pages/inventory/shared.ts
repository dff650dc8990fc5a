/** What all pages of the inventory need to know of a cluster. */
import { createClient } from '@connectrpc/connect';
import { useQuery } from '@connectrpc/connect-query';
import { type Cluster, ClusterStatus_Phase as Phase } from '#gen/proto/kpanda/api/cluster/v1alpha1/cluster_pb.ts';
import { ClusterService } from '#gen/proto/kpanda/api/cluster/v1alpha1/cluster_service_pb.ts';
import { SearchService } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import { transport } from '../../api/transport.ts';
import type { State } from '../../parts/status.tsx';

export const inventory = createClient(ClusterService, transport);

const STATES: Readonly<Record<number, State>> = {
  [Phase.Pending]: 'progressing',
  [Phase.Running]: 'healthy',
  [Phase.Unknown]: 'unknown',
  [Phase.Deleting]: 'progressing',
};

/** A cluster that answers but whose credential is about to end is not well. */
export function inventoryState({ status }: Cluster): State {
  const state = STATES[status?.phase ?? 0] ?? 'unknown';
  const unwell = status?.conditions.some(({ type, status: holds }) => type !== 'Ready' && holds === 'False');
  return state === 'healthy' && unwell ? 'degraded' : state;
}

/** The instances each cluster serves, as far as the caller may see them: one question for all. */
export function useServed(): ReadonlyMap<string, readonly string[]> {
  const { data } = useQuery(SearchService.method.search, { query: 'kind:cluster', pageSize: 1_000 });
  const served = new Map<string, string[]>();
  for (const { instance, cluster, resource } of data?.items ?? [])
    if (cluster === '' && resource?.kind === 'Cluster')
      served.set(resource.name, [...(served.get(resource.name) ?? []), instance]);
  return served;
}

export function placeText({ spec }: Cluster): string {
  return [spec?.provider, spec?.region, spec?.zone].filter(Boolean).join(' · ');
}
