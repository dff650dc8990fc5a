/**
 * `kpanda.api.cluster.v1alpha1.ClusterService`: the inventory of clusters as an API.
 *
 * Who may call what is decided before (an interceptor of whoever serves it); lists show nothing to those who may see
 * nothing. Credentials go in and are never part of an answer, but for the one RPC that is there to read them.
 */
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { badRequest } from '#base/status-error.ts';
import { ClusterStatus_Phase } from '#gen/proto/kpanda/api/cluster/v1alpha1/cluster_pb.ts';
import {
  ClusterService,
  type ListClustersRequest,
  type PreferredResourceSchema,
  Purpose as PurposeMessage,
} from '#gen/proto/kpanda/api/cluster/v1alpha1/cluster_service_pb.ts';
import { type PaginationSchema, SortBy, SortDir } from '#gen/proto/kpanda/api/types/v1alpha1/types_pb.ts';
import type { ApiResource } from '#kube/client/kube-client.ts';
import { type Caller, callerOf, type ServedService, service } from '#rpc/index.ts';
import type { Cluster, ClusterFilter, ClusterRegistry, MemberClients, Purpose } from '../registry/index.ts';
import { clusterMessage, managerOf, phaseOf, reportMessage } from './cluster-message.ts';

export interface ClusterServiceDeps {
  readonly registry: ClusterRegistry;
  readonly members: MemberClients;
  /** Whether somebody may see the clusters of a list. */
  readonly sees: (caller: Caller) => boolean;
}

const PAGE = { default: 10, most: 1_000 };

export function clusterService({ registry, members, sees }: ClusterServiceDeps): ServedService {
  /** Whoever may see nothing gets an empty list, and the inventory is not asked. */
  async function seen(context: Pick<HandlerContext, 'values'>, filter: ClusterFilter): Promise<readonly Cluster[]> {
    return sees(callerOf(context)) ? registry.list(filter) : [];
  }

  return service(ClusterService, {
    async listClusters(request, context) {
      const all = (await seen(context, filterOf(request))).filter(matching(request)).toSorted(ordering(request));
      const { items, pagination } = paged(request, all);
      return { items: items.map((cluster) => clusterMessage(cluster, request)), pagination };
    },
    async listClusterSummary({ showVirtualCluster }, context) {
      const all = await seen(context, { showVirtualCluster });
      return {
        items: all.map((cluster) => ({
          name: cluster.metadata.name,
          aliasName: cluster.spec.aliasName ?? '',
          phase: phaseOf(cluster),
        })),
      };
    },
    getCluster: async ({ name }) => clusterMessage(await registry.get(name)),
    async createCluster({ name, kubeconfig, labels, collect, purpose, ...told }) {
      const { aliasName, description, provider, region, zone } = told;
      const spec = given({ aliasName, description, provider, region, zone });
      const rules = collect ? { collect: { include: collect.include, exclude: collect.exclude } } : {};
      const request = { name, kubeconfig, labels, ...spec, ...rules, purpose: purposeOf(purpose) };
      return clusterMessage(await registry.importCluster(request));
    },
    validateKubeConfig: async ({ kubeconfig, purpose }) =>
      reportMessage(await registry.validate(kubeconfig, purposeOf(purpose))),
    async validateCluster({ name, kubeconfig, purpose }) {
      const { status } = await registry.get(name);
      const report = await registry.validate(kubeconfig, purposeOf(purpose));
      return reportMessage(ofCluster(report, name, status?.kubeSystemID));
    },
    async updateClusters({ name, aliasName, description, provider, region, zone, collect }) {
      const change = Object.fromEntries(
        Object.entries({ aliasName, description, provider, region, zone }).filter(([, value]) => value !== undefined),
      );
      const rules = collect ? { collect: { include: collect.include, exclude: collect.exclude } } : {};
      return clusterMessage(await registry.update(name, { ...change, ...rules }));
    },
    editClusterLabels: async ({ name, labels }) => clusterMessage(await registry.setLabels(name, labels)),
    rotateCredential: async ({ name, kubeconfig, purpose }) =>
      reportMessage(await registry.rotate(name, kubeconfig, purposeOf(purpose))),
    async deleteCluster({ name }) {
      await registry.remove(name);
      return {};
    },
    getClusterKubeConfig: async ({ cluster }) => ({ kubeConfigString: await registry.kubeconfig(cluster) }),
    async listClusterPreferredResources({ cluster }) {
      const { client } = await members.connect(await registry.get(cluster));
      return { items: preferred(await client.discover()) };
    },
    async getClusterUsage({ name, since }) {
      const samples = await registry.usage(name, since === 0n ? undefined : Number(since));
      return {
        samples: samples.map(({ node, at, cpuMillis, memoryBytes }) => ({
          node,
          at: BigInt(at),
          cpuMillis: BigInt(cpuMillis),
          memoryBytes: BigInt(memoryBytes),
        })),
      };
    },
  });
}

/** A credential that works is still the wrong one when it is of another cluster. */
function ofCluster(
  report: Awaited<ReturnType<ClusterRegistry['validate']>>,
  name: string,
  expected: string | undefined,
): typeof report {
  const { kubeSystemID } = report;
  if (expected === undefined || kubeSystemID === undefined || expected === kubeSystemID) return report;
  const message = `it is of another cluster: kube-system is ${kubeSystemID}, that of "${name}" ${expected}`;
  return { ...report, ok: false, checks: [...report.checks, { name: 'kubeconfig', ok: false, message }] };
}

function filterOf(request: ListClustersRequest): ClusterFilter {
  const { name, fuzzyName, kubernetesVersion, provider, region, zone, labelSelector, showVirtualCluster } = request;
  return { name, fuzzyName, kubernetesVersion, provider, region, zone, labelSelector, showVirtualCluster };
}

/** What the registry does not filter by. No cluster has a role here, so that whoever asks for one finds none. */
function matching({ phase, managedBy, role }: ListClustersRequest): (cluster: Cluster) => boolean {
  return (cluster) =>
    (phase === ClusterStatus_Phase.PHASE_UNSPECIFIED || phase === phaseOf(cluster)) &&
    (managedBy === '' || managedBy === managerOf(cluster)) &&
    role.length === 0;
}

/** Newest first unless another order is asked for; what is equal, by name. */
function ordering({ sortBy, sortDir }: ListClustersRequest): (a: Cluster, b: Cluster) => number {
  const direction = sortDir === SortDir.asc ? 1 : -1;
  const valueOf = ({ metadata, status }: Cluster): string =>
    sortBy === SortBy.field_name || sortBy === SortBy.cluster
      ? metadata.name
      : sortBy === SortBy.state
        ? (status?.phase ?? '')
        : (metadata.creationTimestamp ?? '');
  return (a, b) => direction * compare(valueOf(a), valueOf(b)) || compare(a.metadata.name, b.metadata.name);
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function paged<T>(
  request: Pick<ListClustersRequest, 'page' | 'pageSize'>,
  all: readonly T[],
): { readonly items: readonly T[]; readonly pagination: MessageInitShape<typeof PaginationSchema> } {
  const [page, pageSize] = [request.page || 1, request.pageSize || PAGE.default];
  if (page < 1 || pageSize < 1 || pageSize > PAGE.most)
    throw badRequest(`pages count from 1 and have at most ${PAGE.most} items`);
  const items = all.slice((page - 1) * pageSize, page * pageSize);
  return { items, pagination: { total: all.length, page, pageSize, pages: Math.ceil(all.length / pageSize) } };
}

/** Of each resource the version that the server names first. */
function preferred(resources: readonly ApiResource[]): MessageInitShape<typeof PreferredResourceSchema>[] {
  const first = new Map<string, ApiResource>();
  for (const each of resources) {
    const key = `${each.resource}.${each.group}`;
    if (!first.has(key)) first.set(key, each);
  }
  return [...first.values()].map(({ group, version, resource, kind, namespaced }) => ({
    group,
    version,
    resource,
    kind,
    namespaced,
  }));
}

function purposeOf(purpose: PurposeMessage): Purpose {
  return purpose === PurposeMessage.read ? 'read' : 'manage';
}

function given(fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ''));
}
