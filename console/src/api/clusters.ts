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
import { type Taint, TaintEffect, TaintEffectSchema } from '#gen/proto/kairship/api/types/v1alpha1/types_pb.ts';
import type { State } from '../parts/status.tsx';
import { transport } from './transport.ts';
import { wordOf } from './words.ts';

export const clustersApi = createClient(ClusterService, transport);

export function useClusters(instance: string) {
  return useQuery(ClusterService.method.listJoinedClusters, { instance, allCluster: true });
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
