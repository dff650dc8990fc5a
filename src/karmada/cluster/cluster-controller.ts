/**
 * The life of a Cluster: its execution namespace, its taints, and its leaving.
 *
 * A new cluster gets a namespace for its Works and a finalizer. While it is not ready it is tainted, so that nothing new
 * is scheduled to it. When it is deleted its namespace goes first (and with it the Works, and with those the objects in
 * the member); it is gone only when no binding names it any more. What an unreachable member keeps is written down
 * (`left-behind.ts`).
 */
import { type Clock, rfc3339 } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import { hasReason } from '#base/status-error.ts';
import {
  AGENT_ACCESS_FINALIZER,
  type AnyBinding,
  type Cluster,
  CLUSTER,
  CLUSTER_RESOURCE_BINDING,
  EVENT_REASONS,
  FINALIZERS,
  isPushedTo,
  LABELS,
  RESOURCE_BINDING,
  UNJOIN_EVENT_REASONS,
  type Work,
  WORK,
} from '#karmada/apis/index.ts';
import type { EventRecorder } from '#karmada/events/index.ts';
import { clusterOfExecutionNamespace, executionNamespace } from '#karmada/names/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile, retryIn } from '#kube/runtime/index.ts';
import {
  abandonedBecause,
  DEFAULT_UNJOIN_GRACE_MS,
  isReported,
  leftBehind,
  type UnjoinReport,
  unjoinReport,
} from './left-behind.ts';
import type { Members } from './members.ts';
import { taintsByCondition, taintsMessage } from './taints.ts';

export interface ClusterDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly members: Members;
  readonly events: EventRecorder;
  readonly clock: Clock;
  /** How long a member that answers may take to give up its objects when its Cluster is deleted. */
  readonly unjoinGraceMs?: number;
}

const NAMESPACE: Gvr = { group: '', version: 'v1', resource: 'namespaces' };
const CONFIG_MAP: Gvr = { group: '', version: 'v1', resource: 'configmaps' };
const ROLE_BINDING: Gvr = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: 'rolebindings' };
const TARGETS = 'target-clusters';
/** Everything that matters wakes us; this is for what an informer cannot tell. */
const LOOK_AGAIN_MS = 5_000;

export function clusterController(deps: ClusterDeps): Controller {
  const { client, informers, members, events, clock } = deps;
  const clusters = informers<Cluster>(CLUSTER);
  const namespaces = informers(NAMESPACE);
  const bindings = [RESOURCE_BINDING, CLUSTER_RESOURCE_BINDING].map((gvr) => informers<AnyBinding>(gvr));
  for (const informer of bindings) informer.index(TARGETS, ({ spec }) => (spec.clusters ?? []).map(({ name }) => name));

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const cluster = clusters.get(key);
    if (!cluster) {
      members.drop(key);
      return done;
    }
    return cluster.metadata.deletionTimestamp ? leave(cluster) : settle(cluster);
  }

  async function settle(cluster: Cluster): Promise<Outcome> {
    await ensureNamespace(cluster);
    const taints = taintsByCondition(cluster, rfc3339(clock.now()));
    const { finalizers = [] } = cluster.metadata;
    const tainted = !jsonEqual(taints, cluster.spec.taints ?? []);
    const hasFinalizer = finalizers.includes(FINALIZERS.cluster);
    if (!tainted && hasFinalizer) return done;
    const { taints: _old, ...spec } = cluster.spec;
    await client.update(CLUSTER, {
      ...cluster,
      metadata: { ...cluster.metadata, finalizers: hasFinalizer ? finalizers : [...finalizers, FINALIZERS.cluster] },
      spec: taints.length > 0 ? { ...spec, taints } : spec,
    });
    if (tainted) {
      events.normal(cluster, EVENT_REASONS.taintClusterSucceed, `Taint cluster succeed: ${taintsMessage(taints)}.`);
    }
    return done;
  }

  async function ensureNamespace(cluster: Cluster): Promise<void> {
    const name = executionNamespace(cluster.metadata.name);
    if (namespaces.get(name)) return;
    const labels = { [LABELS.system]: 'true' };
    try {
      await client.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
      const message = `Created execution space(${name}) for cluster(${cluster.metadata.name}).`;
      events.normal(cluster, EVENT_REASONS.createExecutionSpaceSucceed, message);
    } catch (error) {
      if (hasReason(error, 'AlreadyExists')) return;
      const why = error instanceof Error ? error.message : String(error);
      events.warning(cluster, EVENT_REASONS.createExecutionSpaceFailed, why);
      throw error;
    }
  }

  async function leave(cluster: Cluster): Promise<Outcome> {
    const { name, finalizers = [] } = cluster.metadata;
    if (!finalizers.includes(FINALIZERS.cluster)) return done;
    const space = namespaces.get(executionNamespace(name));
    if (space) {
      await removeNamespace(cluster, space);
      return retryIn(LOOK_AGAIN_MS, 'the execution namespace is on its way out');
    }
    if (bindings.some((informer) => informer.byIndex(TARGETS, name).length > 0)) {
      return retryIn(LOOK_AGAIN_MS, 'bindings still name the cluster');
    }
    members.drop(name);
    const rest = finalizers.filter((each) => each !== FINALIZERS.cluster);
    await client.update(CLUSTER, { ...cluster, metadata: { ...cluster.metadata, finalizers: rest } });
    return done;
  }

  async function removeNamespace(cluster: Cluster, space: KubeObject): Promise<void> {
    const { name } = cluster.metadata;
    // Nothing new comes into it from then on, so what is listed after is all there is.
    if (!space.metadata.deletionTimestamp) {
      try {
        await client.delete(NAMESPACE, { name: space.metadata.name });
      } catch (error) {
        if (!hasReason(error, 'NotFound', 'Conflict')) throw error;
      }
      const message = `Removed execution space for cluster(${name}).`;
      events.normal(cluster, EVENT_REASONS.removeExecutionSpaceSucceed, message);
    }
    if (!isPushedTo(cluster)) await freeAgentAccess(space.metadata.name);
    const because = abandonedBecause(cluster, clock.now(), deps.unjoinGraceMs ?? DEFAULT_UNJOIN_GRACE_MS);
    if (because !== undefined) await abandon(cluster, space.metadata.name, because);
  }

  /** An agent keeps what lets it see its Works for as long as there are any, or it could never give them up. */
  async function freeAgentAccess(namespace: string): Promise<void> {
    const { items: works } = await client.list<Work>(WORK, { namespace, limit: 1 });
    if (works.length > 0) return;
    const { items } = await client.list(ROLE_BINDING, { namespace });
    for (const { metadata } of items) {
      const finalizers = metadata.finalizers?.filter((each) => each !== AGENT_ACCESS_FINALIZER) ?? [];
      if (finalizers.length === (metadata.finalizers ?? []).length) continue;
      const key = { namespace, name: metadata.name };
      await client
        .patch(ROLE_BINDING, key, { type: 'merge', body: { metadata: { finalizers } } })
        .catch(ignoreNotFound);
    }
  }

  /** Nobody is left to take the objects out of the member: says which they are, and frees their Works. */
  async function abandon(cluster: Cluster, namespace: string, because: string): Promise<void> {
    const { items } = await client.list<Work>(WORK, { namespace });
    const held = items.filter(({ metadata }) => metadata.finalizers?.includes(FINALIZERS.execution));
    if (held.length === 0) return;
    const objects = leftBehind(held);
    if (objects.length > 0) await writeReport(cluster, because, objects);
    for (const work of held) {
      const finalizers = work.metadata.finalizers?.filter((each) => each !== FINALIZERS.execution) ?? [];
      await client.update(WORK, { ...work, metadata: { ...work.metadata, finalizers } }).catch(ignoreNotFound);
    }
  }

  async function writeReport(cluster: Cluster, because: string, objects: readonly string[]): Promise<void> {
    const facts = { because, objects, at: rfc3339(clock.now()) };
    const key = unjoinReport(cluster, facts).metadata;
    const before = await client.get<UnjoinReport>(CONFIG_MAP, key).catch(ignoreNotFound);
    const report = unjoinReport(cluster, facts, before);
    if (isReported(before, report)) return;
    await (before ? client.update(CONFIG_MAP, report) : client.create(CONFIG_MAP, report));
    const where = `ConfigMap ${key.namespace}/${key.name}`;
    const message = `${objects.length} object(s) are left in the member, listed in ${where}: ${because}`;
    events.warning(cluster, UNJOIN_EVENT_REASONS.objectsLeftBehind, message);
  }

  /** A cluster that waits to leave is woken by the last binding that named it. */
  function wokenByBinding(object: KubeObject, old: KubeObject | undefined): readonly string[] {
    const named = [object, old].flatMap((each) => (each as AnyBinding | undefined)?.spec.clusters ?? []);
    return named.map(({ name }) => name).filter((name) => clusters.get(name)?.metadata.deletionTimestamp !== undefined);
  }

  function wokenByNamespace({ metadata }: KubeObject): readonly string[] {
    const name = clusterOfExecutionNamespace(metadata.name);
    return name === undefined ? [] : [name];
  }

  return {
    name: 'cluster',
    concurrency: 8,
    watches: [
      { gvr: CLUSTER, wakes: (object) => [keyOf(object)] },
      { gvr: NAMESPACE, wakes: wokenByNamespace },
      { gvr: RESOURCE_BINDING, wakes: wokenByBinding },
      { gvr: CLUSTER_RESOURCE_BINDING, wakes: wokenByBinding },
    ],
    reconcile,
  };
}

function ignoreNotFound(error: unknown): undefined {
  if (!hasReason(error, 'NotFound')) throw error;
  return undefined;
}
