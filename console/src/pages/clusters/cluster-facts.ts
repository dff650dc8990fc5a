/** What a list tells of a cluster beside its name, and which clusters are meant. Pure. */
import {
  type Cluster,
  ClusterPhase,
  ClusterPhaseSchema,
  ClusterProviderSchema,
} from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_pb.ts';
import { TaintEffect } from '#gen/proto/kairship/api/types/v1alpha1/types_pb.ts';
import { wordOf } from '../../api/words.ts';

export type Scheduling = 'schedulable' | 'unschedulable' | 'evicting';

/** What must not stay there is evicted, what is new does not come: taints say both. */
export function schedulingOf({ spec }: Pick<Cluster, 'spec'>): Scheduling {
  const effects = (spec?.taints ?? []).map(({ effect }) => effect);
  if (effects.includes(TaintEffect.NoExecute)) return 'evicting';
  return effects.includes(TaintEffect.NoSchedule) ? 'unschedulable' : 'schedulable';
}

/** `AWS EKS`; what is of no known make is `GENERIC` to the API, and nothing to say. */
export function providerOf({ spec }: Pick<Cluster, 'spec'>): string {
  return spec?.provider ? wordOf(ClusterProviderSchema, spec.provider).replaceAll('_', ' ') : '';
}

export function locationOf({ spec }: Pick<Cluster, 'spec'>): string {
  return [spec?.region, spec?.zone].filter(Boolean).join(' / ');
}

export function phaseOf({ status }: Pick<Cluster, 'status'>): string {
  return wordOf(ClusterPhaseSchema, status?.phase ?? ClusterPhase.UNKNOWN);
}

/** What the address asks for; empty is any. */
export interface ClustersAsked {
  readonly q: string;
  readonly provider: string;
  readonly region: string;
  readonly phase: string;
}

export function isMeant({ q, provider, region, phase }: ClustersAsked): (cluster: Cluster) => boolean {
  const words = q.trim().toLowerCase();
  return (cluster) =>
    `${cluster.metadata?.name} ${cluster.spec?.aliasName}`.toLowerCase().includes(words) &&
    (provider === '' || providerOf(cluster) === provider) &&
    (region === '' || cluster.spec?.region === region) &&
    (phase === '' || phaseOf(cluster) === phase);
}

/** What there is to choose from, each once. */
export function choicesOf(clusters: readonly Cluster[], of: (cluster: Cluster) => string | undefined): string[] {
  return [...new Set(clusters.map((cluster) => of(cluster) ?? ''))].filter(Boolean).toSorted();
}
