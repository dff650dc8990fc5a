/**
 * Scales workloads by what their pods do in all members together (`desired-replicas.ts`).
 *
 * Every FederatedHPA is looked at in its turn (every 15 s), when it changes, and when its workload gets other clusters.
 * The template's scale is written; how the replicas are spread is the scheduler's. What an autoscaler recommended and
 * did before is remembered here only: after a restart it begins with what it finds.
 */
import { type Clock, rfc3339 } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import {
  type Cluster,
  CLUSTER,
  FEDERATED_HPA,
  type FederatedHpa,
  RESOURCE_BINDING,
  type ResourceBinding,
} from '#karmada/apis/index.ts';
import type { Members } from '#karmada/cluster/index.ts';
import type { Templates } from '#karmada/detector/index.ts';
import type { EventRecorder } from '#karmada/events/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { type NewCondition, setCondition } from '#kube/meta/condition.ts';
import { type LabelSelector, parseLabelSelector } from '#kube/meta/label-selector.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile, retryIn } from '#kube/runtime/index.ts';
import { desiredReplicas, type ScalingDecision, type ScalingOptions } from './desired-replicas.ts';
import { memberMetrics } from './member-metrics.ts';
import { type ScaleTarget, type ScaleTargetProblem, scaleTarget } from './scale-target.ts';
import { NO_HISTORY, type ScalingHistory, withScale } from './scaling-limits.ts';

export interface AutoscalingOptions extends ScalingOptions {
  /** `--horizontal-pod-autoscaler-sync-period`. Default: 15 s. */
  readonly syncPeriodMs?: number;
  /** Of cron rules that do not name one. Default: the process's own. */
  readonly timeZone?: string;
}

export interface FederatedHpaDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly templates: Pick<Templates, 'find' | 'resource' | 'synced'>;
  readonly members: Pick<Members, 'connect'>;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly log: Log;
  readonly options?: AutoscalingOptions;
}

type Status = NonNullable<FederatedHpa['status']>;

const SYNC_PERIOD_MS = 15_000;
const TARGET = 'scale-target';

export function federatedHpaController(deps: FederatedHpaDeps): Controller {
  const { client, informers, events, clock, options = {} } = deps;
  const autoscalers = informers<FederatedHpa>(FEDERATED_HPA);
  const bindings = informers<ResourceBinding>(RESOURCE_BINDING);
  const clusters = informers<Cluster>(CLUSTER);
  autoscalers.index(TARGET, ({ metadata, spec }) => [
    `${metadata.namespace}/${spec.scaleTargetRef.kind}/${spec.scaleTargetRef.name}`,
  ]);
  const histories = new Map<string, ScalingHistory>();
  /** Which pods each autoscaler means, to notice when two mean the same. */
  const selectors = new Map<string, LabelSelector>();
  const lookup = {
    ...deps,
    binding: (key: string) => bindings.get(key),
    cluster: (name: string) => clusters.get(name),
  };
  const again = retryIn(options.syncPeriodMs ?? SYNC_PERIOD_MS, 'the next look at the metrics');

  async function reconcile({ key, signal }: Reconcile): Promise<Outcome> {
    const hpa = autoscalers.get(key);
    if (!hpa || hpa.metadata.deletionTimestamp) {
      histories.delete(key);
      selectors.delete(key);
      return done;
    }
    const target = await scaleTarget(lookup, hpa, signal);
    if ('problem' in target) await reportProblem(hpa, target);
    else await scale(hpa, target, signal);
    return again;
  }

  async function scale(hpa: FederatedHpa, target: ScaleTarget, signal: AbortSignal): Promise<void> {
    const key = keyOf(hpa);
    const { namespace = '' } = hpa.metadata;
    const { members, selector, pods, replicas: current } = target;
    const problem = selectorProblem(hpa, target);
    if (problem) return report(hpa, { ...before(hpa), currentReplicas: current }, [problem]);
    const read = memberMetrics({ members, namespace, selector, signal });
    const decision = desiredReplicas({
      namespace,
      spec: hpa.spec,
      current,
      members: target,
      pods,
      readings: await Promise.all((hpa.spec.metrics ?? []).map(read)),
      history: histories.get(key) ?? NO_HISTORY,
      now: clock.now(),
      options,
    });
    histories.set(key, decision.history);
    for (const { reason, message } of decision.failures) events.warning(hpa, reason, message);
    if (decision.undecided && decision.error) events.warning(hpa, 'FailedComputeMetricsReplicas', decision.error);
    if (decision.desired === current) return reportDecision(hpa, decision, current);
    await rescale(hpa, target, decision);
  }

  async function rescale(hpa: FederatedHpa, target: ScaleTarget, decision: ScalingDecision): Promise<void> {
    const { desired, reason = '' } = decision;
    const { namespace = '' } = hpa.metadata;
    const { name } = hpa.spec.scaleTargetRef;
    try {
      const patch = { type: 'merge', body: { spec: { replicas: desired } } } as const;
      await client.patch(target.resource, { namespace, name }, patch, { subresource: 'scale' });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      events.warning(hpa, 'FailedRescale', `New size: ${desired}; reason: ${reason}; error: ${why}`);
      const message = `the HPA controller was unable to update the target scale: ${why}`;
      const status = { ...before(hpa), currentReplicas: target.replicas };
      await report(hpa, status, [able('False', 'FailedUpdateScale', message)]);
      throw error;
    }
    events.normal(hpa, 'SuccessfulRescale', `New size: ${desired}; reason: ${reason}`);
    const key = keyOf(hpa);
    histories.set(key, withScale(decision.history, target.replicas, desired, hpa.spec, clock.now()));
    const message = `the HPA controller was able to update the target scale to ${desired}`;
    const conditions = [...decision.conditions, able('True', 'SucceededRescale', message)];
    await reportDecision(hpa, { ...decision, conditions }, target.replicas, rfc3339(clock.now()));
  }

  function reportDecision(
    hpa: FederatedHpa,
    { currentMetrics, desired, undecided, conditions }: ScalingDecision,
    currentReplicas: number,
    lastScaleTime = hpa.status?.lastScaleTime,
  ): Promise<void> {
    const metrics = currentMetrics ? { currentMetrics } : {};
    const status: Status = {
      ...(undecided ? before(hpa) : { desiredReplicas: desired, ...metrics }),
      currentReplicas,
      ...(lastScaleTime === undefined ? {} : { lastScaleTime }),
    };
    return report(hpa, status, conditions);
  }

  function reportProblem(hpa: FederatedHpa, { problem }: ScaleTargetProblem): Promise<void> {
    const { event, reason, message } = problem;
    events.warning(hpa, event, message);
    return report(hpa, before(hpa), [able('False', reason, `${PROBLEMS[reason] ?? UNABLE}: ${message}`)]);
  }

  async function report(hpa: FederatedHpa, next: Status, news: readonly NewCondition[]): Promise<void> {
    const now = rfc3339(clock.now());
    let conditions = hpa.status?.conditions ?? [];
    for (const condition of news) conditions = setCondition(conditions, condition, now);
    const { generation: observedGeneration = 0 } = hpa.metadata;
    const status: Status = { ...next, observedGeneration, conditions };
    if (jsonEqual(hpa.status, status)) return;
    const dropped = hpa.status?.currentMetrics && !status.currentMetrics ? { currentMetrics: null } : {};
    const patch = { type: 'merge', body: { status: { ...status, ...dropped } } } as const;
    await client.patch(FEDERATED_HPA, hpa.metadata, patch, { subresource: 'status' });
  }

  function selectorProblem(hpa: FederatedHpa, { selector, pods }: ScaleTarget): NewCondition | undefined {
    const key = keyOf(hpa);
    if (selector === '') {
      events.warning(hpa, 'SelectorRequired', 'selector is required');
      return inactive('InvalidSelector', "the HPA target's scale is missing a selector");
    }
    selectors.set(key, parseLabelSelector(selector));
    const { namespace } = hpa.metadata;
    const meant = [...selectors].filter(
      ([other, each]) => other.startsWith(`${namespace}/`) && pods.some(({ labels }) => each.matches(labels)),
    );
    if (meant.length < 2) return undefined;
    const others = meant.map(([other]) => other).join(' ');
    const message = `pods by selector ${selector} are controlled by multiple HPAs: [${others}]`;
    events.warning(hpa, 'AmbiguousSelector', message);
    return inactive('AmbiguousSelector', message);
  }

  function wokenByBinding(object: KubeObject, old: KubeObject | undefined): readonly string[] {
    const now = object as ResourceBinding;
    if (old && jsonEqual(now.spec.clusters, (old as ResourceBinding).spec.clusters)) return [];
    const { namespace, kind, name } = now.spec.resource;
    return autoscalers.byIndex(TARGET, `${namespace}/${kind}/${name}`).map(keyOf);
  }

  return {
    name: 'federated-hpa',
    concurrency: 16,
    watches: [
      { gvr: FEDERATED_HPA, wakes: wokenByAutoscaler },
      { gvr: RESOURCE_BINDING, wakes: wokenByBinding },
      { gvr: CLUSTER, wakes: () => [] },
    ],
    source: () => deps.templates.synced,
    reconcile,
  };
}

function wokenByAutoscaler(object: KubeObject, old: KubeObject | undefined, change: string): readonly string[] {
  const same = change === 'modified' && object.metadata.generation === old?.metadata.generation;
  return same ? [] : [keyOf(object)];
}

/** What was said last, for when there is nothing new to say. */
function before({ status }: FederatedHpa): Status {
  return { desiredReplicas: 0, ...status };
}

const UNABLE = "the HPA controller was unable to get the target's current scale";
const PROBLEMS: Readonly<Record<string, string>> = {
  FailedGetScaleTargetRef: 'the HPA controller was unable to get the target reference object',
  FailedGetBinding: 'the HPA controller was unable to get the binding by scaleTargetRef',
  FailedGetTargetClusters: 'the HPA controller was unable to get the target clusters from binding',
};

function able(status: 'True' | 'False', reason: string, message: string): NewCondition {
  return { type: 'AbleToScale', status, reason, message };
}

function inactive(reason: string, message: string): NewCondition {
  return { type: 'ScalingActive', status: 'False', reason, message };
}
