/**
 * Feeds the inventory into every instance that has a cluster of it as a member.
 *
 * Labels, provider, region, zone and address follow at once. A new credential is proved first; then tokens are made
 * with it, written into all instances, and only when all have them are the old ones taken back: a member is never
 * without one that works. A credential that does not work, or is of another cluster, changes nothing: it is told as an
 * Event of the member in each instance, and by the inventory as a condition of its cluster.
 *
 * Members that pull are fed by nobody: they come into the inventory the other way round (`agent-clusters.ts`).
 *
 * A cluster that leaves the inventory leaves all instances before; one that no instance has any more keeps nothing of
 * what was made in it.
 */
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { StatusError } from '#base/status-error.ts';
import {
  CLUSTERS,
  type Cluster,
  clusters as clustersOf,
  type Connection,
  isVirtual,
  type MemberClients,
  REGISTRY_NAMESPACE,
} from '#kpanda/registry/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import {
  type Controller,
  done,
  eventRecorder,
  type Informers,
  type Outcome,
  type Reconcile,
  retryIn,
} from '#kube/runtime/index.ts';
import type { PlatformClients } from '../proxy/instance-client.ts';
import { applyFacts, generationIn, INVENTORY_ANNOTATION, leaveInstance, writeCredential } from '../write/join.ts';
import {
  generationOf,
  type MemberAccess,
  memberAccess,
  removeMemberAccess,
  retireTokens,
} from '../write/member-access.ts';
import { agentClusters, isAgentCluster, pulls } from './agent-clusters.ts';
import { instanceClusters, type Joined } from './instance-clusters.ts';

/** On a cluster of the inventory while an instance has it as a member. */
export const JOINED_FINALIZER = 'kairship.io/joined';
const SECRETS = { group: '', version: 'v1', resource: 'secrets' };
/** Long enough for an instance to have taken the new token up. */
const RETIRE_AFTER_MS = 5_000;
const LOOK_AGAIN_MS = 2_000;

export interface ClusterSyncDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly instances: PlatformClients;
  readonly members: MemberClients;
  readonly clock: Clock;
  readonly log?: Log;
}

export function clusterSyncController(deps: ClusterSyncDeps): Controller {
  const { client, informers, instances, members, clock } = deps;
  const clusters = clustersOf(client);
  const known = informers<Cluster>(CLUSTERS);
  const joined = instanceClusters({ informers, clients: instances, ...(deps.log ? { log: deps.log } : {}) });
  const byAgent = agentClusters(client, informers);
  /** By cluster: the credential whose tokens are the only ones left. */
  const retired = new Map<string, string>();

  const joinedOf = (name: string) =>
    joined.of(name).filter(({ cluster }) => cluster.metadata.annotations?.[INVENTORY_ANNOTATION] === name);

  async function reconcile({ key, signal }: Reconcile): Promise<Outcome> {
    const cluster = known.get(key);
    if (cluster && isVirtual(cluster)) return done;
    const pulling = joined.of(key).find(pulls);
    if (pulling || isAgentCluster(cluster)) return followAgent(pulling, cluster);
    const copies = joinedOf(key);
    if (!cluster || cluster.metadata.deletionTimestamp !== undefined) return leaveAll(key, cluster, copies);
    if (copies.length === 0) return release(cluster);
    const held = await clusters.addFinalizer(cluster, JOINED_FINALIZER);
    const staying = copies.filter(({ cluster: { metadata } }) => metadata.deletionTimestamp === undefined);
    return feed(held, staying, signal);
  }

  /** What is reached through its agent has no credential to be fed with: its entry follows the member. */
  async function followAgent(pulling: Joined | undefined, cluster: Cluster | undefined): Promise<Outcome> {
    if (pulling) await byAgent.ensure(pulling, cluster);
    else if (cluster && joined.complete()) await byAgent.remove(cluster);
    else return retryIn(LOOK_AGAIN_MS, 'not all instances have said what they have');
    return done;
  }

  async function feed(cluster: Cluster, copies: readonly Joined[], signal: AbortSignal): Promise<Outcome> {
    const { name } = cluster.metadata;
    let connection: Connection;
    try {
      connection = await members.connect(cluster);
      const changed = await feedCredential(cluster, connection, copies, signal);
      for (const { instance, cluster: copy } of copies)
        await applyFacts(instances(instance), cluster, copy, connection.reached);
      if (connection.problem !== undefined) tell(copies, connection.problem);
      if (changed) return retryIn(RETIRE_AFTER_MS, 'tokens that no instance uses any more are taken back');
    } catch (error) {
      tell(copies, error instanceof Error ? error.message : String(error));
      throw error;
    }
    const generation = generationOf(connection.version);
    if (retired.get(name) !== generation && joined.complete()) {
      await retireTokens(connection.client, name, generation);
      retired.set(name, generation);
    }
    return done;
  }

  /** Whether any instance got a new token. */
  async function feedCredential(
    cluster: Cluster,
    { client: member, version, reached }: Connection,
    copies: readonly Joined[],
    signal: AbortSignal,
  ): Promise<boolean> {
    const { name } = cluster.metadata;
    const generation = generationOf(version);
    let access: MemberAccess | undefined;
    for (const { instance, cluster: copy } of copies) {
      const control = instances(instance);
      if ((await generationIn(control, name)) === generation) continue;
      access ??= await memberAccess(member, name, generation, { clock, signal });
      refuseAnother(name, copy.spec.id, access.id);
      await writeCredential(control, cluster, access, reached);
    }
    return access !== undefined;
  }

  function tell(copies: readonly Joined[], problem: string): void {
    for (const { instance, cluster } of copies)
      eventRecorder({ client: instances(instance), component: 'kairship', clock }).event(
        cluster,
        'Warning',
        'CredentialRefused',
        `the credential in the inventory is not used: ${problem}`,
      );
  }

  async function leaveAll(name: string, cluster: Cluster | undefined, copies: readonly Joined[]): Promise<Outcome> {
    for (const { instance, cluster: copy } of copies)
      if (copy.metadata.deletionTimestamp === undefined) await leaveInstance(instances(instance), name, false);
    if (copies.length > 0) return retryIn(LOOK_AGAIN_MS, 'instances are giving it up');
    retired.delete(name);
    return cluster ? release(cluster) : done;
  }

  /** Nobody has it any more: what was made in it goes, if it can still be reached. */
  async function release(cluster: Cluster): Promise<Outcome> {
    const { name, finalizers = [], deletionTimestamp } = cluster.metadata;
    if (!finalizers.includes(JOINED_FINALIZER)) return done;
    if (!joined.complete()) return retryIn(LOOK_AGAIN_MS, 'not all instances have said what they have');
    try {
      const { client: member } = await members.connect(cluster);
      await removeMemberAccess(member, name);
    } catch (error) {
      // A cluster that is going may be dead, or its credential gone already.
      if (deletionTimestamp === undefined) throw error;
    }
    members.forget(name);
    retired.delete(name);
    await clusters.dropFinalizer(cluster, JOINED_FINALIZER);
    return done;
  }

  function* clustersOfSecret({ metadata }: KubeObject): Iterable<string> {
    for (const { metadata: of, spec } of known.list())
      if (spec.secretRef.name === metadata.name && spec.secretRef.namespace === metadata.namespace) yield of.name;
  }

  return {
    name: 'cluster-sync',
    concurrency: 8,
    watches: [
      { gvr: CLUSTERS, wakes: (object, old) => (isNews(object, old) ? [object.metadata.name] : []) },
      { gvr: SECRETS, namespace: REGISTRY_NAMESPACE, wakes: clustersOfSecret },
    ],
    source: (wake, signal) => joined.follow(wake, signal),
    reconcile,
  };
}

function refuseAnother(name: string, expected: string | undefined, found: string): void {
  if (expected === undefined || expected === '' || expected === found) return;
  throw new StatusError('Invalid', `it is of another cluster: kube-system is ${found}, that of "${name}" ${expected}`);
}

/** Its status changes all the time and says nothing that an instance needs. */
function isNews({ metadata }: KubeObject, old: KubeObject | undefined): boolean {
  if (!old) return true;
  const { generation, labels, deletionTimestamp } = old.metadata;
  return (
    generation !== metadata.generation ||
    deletionTimestamp !== metadata.deletionTimestamp ||
    JSON.stringify(labels) !== JSON.stringify(metadata.labels)
  );
}
