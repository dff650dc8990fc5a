/**
 * The filter plugins: each looks at one cluster and refuses it or lets it pass.
 *
 * Karmada stops at the first refusal and asks the plugins in random order. Here all are asked, for the explanation,
 * and the first refusal in the order of {@link FILTERS} is the one that counts in messages.
 */
import type {
  AnyBinding,
  ApiEnablement,
  BindingSpec,
  Cluster,
  ClusterAffinity,
  Placement,
} from '#karmada/apis/index.ts';
import { COMPLETE_API_ENABLEMENTS } from '#karmada/apis/index.ts';
import { bindingName } from '#karmada/names/index.ts';
import { clusterMismatch, taintText, untoleratedTaint } from '#karmada/selector/index.ts';
import { notServedText, servedAs } from '#karmada/versions/index.ts';
import { isConditionTrue } from '#kube/meta/condition.ts';
import { isWorkload, targets } from './binding-spec.ts';
import type { FilterVerdict } from './explanation.ts';

export interface FilterContext {
  readonly spec: BindingSpec;
  readonly placement: Placement;
  /** The affinity group being tried; empty when the placement has none. */
  readonly affinityName: string;
  readonly cluster: Cluster;
  /** Other bindings; absent when workload affinity is not looked at. */
  readonly peers: readonly AnyBinding[] | undefined;
}

/** A cluster and what came of it. */
export interface FilteredCluster {
  readonly cluster: Cluster;
  readonly filters: readonly FilterVerdict[];
  readonly passed: boolean;
}

/** A cluster that is going takes nothing new; no plugin is asked to say so. */
export function isDeleting(cluster: Cluster): boolean {
  return cluster.metadata.deletionTimestamp !== undefined;
}

type Filter = (context: FilterContext) => Omit<FilterVerdict, 'plugin'>;

const pass: ReturnType<Filter> = { pass: true };
const refuse = (reason: string, detail: string): ReturnType<Filter> => ({ pass: false, reason, detail });
const kept = (detail: string): ReturnType<Filter> => ({ pass: true, detail });

const clusterAffinity: Filter = ({ spec, placement, affinityName, cluster }) => {
  const affinities = affinitiesOf(spec, placement, affinityName);
  const mismatches = affinities.map((affinity) => clusterMismatch(cluster, affinity));
  if (mismatches.length === 0 || mismatches.includes(undefined)) return pass;
  return refuse('cluster(s) did not match the placement cluster affinity constraint', mismatches[0] ?? '');
};

/** The affinity in force and, for workloads, its overflow tiers. */
function affinitiesOf(spec: BindingSpec, placement: Placement, affinityName: string): readonly ClusterAffinity[] {
  if (placement.clusterAffinity) return [placement.clusterAffinity];
  const term = placement.clusterAffinities?.find((each) => each.affinityName === affinityName);
  if (!term) return [];
  return [term, ...(isWorkload(spec) ? (term.overflowAffinities ?? []) : [])];
}

const taintToleration: Filter = ({ spec, placement, cluster }) => {
  const taint = untoleratedTaint(cluster.spec.taints, placement.clusterTolerations, ['NoSchedule', 'NoExecute']);
  if (!taint) return pass;
  if (targets(spec, cluster)) return kept(`taint ${taintText(taint)} does not remove what already runs here`);
  return refuse(`cluster(s) had untolerated taint {${taintText(taint)}}`, `taint ${taintText(taint)} is not tolerated`);
};

const apiEnablement: Filter = ({ spec, cluster }) => {
  const { apiVersion, kind } = spec.resource;
  const { apiEnablements = [] } = cluster.status ?? {};
  const hasKind = ({ resources }: ApiEnablement) => resources?.some((resource) => resource.kind === kind) ?? false;
  // Nearly always this is all there is to look at.
  const group = apiEnablements.find(({ groupVersion }) => groupVersion === apiVersion);
  if (group && hasKind(group)) return pass;
  const served = apiEnablements.filter(hasKind).map(({ groupVersion }) => ({ apiVersion: groupVersion, kind }));
  const as = servedAs(spec.resource, (version) => served.some((each) => each.apiVersion === version));
  if (as !== undefined) return kept(`${apiVersion} ${kind} is not served and is converted to ${as}`);
  if (targets(spec, cluster)) return kept(`${apiVersion} ${kind} is not served, but it already runs here`);
  const complete = isConditionTrue(cluster.status?.conditions, COMPLETE_API_ENABLEMENTS.type);
  const detail = complete
    ? notServedText(spec.resource, served)
    : `${apiVersion} ${kind} is not among the APIs known so far`;
  return refuse('cluster(s) did not have the API resource', detail);
};

const spreadConstraint: Filter = ({ placement, cluster }) => {
  for (const { spreadByField } of placement.spreadConstraints ?? []) {
    const property = missingProperty(cluster, spreadByField);
    if (property) return refuse(`cluster(s) did not have ${property} property`, `has no ${property} to spread by`);
  }
  return pass;
};

function missingProperty({ spec }: Cluster, field: string | undefined): string | undefined {
  if (field === 'provider') return spec.provider ? undefined : 'provider';
  if (field === 'region') return spec.region ? undefined : 'region';
  if (field === 'zone') return spec.zones?.length ? undefined : 'zones';
  return undefined;
}

const clusterEviction: Filter = ({ spec, cluster }) => {
  const task = spec.gracefulEvictionTasks?.find(({ fromCluster }) => fromCluster === cluster.metadata.name);
  if (!task) return pass;
  return refuse('cluster(s) is in the process of eviction', `being evicted from here (${task.reason})`);
};

const workloadAffinity: Filter = ({ spec, cluster, peers }) => {
  const group = spec.workloadAffinityGroups?.affinityGroup ?? '';
  if (!peers || group === '' || targets(spec, cluster)) return pass;
  const elsewhere = peersOf(spec, peers).find(
    (peer) =>
      peer.spec.workloadAffinityGroups?.affinityGroup === group &&
      (peer.spec.clusters ?? []).length > 0 &&
      !targets(peer.spec, cluster),
  );
  if (!elsewhere) return pass;
  return refuse(
    'ResourceBinding with the same affinity group does not target this cluster',
    `${elsewhere.metadata.name} of group ${group} does not run here`,
  );
};

const workloadAntiAffinity: Filter = ({ spec, cluster, peers }) => {
  const group = spec.workloadAffinityGroups?.antiAffinityGroup ?? '';
  if (!peers || group === '' || targets(spec, cluster)) return pass;
  const here = peersOf(spec, peers).find(
    (peer) => peer.spec.workloadAffinityGroups?.antiAffinityGroup === group && targets(peer.spec, cluster),
  );
  if (!here) return pass;
  return refuse(
    'cluster already has workload with the same anti-affinity group',
    `${here.metadata.name} of group ${group} already runs here`,
  );
};

/** Other bindings of the same namespace: groups do not reach beyond it. */
function peersOf({ resource }: BindingSpec, peers: readonly AnyBinding[]): readonly AnyBinding[] {
  const own = bindingName(resource.kind, resource.name);
  return peers.filter(({ metadata }) => metadata.namespace === resource.namespace && metadata.name !== own);
}

export const FILTERS: Readonly<Record<string, Filter>> = {
  ClusterAffinity: clusterAffinity,
  TaintToleration: taintToleration,
  APIEnablement: apiEnablement,
  SpreadConstraint: spreadConstraint,
  ClusterEviction: clusterEviction,
  WorkloadAffinity: workloadAffinity,
  WorkloadAntiAffinity: workloadAntiAffinity,
};

/** What every plugin that is not disabled says of a cluster. */
export function runFilters(context: FilterContext, disabled: readonly string[]): readonly FilterVerdict[] {
  return Object.entries(FILTERS)
    .filter(([plugin]) => !disabled.includes(plugin))
    .filter(([plugin]) => context.peers !== undefined || !plugin.startsWith('Workload'))
    .map(([plugin, filter]) => ({ plugin, ...filter(context) }));
}

/** The message Karmada writes when no cluster passed: reasons counted over clusters, in alphabetical order. */
export function noClusterFitMessage(refusals: readonly string[], total: number): string {
  const counts = new Map<string, number>();
  for (const reason of refusals) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const parts = Array.from(counts, ([reason, count]) => `${count} ${reason}`).sort();
  return `0/${total} clusters are available: ${parts.length === 0 ? 'no cluster exists' : parts.join(', ')}.`;
}
