/** Member clusters as the console speaks of them. */
import { createClient } from '@connectrpc/connect';
import { useQuery } from '@connectrpc/connect-query';
import {
  type Cluster,
  ClusterPhase,
  ClusterProvider,
  ClusterProviderSchema,
} from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_pb.ts';
import { ClusterService } from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_service_pb.ts';
import { SearchService } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import { type Taint, TaintEffect, TaintEffectSchema } from '#gen/proto/kairship/api/types/v1alpha1/types_pb.ts';
import type { State } from '../parts/status.tsx';
import type { Condition, Thing } from './objects.ts';
import { transport } from './transport.ts';
import { wordOf } from './words.ts';

export const clustersApi = createClient(ClusterService, transport);

export function useClusters(instance: string) {
  return useQuery(ClusterService.method.listJoinedClusters, { instance, allCluster: true });
}

/** How long a page may show a cluster as it was before it asks again; not every page follows them. */
const LOOK_AGAIN_MS = 10_000;

/** The members that do not answer. */
export function useLost(instance: string): ReadonlySet<string> {
  const { data } = useQuery(
    ClusterService.method.listJoinedClusters,
    { instance, allCluster: true },
    { select: lostOf, refetchInterval: LOOK_AGAIN_MS },
  );
  return data ?? NONE;
}

const NONE: ReadonlySet<string> = new Set();

function lostOf({ items }: { readonly items: readonly Cluster[] }): ReadonlySet<string> {
  return new Set(items.filter(isLost).map(({ metadata }) => metadata?.name ?? ''));
}

const SILENT: readonly ClusterPhase[] = [ClusterPhase.UNKNOWN, ClusterPhase.FAILED];

export function isLost({ status }: Cluster): boolean {
  return SILENT.includes(status?.phase ?? ClusterPhase.CLUSTER_PHASE_UNSPECIFIED);
}

interface Told {
  readonly totalNum: number;
  readonly readyNum: number;
}

/** How many members answer: as they say themselves, once they are known; the instance adds up what it heard earlier. */
export function useReady(instance: string, told: Told | undefined): Told {
  const { data } = useQuery(
    ClusterService.method.listJoinedClusters,
    { instance, allCluster: true },
    { select: readyOf, refetchInterval: LOOK_AGAIN_MS },
  );
  return data ?? told ?? { totalNum: 0, readyNum: 0 };
}

function readyOf({ items }: { readonly items: readonly Cluster[] }): Told {
  return {
    totalNum: items.length,
    readyNum: items.filter(({ status }) => status?.phase === ClusterPhase.RUNNING).length,
  };
}

/** Since when a member does not answer; 0 where that cannot be told. */
export function useSilentSince(instance: string, name: string | undefined): number {
  const { data } = useQuery(
    SearchService.method.search,
    {
      instance,
      query: `kind:clusters.cluster.karmada.io cluster:- name:${name ?? ''}`,
      includeObjects: true,
      pageSize: 5,
    },
    { enabled: name !== undefined },
  );
  const found = data?.items.find(({ resource }) => resource?.name === name)?.object as unknown as Thing | undefined;
  const conditions = (found?.status?.['conditions'] ?? []) as readonly Condition[];
  const ready = conditions.find(({ type }) => type === 'Ready');
  return ready?.status === 'True' ? 0 : Date.parse(ready?.lastTransitionTime ?? '') || 0;
}

const STATES: Readonly<Record<number, State>> = {
  [ClusterPhase.CLUSTER_PHASE_UNSPECIFIED]: 'unknown',
  [ClusterPhase.UNKNOWN]: 'unknown',
  [ClusterPhase.CREATING]: 'progressing',
  [ClusterPhase.RUNNING]: 'healthy',
  [ClusterPhase.UPDATING]: 'progressing',
  [ClusterPhase.DELETING]: 'progressing',
  [ClusterPhase.FAILED]: 'blocked',
};

export function clusterState({ status }: Cluster): State {
  return STATES[status?.phase ?? ClusterPhase.UNKNOWN] ?? 'unknown';
}

const CORDON = 'cluster.karmada.io/unschedulable';

export function isCordoned({ spec }: Cluster): boolean {
  return spec?.taints.some(({ key, effect }) => key === CORDON && effect === TaintEffect.NoSchedule) ?? false;
}

/** The same cluster, taking nothing new or taking something again. */
export function cordoned(cluster: Cluster, cordon: boolean): readonly Pick<Taint, 'key' | 'value' | 'effect'>[] {
  const others = (cluster.spec?.taints ?? [])
    .filter(({ key }) => key !== CORDON)
    .map(({ key, value, effect }) => ({ key, value, effect }));
  return cordon ? [...others, { key: CORDON, value: '', effect: TaintEffect.NoSchedule }] : others;
}

export function placeOf({ spec }: Cluster): string {
  const provider =
    spec && spec.provider !== ClusterProvider.GENERIC
      ? wordOf(ClusterProviderSchema, spec.provider).replaceAll('_', ' ')
      : '';
  return [provider, spec?.region, spec?.zone].filter(Boolean).join(' · ');
}

export function taintText({ key, value, effect }: Pick<Taint, 'key' | 'value' | 'effect'>): string {
  return `${key}${value ? `=${value}` : ''}:${wordOf(TaintEffectSchema, effect)}`;
}
