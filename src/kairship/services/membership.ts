/**
 * Which clusters an instance may tell of: those that are its members, and no others.
 *
 * The index holds every cluster of the platform, and an instance's own administrator may write any `Cluster` there: a
 * name alone would be enough to read somebody else's. So a member must be the cluster that the inventory knows under its
 * name, by the id that only those know who have been there.
 */
import { StatusError } from '#base/status-error.ts';
import { CLUSTER, type Cluster } from '#karmada/apis/index.ts';
import { type Cluster as InventoryCluster, clusters } from '#kpanda/registry/index.ts';
import { EVERYWHERE } from '../read/reads.ts';
import type { ServiceDeps } from './deps.ts';

type MembershipDeps = Pick<ServiceDeps, 'reads' | 'global'>;

export async function requireMember(deps: MembershipDeps, instance: string, cluster: string): Promise<void> {
  const joined = await deps.reads.get<Cluster>({ instance }, CLUSTER, { name: cluster });
  if (joined && isSame(joined, await clusters(deps.global).find(cluster))) return;
  throw new StatusError('NotFound', `cluster "${cluster}" is no member of instance "${instance}"`);
}

export async function membersOf(deps: MembershipDeps, instance: string): Promise<readonly string[]> {
  const [joined, known] = await Promise.all([
    deps.reads.all<Cluster>({ place: { instance }, resource: CLUSTER, reach: EVERYWHERE }),
    clusters(deps.global).list(),
  ]);
  const inventory = new Map(known.map((cluster) => [cluster.metadata.name, cluster]));
  return joined.filter((one) => isSame(one, inventory.get(one.metadata.name))).map(({ metadata }) => metadata.name);
}

/** What the inventory does not know is not in the index either: whoever joined it elsewhere reads nothing of it. */
export function isSame(
  { spec }: Pick<Cluster, 'spec'>,
  known: Pick<InventoryCluster, 'status' | 'metadata'> | undefined,
): boolean {
  const id = known?.status?.kubeSystemID;
  return id === undefined || id === '' || spec.id === id;
}
