/**
 * Keeps what the inventory says of a cluster true: whether it answers, its version and API groups (asked of it), its
 * nodes and pods (read from the index, which follows them anyway), what it uses (its metrics, with an hour of history),
 * and when its credential ends. A status is written only when it says something new.
 */
import { type Clock, rfc3339, sleep } from '#base/clock.ts';
import { isObject, jsonEqual } from '#base/json.ts';
import { hasReason } from '#base/status-error.ts';
import type { Node } from '#gen/kube/types.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { setCondition } from '#kube/meta/condition.ts';
import { apiVersionOf } from '#kube/meta/gvk.ts';
import type { Condition } from '#kube/meta/object.ts';
import { type Controller, done, type Outcome, type Reconcile, retryIn } from '#kube/runtime/index.ts';
import type { IndexReader, IndexWriter, UsageSample } from '../index/store/index-store.ts';
import { type Cluster, CLUSTERS, clusters as clustersOf, type ClusterStatus } from './cluster.ts';
import { nodeFacts, podFacts, usageFacts, usageSamples } from './cluster-facts.ts';
import type { Credential } from './credential.ts';
import type { Connection, MemberClients } from './member-clients.ts';
import { identityOf } from './validate-kubeconfig.ts';

export interface FactsDeps {
  readonly client: KubeClient;
  readonly members: MemberClients;
  readonly reader: IndexReader;
  readonly writer: IndexWriter;
  readonly clock: Clock;
}

const LOOK_AGAIN_MS = 10_000;
const USAGE_EVERY_MS = 60_000;
const HISTORY_MS = 3_600_000;
const FACTS_SOON_MS = 1_000;
/** A credential that ends within a week is told before it does. */
const EXPIRES_SOON_MS = 7 * 24 * 3_600_000;
const NODE_METRICS = { group: 'metrics.k8s.io', version: 'v1beta1', resource: 'nodes' };

export function factsController(deps: FactsDeps): Controller {
  const { client, members, reader, writer, clock } = deps;
  const clusters = clustersOf(client);
  const measured = new Map<string, number>();

  async function reconcile({ key, signal }: Reconcile): Promise<Outcome> {
    const cluster = await clusters.find(key);
    if (!cluster) {
      measured.delete(key);
      return done;
    }
    const before = cluster.status ?? {};
    const status = cluster.metadata.deletionTimestamp === undefined ? await look(cluster, signal) : deleting(before);
    if (!jsonEqual(before, status)) await clusters.updateStatus(cluster, status);
    const complete = status.nodeSummary !== undefined || status.phase !== 'Running';
    return retryIn(complete ? LOOK_AGAIN_MS : FACTS_SOON_MS, 'clusters are looked at regularly');
  }

  async function look(cluster: Cluster, signal: AbortSignal): Promise<ClusterStatus> {
    const before = cluster.status ?? {};
    try {
      const connection = await members.connect(cluster);
      const asked = await ask(connection, signal);
      const indexed = await read(cluster.metadata.name);
      const latest = await measure(cluster.metadata.name, connection, signal);
      const allocatable = indexed.resourceSummary?.allocatable ?? before.resourceSummary?.allocatable;
      const conditions = conditionsOf(before.conditions, connection, undefined);
      return {
        ...before,
        ...asked,
        ...indexed,
        ...usageFacts(latest, allocatable),
        phase: 'Running',
        conditions,
        ...credentialStatus(connection.credential),
      };
    } catch (error) {
      if (hasReason(error, 'Conflict')) throw error;
      const conditions = conditionsOf(before.conditions, undefined, error);
      return { ...before, phase: before.kubernetesVersion === undefined ? 'Pending' : 'Unknown', conditions };
    }
  }

  async function ask({ client: member }: Connection, signal: AbortSignal): Promise<Partial<ClusterStatus>> {
    const version: unknown = JSON.parse(await member.getText('/version', signal));
    const kubeSystemID = await identityOf(member, signal);
    const groups = (await member.discover()).map(apiVersionOf);
    return {
      ...textAs('kubernetesVersion', version, 'gitVersion'),
      ...textAs('platform', version, 'platform'),
      ...(kubeSystemID === undefined ? {} : { kubeSystemID }),
      apiGroups: [...new Set(groups)].toSorted(),
    };
  }

  /** Nothing before its nodes have been listed: none and not known are two things. */
  async function read(name: string): Promise<Partial<ClusterStatus>> {
    const kinds = (await reader.kinds(name)).filter(({ group }) => group === '');
    const nodes = kinds.find(({ resource }) => resource === 'nodes');
    const pods = kinds.find(({ resource }) => resource === 'pods');
    const listed = nodes && (await reader.stream({ cluster: name, kind: nodes.id }));
    if (!nodes || listed?.phase === 'Listing') return {};
    const page = await reader.page({ kinds: [nodes.id], clusters: [name], limit: 5_000 }, 'everything');
    const facts = nodeFacts(page.objects.map(({ body }) => JSON.parse(body) as Node));
    return { ...facts, ...(pods ? podFacts(await reader.phases([pods.id], [name])) : {}) };
  }

  /** The cluster's latest sample; a new one every minute. A cluster without metrics has none. */
  async function measure(
    name: string,
    { client: member }: Connection,
    signal: AbortSignal,
  ): Promise<UsageSample | undefined> {
    const now = clock.now();
    if (now - (measured.get(name) ?? 0) >= USAGE_EVERY_MS) {
      measured.set(name, now);
      const metrics = await member.list(NODE_METRICS, { signal }).catch(() => undefined);
      if (metrics) await writer.keepUsage(usageSamples(name, now, metrics.items), now - HISTORY_MS);
    }
    const samples = await reader.usage(name, now - 2 * USAGE_EVERY_MS);
    return samples.findLast(({ node }) => node === '');
  }

  function conditionsOf(
    before: readonly Condition[] | undefined,
    connection: Connection | undefined,
    error: unknown,
  ): readonly Condition[] {
    const now = rfc3339(clock.now());
    const ready = connection
      ? { type: 'Ready', status: 'True' as const, reason: 'ClusterAnswers', message: 'the API server answers' }
      : {
          type: 'Ready',
          status: 'False' as const,
          reason: 'ClusterUnreachable',
          message: error instanceof Error ? error.message : String(error),
        };
    const conditions = setCondition(before, ready, now);
    if (!connection) return conditions;
    return setCondition(conditions, credentialCondition(connection, clock.now()), now);
  }

  return {
    name: 'cluster-facts',
    concurrency: 16,
    watches: [
      {
        gvr: CLUSTERS,
        wakes: ({ metadata }, old) => (old && old.metadata.generation === metadata.generation ? [] : [metadata.name]),
      },
    ],
    async source(wake, signal) {
      // Nodes come and go in the index; the first facts of a new cluster are wanted as soon as they are there.
      void sleep(clock, FACTS_SOON_MS, signal).then(
        async () => (await clusters.list()).forEach(({ metadata }) => wake(metadata.name)),
        () => undefined,
      );
    },
    reconcile,
  };
}

function textAs<K extends string>(name: K, value: unknown, field: string): Partial<Record<K, string>> {
  const text = isObject(value) ? value[field] : undefined;
  return typeof text === 'string' ? ({ [name]: text } as Partial<Record<K, string>>) : {};
}

function deleting(before: ClusterStatus): ClusterStatus {
  return { ...before, phase: 'Deleting' };
}

function credentialStatus({ type, expiresAt }: Credential): Pick<ClusterStatus, 'credential'> {
  return { credential: { type, ...(expiresAt === undefined ? {} : { expiresAt: rfc3339(expiresAt) }) } };
}

function credentialCondition({ credential: { type, expiresAt }, problem }: Connection, now: number) {
  const condition = (status: 'True' | 'False', reason: string, message: string) => ({
    type: 'CredentialValid',
    status,
    reason,
    message,
  });
  if (problem !== undefined)
    return condition('False', 'NewCredentialRefused', `${problem}; the one before is still in use`);
  if (expiresAt === undefined) return condition('True', 'CredentialWorks', `the ${type} does not say when it ends`);
  const when = `the ${type} ends at ${rfc3339(expiresAt)}`;
  if (expiresAt <= now) return condition('False', 'CredentialExpired', when);
  return condition('True', expiresAt - now < EXPIRES_SOON_MS ? 'CredentialExpiresSoon' : 'CredentialWorks', when);
}
