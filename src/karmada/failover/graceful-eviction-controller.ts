/**
 * Ends eviction tasks when their time has come (`eviction-tasks.ts`); the binding controller then removes what they kept.
 *
 * A binding with tasks is looked at whenever it changes and when a cluster it leaves changes its taints. While the last
 * copy is kept beyond its time, the condition EvictionBlocked says so and why.
 */
import { type Clock, rfc3339 } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import {
  type AnyBinding,
  type Cluster,
  CLUSTER,
  CLUSTER_RESOURCE_BINDING,
  EVENT_REASONS,
  EVICTION,
  EVICTION_BLOCKED,
  FAILOVER_EVENT_REASONS,
  type GracefulEvictionTask,
  RESOURCE_BINDING,
  SCHEDULED,
} from '#karmada/apis/index.ts';
import type { Templates } from '#karmada/detector/index.ts';
import type { EventRecorder, EventRecorders } from '#karmada/events/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { findCondition, setCondition } from '#kube/meta/condition.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile, retryIn } from '#kube/runtime/index.ts';
import { appliedTolerations } from './applied-tolerations.ts';
import { bindingsOf, resourceOf, subjectsOf } from './bindings.ts';
import { type Assessment, assessTasks } from './eviction-tasks.ts';
import { mayEvictLastCopy } from './last-copy.ts';
import { FAILOVER_DEFAULTS, type FailoverOptions } from './options.ts';
import { taintVerdict } from './taint-verdict.ts';

export interface GracefulEvictionDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly templates: Pick<Templates, 'cached'>;
  readonly events: EventRecorders;
  readonly clock: Clock;
  readonly options?: FailoverOptions;
}

export function gracefulEvictionController(deps: GracefulEvictionDeps): Controller {
  const { client, informers, templates, clock } = deps;
  const { gracefulEvictionTimeoutMs: timeoutMs, evictLastCopy } = { ...FAILOVER_DEFAULTS, ...deps.options };
  const bindings = bindingsOf(informers);
  const clusters = informers<Cluster>(CLUSTER);
  const recorders = {
    ResourceBinding: deps.events.of('resource-binding-graceful-eviction-controller'),
    ClusterResourceBinding: deps.events.of('cluster-resource-binding-graceful-eviction-controller'),
  };

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const binding = bindings.get(key);
    if (!binding || binding.metadata.deletionTimestamp) return done;
    const assessment = assess(binding);
    const written = await writeTasks(binding, assessment);
    await writeCondition(written, assessment);
    tell(recorders[binding.kind], written, assessment);
    return assessment.nextMs === undefined ? done : retryIn(assessment.nextMs, 'the next task ends');
  }

  function assess(binding: AnyBinding): Assessment {
    const { spec, status, metadata } = binding;
    return assessTasks({
      tasks: spec.gracefulEvictionTasks ?? [],
      targets: spec.clusters ?? [],
      aggregated: status?.aggregatedStatus ?? [],
      scheduled: status?.schedulerObservedGeneration === metadata.generation,
      now: clock.now(),
      timeoutMs,
      evictLastCopy: mayEvictLastCopy(binding, templates.cached(spec.resource), evictLastCopy),
      isOver: (task) => isOver(binding, task),
    });
  }

  function isOver(binding: AnyBinding, { reason, fromCluster }: GracefulEvictionTask): boolean {
    const cluster = clusters.get(fromCluster);
    if (!cluster || cluster.metadata.deletionTimestamp) return false;
    if (reason === EVICTION.reasonTaintUntolerated) {
      return taintVerdict(cluster.spec.taints, appliedTolerations(binding), clock.now()).type !== 'now';
    }
    const item = binding.status?.aggregatedStatus?.find(({ clusterName }) => clusterName === fromCluster);
    return reason === EVICTION.reasonApplicationFailure && item?.health === 'Healthy';
  }

  async function writeTasks(binding: AnyBinding, { tasks, returned }: Assessment): Promise<AnyBinding> {
    if (jsonEqual(binding.spec.gracefulEvictionTasks ?? [], tasks)) return binding;
    const { resourceVersion } = binding.metadata;
    const spec = {
      gracefulEvictionTasks: tasks.length > 0 ? tasks : null,
      // In the same write: between two the binding would have no claim to what it still has there.
      ...(returned.length > 0 ? { clusters: [...(binding.spec.clusters ?? []), ...returned] } : {}),
    };
    const body = { metadata: { resourceVersion }, spec };
    return client.patch<AnyBinding>(resourceOf(binding), binding.metadata, { type: 'merge', body });
  }

  async function writeCondition(binding: AnyBinding, { lastCopies }: Assessment): Promise<void> {
    const { conditions: before = [] } = binding.status ?? {};
    const conditions =
      lastCopies.length > 0
        ? setCondition(before, blocked(binding, lastCopies), rfc3339(clock.now()))
        : before.filter(({ type }) => type !== EVICTION_BLOCKED.type);
    if (jsonEqual(before, conditions)) return;
    const body = { metadata: { resourceVersion: binding.metadata.resourceVersion }, status: { conditions } };
    const patch = { type: 'merge', body } as const;
    await client.patch(resourceOf(binding), binding.metadata, patch, { subresource: 'status' });
  }

  return {
    name: 'graceful-eviction',
    concurrency: 8,
    watches: [
      { gvr: RESOURCE_BINDING, wakes: wokenByBinding },
      { gvr: CLUSTER_RESOURCE_BINDING, wakes: wokenByBinding },
      {
        gvr: CLUSTER,
        wakes(object, old) {
          const same = jsonEqual((object as Cluster).spec.taints, (old as Cluster | undefined)?.spec.taints);
          return same ? [] : bindings.leaving(object.metadata.name).map(keyOf);
        },
      },
    ],
    reconcile,
  };
}

function wokenByBinding(object: KubeObject, old: KubeObject | undefined, change: string): readonly string[] {
  if (change === 'deleted') return [];
  const hasTasks = [object, old].some((each) => (each as AnyBinding | undefined)?.spec.gracefulEvictionTasks?.length);
  return hasTasks ? [keyOf(object)] : [];
}

function blocked(binding: AnyBinding, lastCopies: readonly string[]) {
  const scheduled = findCondition(binding.status?.conditions, SCHEDULED.type);
  const why = scheduled?.status === 'False' && scheduled.message ? `: ${scheduled.message}` : '';
  const message = `the last copy stays in ${lastCopies.join(', ')}, for no other cluster fits${why}`;
  return { type: EVICTION_BLOCKED.type, status: 'True', reason: EVICTION_BLOCKED.lastCopy, message } as const;
}

function tell(events: EventRecorder, binding: AnyBinding, { evicted, lastCopies, returned }: Assessment): void {
  const known = findCondition(binding.status?.conditions, EVICTION_BLOCKED.type);
  for (const about of subjectsOf(binding)) {
    for (const cluster of evicted) {
      events.normal(about, EVENT_REASONS.evictWorkloadFromClusterSucceed, `Evict from cluster ${cluster} succeed.`);
    }
    for (const { name } of returned) {
      const message = `Eviction from cluster ${name} was withdrawn: its cause is over and no other cluster fitted.`;
      events.normal(about, FAILOVER_EVENT_REASONS.evictionWithdrawn, message);
    }
    if (lastCopies.length === 0) continue;
    const { message } = blocked(binding, lastCopies);
    if (known?.message !== message) {
      events.warning(about, FAILOVER_EVENT_REASONS.lastCopyKept, `Eviction is blocked: ${message}.`);
    }
  }
}
