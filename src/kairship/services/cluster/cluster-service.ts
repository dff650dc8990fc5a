/**
 * Members of an instance: which there are, which could be, how they join, change and leave.
 *
 * Members come from the inventory, or by an agent of their own. What the inventory says of a cluster is not changed here: it
 * would be changed back.
 */
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { badRequest, notFound, StatusError } from '#base/status-error.ts';
import type { Cluster as ClusterMessage } from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_pb.ts';
import { ClusterService } from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_service_pb.ts';
import {
  type AnyBinding,
  CLUSTER,
  CLUSTER_RESOURCE_BINDING,
  type Cluster,
  RESOURCE_BINDING,
} from '#karmada/apis/index.ts';
import {
  type Cluster as InventoryCluster,
  clusters as inventoryOf,
  isVirtual,
  type MemberClients,
} from '#kpanda/registry/index.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { kairshipPermission } from '../../access/kairship-product.ts';
import { reachOf } from '../../access/authorize.ts';
import { instances as instancesOf } from '../../instances/kinds.ts';
import { EVERYWHERE } from '../../read/reads.ts';
import { isAgentCluster } from '../../controllers/agent-clusters.ts';
import { AGENT_TOKEN_SECONDS, inviteAgent } from '../../write/agent-invitation.ts';
import { joinInstance, leaveInstance } from '../../write/join.ts';
import { generationOf, memberAccess } from '../../write/member-access.ts';
import { callerIn, clientIn, type ServiceDeps } from '../deps.ts';
import { compareBy, pagination, slice } from '../paging.ts';
import { type ClustersRequest, clusterFilter } from './cluster-filter.ts';
import { changedMember } from './changed-member.ts';
import { candidateMessage, memberMessage } from './cluster-message.ts';
import { checkJoin } from './join-check.ts';
import { isReachable, leavingWith } from './removal-check.ts';

export interface ClusterServiceDeps extends ServiceDeps {
  /** Connections to the clusters of the inventory, with the inventory's credentials. */
  readonly members: MemberClients;
  /** What an agent is started with, around its token in the instance. */
  readonly agentToken: (instance: string, cluster: string, token: string) => string;
}

const CANDIDATES = kairshipPermission('cluster', 'candidates');

export function clusterService(deps: ClusterServiceDeps): ServedService {
  const inventory = inventoryOf(deps.global);

  async function joinedOf(instance: string): Promise<readonly Cluster[]> {
    return deps.reads.all<Cluster>({ place: { instance }, resource: CLUSTER, reach: EVERYWHERE });
  }

  /** One that could be used: in the inventory, a real cluster, and not on its way out. */
  async function joinable(name: string): Promise<InventoryCluster> {
    const found = await inventory.find(name);
    if (!found) throw notFound('clusters', name, 'kpanda.io');
    if (isVirtual(found))
      throw badRequest(`cluster "${name}" stands for an instance: an instance cannot be a member of another`);
    if (found.metadata.deletionTimestamp !== undefined)
      throw new StatusError('Conflict', `cluster "${name}" is being removed from the inventory`);
    return found;
  }

  return service(ClusterService, {
    async listJoinedClusters(request) {
      const [joined, known] = await Promise.all([joinedOf(request.instance), inventory.list()]);
      const byName = new Map(known.map((cluster) => [cluster.metadata.name, cluster]));
      const sorted = joined.toSorted(compareBy(request));
      return answer(
        request,
        sorted.map((cluster) => memberMessage(cluster, byName.get(cluster.metadata.name))),
      );
    },
    async listClustersLabels({ instance }) {
      const joined = (await joinedOf(instance)).toSorted(byItsName);
      return {
        clusterLabels: joined.map(({ metadata }) => ({ cluster: metadata.name, labels: { ...metadata.labels } })),
      };
    },
    async listClustersLocationSummary({ instance }) {
      const joined = (await joinedOf(instance)).toSorted(byItsName);
      return {
        locations: joined.map(({ metadata, spec: { provider = '', region = '', zones, zone = '' } }) => ({
          cluster: metadata.name,
          provider,
          region,
          zone: zones?.join(',') ?? zone,
        })),
      };
    },
    async listClusters(request, context) {
      const reach = reachOf(deps.access, callerIn(context), CANDIDATES, request.instance || undefined);
      if (!reach.all && reach.instances.length === 0) return answer(request, []);
      const names = request.instance
        ? [request.instance]
        : (await instancesOf(deps.global).list()).map(({ metadata }) => metadata.name);
      const taken = (await Promise.all(names.map(joinedOf))).flat();
      const free = (await inventory.list()).filter((cluster) => isFree(cluster, taken));
      return answer(request, free.toSorted(compareBy(request)).map(candidateMessage));
    },
    async joinCluster({ instance, name }, context) {
      const control = clientIn(deps, context, { instance });
      // What the caller may not do in the instance must leave no trace in the member.
      await control.list(CLUSTER, { limit: 1 });
      const cluster = await joinable(name);
      const { client: member, version, reached } = await deps.members.connect(cluster);
      const access = await memberAccess(member, name, generationOf(version), deps);
      await joinInstance(control, cluster, access, reached);
      return {};
    },
    async createAgentToken({ instance, name, expirationSeconds }, context) {
      const seconds = lifeOf(Number(expirationSeconds));
      const known = await inventory.find(name);
      if (known && !isAgentCluster(known))
        throw new StatusError(
          'Conflict',
          `cluster "${name}" is in the inventory: it can be reached, and joins without an agent`,
        );
      const held = (await instancesOf(deps.global).find(instance))?.spec.mode === 'embedded';
      const invitation = await inviteAgent(clientIn(deps, context, { instance }), name, { seconds, held });
      const token = deps.agentToken(instance, name, invitation.token);
      return {
        token,
        expiresAt: timestampFromDate(invitation.expiresAt),
        command: `kairship agent --kubeconfig FILE --token ${token}`,
      };
    },
    async checkJoin({ instance, name }, context) {
      const control = clientIn(deps, context, { instance });
      const { items, fresh } = await checkJoin({ control, reads: deps.reads }, instance, await joinable(name));
      return { items: [...items], fresh };
    },
    async checkRemoval({ instance, name }) {
      const member = (await joinedOf(instance)).find(({ metadata }) => metadata.name === name);
      if (!member) throw notFound('clusters', name, 'cluster.karmada.io');
      const bindings = await Promise.all(
        [RESOURCE_BINDING, CLUSTER_RESOURCE_BINDING].map((resource) =>
          deps.reads.all<AnyBinding>({ place: { instance }, resource, reach: EVERYWHERE }),
        ),
      );
      return { items: [...leavingWith(member, bindings.flat())], reachable: isReachable(member) };
    },
    async updateJoinedCluster({ instance, name, cluster }, context) {
      const control = clientIn(deps, context, { instance });
      const [current, known] = [await control.get<Cluster>(CLUSTER, { name }), await inventory.find(name)];
      const body = changedMember(current, known, cluster);
      const changed = await control.patch<Cluster>(CLUSTER, { name }, { type: 'merge', body });
      return { cluster: memberMessage(changed, known) };
    },
    async removeJoinedCluster({ instance, name, force }, context) {
      await leaveInstance(clientIn(deps, context, { instance }), name, force);
      return {};
    },
  });
}

function lifeOf(seconds: number): number {
  const { least, usual, most } = AGENT_TOKEN_SECONDS;
  if (seconds === 0) return usual;
  if (seconds >= least && seconds <= most) return seconds;
  throw badRequest(`expirationSeconds is ${seconds}: a token for an agent lasts from ${least} to ${most} seconds`);
}

function answer(request: ClustersRequest, all: readonly ClusterMessage[]) {
  const matching = all.filter(clusterFilter(request));
  if (request.allCluster) {
    const total = matching.length;
    return { items: matching, pagination: { total, page: 1, pageSize: total, pages: 1 } };
  }
  return { items: slice(request, matching), pagination: pagination(request, matching.length) };
}

/** In no instance that counts, neither under its name nor under another. */
export function isFree(cluster: InventoryCluster, taken: readonly Cluster[]): boolean {
  const { metadata, status } = cluster;
  if (isVirtual(cluster) || metadata.deletionTimestamp !== undefined || status?.phase === 'Deleting') return false;
  const id = status?.kubeSystemID;
  return !taken.some((other) => other.metadata.name === metadata.name || (id !== undefined && other.spec.id === id));
}

function byItsName(a: Cluster, b: Cluster): number {
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
