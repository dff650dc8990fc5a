/**
 * Schedules bindings: looks at what changed, asks the scheduler, and writes its answer.
 *
 * A binding is looked at when its spec changes and when a cluster that it could run on changes; whether it is then
 * scheduled at all is `needsScheduling`'s to say. The answer goes into `spec.clusters` first and into the status after,
 * both guarded by the version that was looked at; nothing is written when the answer is the old one. Every decision's
 * explanation is handed to the decision store before anything is written.
 */
import { type Clock, rfc3339 } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import {
  ANNOTATIONS,
  type AnyBinding,
  type BindingStatus,
  type Cluster,
  CLUSTER,
  CLUSTER_RESOURCE_BINDING,
  type ClusterAffinity,
  DEFAULT_SCHEDULER,
  EVENT_REASONS,
  RESOURCE_BINDING,
  SCHEDULED,
  type TargetCluster,
} from '#karmada/apis/index.ts';
import type { EventRecorder } from '#karmada/events/index.ts';
import { clusterMatches } from '#karmada/selector/index.ts';
import { type Hop, type Tracer, untraced } from '#karmada/trace/tracer.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { setCondition } from '#kube/meta/condition.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile, retryIn } from '#kube/runtime/index.ts';
import { targetClustersText } from './binding-spec.ts';
import type { Decision, Outcome as Verdict, SchedulerOptions } from './decision.ts';
import type { Estimator } from './estimator.ts';
import type { Explanation } from './explanation.ts';
import { isScheduled, needsScheduling } from './needs-scheduling.ts';
import { schedule } from './schedule.ts';

/** Where explanations go. */
export interface DecisionSink {
  record(explanation: Explanation): void;
  forget(binding: string): void;
}

export interface SchedulerDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly events: EventRecorder;
  readonly decisions: DecisionSink;
  readonly clock: Clock;
  readonly schedulerName?: string;
  readonly estimators?: readonly Estimator[];
  readonly options?: SchedulerOptions;
  readonly trace?: Tracer;
}

const CONCURRENCY = 32;
/** Bindings without room are tried again at the latest after this. */
const UNSCHEDULABLE_RETRY_MS = 300_000;
const ERROR_RETRY_MS = { min: 1_000, max: 10_000 };

export function schedulerController(deps: SchedulerDeps): Controller {
  const { client, informers, events, decisions, clock, schedulerName = DEFAULT_SCHEDULER, trace = untraced } = deps;
  const bindings = informers<AnyBinding>(RESOURCE_BINDING);
  const clusterBindings = informers<AnyBinding>(CLUSTER_RESOURCE_BINDING);
  const clusters = informers<Cluster>(CLUSTER);
  /** Looked at although their spec was seen already: a cluster changed, or we have just begun. */
  const forced = new Set<string>();
  /** Bindings that found no place: tried again when a cluster has other room or other APIs than before. */
  const stranded = new Set<string>();
  const failures = new Map<string, number>();

  const find = (key: string) => (key.includes('/') ? bindings : clusterBindings).get(key);

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const force = forced.delete(key);
    const binding = find(key);
    if (!binding) {
      decisions.forget(key);
      stranded.delete(key);
      failures.delete(key);
      return done;
    }
    if (!isScheduled(binding, schedulerName).yes) return done;
    const { generation = 0 } = binding.metadata;
    // Our own answer of a moment ago comes back as a change: it has been dealt with.
    if (!force && binding.status?.schedulerObservedGeneration === generation) return done;
    const need = needsScheduling(binding, clusters.list());
    if (!need.yes) {
      await writeStatus(binding, { ...binding.status, schedulerObservedGeneration: generation });
      traceDecision(binding, { detail: `kept: ${need.because}`, targets: binding.spec.clusters ?? [] });
      return done;
    }
    try {
      return await decide(binding, need.because);
    } catch (error) {
      if (force) forced.add(key);
      throw error;
    }
  }

  async function decide(binding: AnyBinding, because: string): Promise<Outcome> {
    const decision = schedule({
      binding,
      clusters: clusters.list(),
      now: clock.now(),
      because,
      ...(deps.estimators ? { estimators: deps.estimators } : {}),
      ...(deps.options ? { options: deps.options } : {}),
    });
    decisions.record(decision.explanation);
    const placed = await writeClusters(binding, decision);
    const changed = await writeVerdict(placed, decision);
    if (changed || placed !== binding) {
      const { outcome, clusters: targets = [] } = decision;
      const scheduled = outcome.type === 'scheduled';
      traceDecision(binding, scheduled ? { detail: targetClustersText(targets), targets } : { error: outcome.message });
      tell(binding, decision);
    }
    return next(keyOf(binding), decision.outcome);
  }

  function traceDecision({ spec }: AnyBinding, said: Pick<Hop, 'detail' | 'targets' | 'error'>): void {
    const { resourceVersion: _seen, ...template } = spec.resource;
    trace.hop({ step: 'scheduled', template, ...said });
  }

  /** The binding as it is after the write; the very same when there was nothing to write. */
  async function writeClusters(
    binding: AnyBinding,
    { clusters: answer, appliedPlacement }: Decision,
  ): Promise<AnyBinding> {
    if (answer === undefined) return binding;
    const isApplied = binding.metadata.annotations?.[ANNOTATIONS.appliedPlacement] === appliedPlacement;
    if (isApplied && jsonEqual(binding.spec.clusters ?? [], answer)) return binding;
    const body = {
      metadata: {
        resourceVersion: binding.metadata.resourceVersion,
        annotations: { [ANNOTATIONS.appliedPlacement]: appliedPlacement },
      },
      spec: { clusters: answer.length === 0 ? null : answer },
    };
    return client.patch<AnyBinding>(resourceOf(binding), binding.metadata, { type: 'merge', body }, OURS);
  }

  /** Whether the status had to change. */
  async function writeVerdict(binding: AnyBinding, { outcome, affinityName }: Decision): Promise<boolean> {
    const before = binding.status ?? {};
    const now = rfc3339(clock.now());
    const conditions = setCondition(before.conditions, conditionOf(outcome), now);
    const scheduled = outcome.type === 'scheduled';
    const status: BindingStatus = {
      ...before,
      conditions,
      ...(scheduled && affinityName !== undefined ? { schedulerObservingAffinityName: affinityName } : {}),
      ...(scheduled ? { schedulerObservedGeneration: binding.metadata.generation ?? 0 } : {}),
    };
    if (jsonEqual(before, status)) return false;
    await writeStatus(binding, scheduled ? { ...status, lastScheduledTime: now } : status);
    return true;
  }

  async function writeStatus(binding: AnyBinding, status: BindingStatus): Promise<void> {
    if (jsonEqual(binding.status ?? {}, status)) return;
    const body = { metadata: { resourceVersion: binding.metadata.resourceVersion }, status };
    await client.patch(
      resourceOf(binding),
      binding.metadata,
      { type: 'merge', body },
      { ...OURS, subresource: 'status' },
    );
  }

  function tell(binding: AnyBinding, { outcome, clusters: answer = [] }: Decision): void {
    const { resourceVersion: _seen, ...template } = binding.spec.resource;
    for (const about of [binding, template]) {
      if (outcome.type === 'scheduled') {
        events.normal(about, EVENT_REASONS.scheduleBindingSucceed, successText(binding, answer));
      } else {
        events.warning(about, EVENT_REASONS.scheduleBindingFailed, outcome.message);
      }
    }
  }

  function next(key: string, outcome: Verdict): Outcome {
    stranded.delete(key);
    if (outcome.type === 'error') {
      const before = failures.get(key) ?? 0;
      failures.set(key, before + 1);
      return retryIn(Math.min(ERROR_RETRY_MS.max, ERROR_RETRY_MS.min * 2 ** before), outcome.message);
    }
    failures.delete(key);
    if (outcome.type === 'scheduled') return done;
    stranded.add(key);
    return outcome.type === 'noClusterFit' ? done : retryIn(UNSCHEDULABLE_RETRY_MS, outcome.message);
  }

  function wokenByBinding(object: KubeObject, old: KubeObject | undefined, change: string): readonly string[] {
    const key = keyOf(object);
    if (change === 'deleted') return [key];
    if (!isScheduled(object as AnyBinding, schedulerName).yes) return [];
    if (!old) forced.add(key);
    const isNew = !old || !isScheduled(old as AnyBinding, schedulerName).yes;
    return isNew || object.metadata.generation !== old.metadata.generation ? [key] : [];
  }

  function* wokenByCluster(cluster: Cluster, old: Cluster | undefined): Iterable<string> {
    if (!old) return;
    if (hasOtherMeans(cluster, old)) yield* wakeStranded();
    const leaves = cluster.metadata.deletionTimestamp !== old.metadata.deletionTimestamp;
    const moved =
      cluster.metadata.generation !== old.metadata.generation ||
      !jsonEqual(cluster.metadata.labels, old.metadata.labels);
    if (!leaves && !moved) return;
    for (const binding of [...bindings.list(), ...clusterBindings.list()]) {
      if (!isScheduled(binding, schedulerName).yes || !isAffected(binding, [cluster, old])) continue;
      forced.add(keyOf(binding));
      yield keyOf(binding);
    }
  }

  function wakeStranded(): readonly string[] {
    for (const key of stranded) forced.add(key);
    return [...stranded];
  }

  return {
    name: 'scheduler',
    concurrency: CONCURRENCY,
    priorityOf: (key) => find(key)?.spec.schedulePriority?.priority ?? 0,
    watches: [
      { gvr: RESOURCE_BINDING, wakes: wokenByBinding },
      { gvr: CLUSTER_RESOURCE_BINDING, wakes: wokenByBinding },
      {
        gvr: CLUSTER,
        wakes: (cluster, old, change) =>
          change === 'modified' ? wokenByCluster(cluster as Cluster, old as Cluster | undefined) : [],
      },
    ],
    reconcile,
  };
}

/** The name under which Karmada's scheduler is known as a writer of fields. */
const OURS = { fieldManager: 'karmada-scheduler' } as const;

function resourceOf({ kind }: AnyBinding) {
  return kind === 'ResourceBinding' ? RESOURCE_BINDING : CLUSTER_RESOURCE_BINDING;
}

/** Whether a cluster, before or after its change, is one the binding may run on by the affinity now in use. */
export function isAffected(binding: AnyBinding, states: readonly Cluster[]): boolean {
  const { placement } = binding.spec;
  const groups = placement?.clusterAffinities;
  if (groups && binding.status?.schedulerObservedGeneration !== binding.metadata.generation) return true;
  const inUse = binding.status?.schedulerObservingAffinityName;
  const affinity: ClusterAffinity | undefined = groups
    ? (groups.find(({ affinityName }) => affinityName === inUse) ?? groups[0])
    : placement?.clusterAffinity;
  return !affinity || states.some((cluster) => clusterMatches(cluster, affinity));
}

function hasOtherMeans({ status }: Cluster, { status: before }: Cluster): boolean {
  return (
    !jsonEqual(status?.resourceSummary, before?.resourceSummary) ||
    !jsonEqual(status?.apiEnablements, before?.apiEnablements)
  );
}

function conditionOf({ type, message }: Verdict) {
  const reasons = {
    scheduled: SCHEDULED.success,
    noClusterFit: SCHEDULED.noClusterFit,
    unschedulable: SCHEDULED.unschedulable,
    error: SCHEDULED.schedulerError,
  } as const;
  const status = type === 'scheduled' ? 'True' : 'False';
  return { type: SCHEDULED.type, status, reason: reasons[type], message } as const;
}

/** Upstream forgets the colon when the binding is cluster-scoped. */
function successText({ kind }: AnyBinding, answer: readonly TargetCluster[]): string {
  const colon = kind === 'ResourceBinding' ? ':' : '';
  return `${SCHEDULED.successMessage} Result${colon} ${targetClustersText(answer)}`;
}
