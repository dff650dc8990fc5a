/** Scales what HorizontalPodAutoscalers point at by what its pods are said to use. */
import type {
  AutoscalingV2HorizontalPodAutoscaler as Autoscaler,
  AutoscalingV2HorizontalPodAutoscalerStatus as AutoscalerStatus,
  MetricStatus,
  Scale,
} from '#gen/kube/types.ts';
import { type Clock, rfc3339 } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { restMapper } from '#kube/client/rest-mapper.ts';
import { type Gvr, parseApiVersion } from '#kube/meta/gvk.ts';
import { parseLabelSelector } from '#kube/meta/label-selector.ts';
import { keyOf } from '#kube/meta/object.ts';
import { type Controller, done, type Outcome, type Reconcile, retryIn } from '#kube/runtime/controller.ts';
import type { EventRecorder } from '#kube/runtime/events.ts';
import type { ClusterView } from '../cluster-view.ts';
import type { PodMeter } from '../metrics/pod-meter.ts';
import { namespaceOf } from '../owners.ts';
import { milli } from '../pod-requests.ts';
import { AUTOSCALERS } from '../resources.ts';
import { messageOf } from '../workload/pod-control.ts';
import { ability, limitation, type Saying, withConditions } from './autoscaler-status.ts';
import { type History, limitedBy } from './behavior.ts';
import { recommend, type Recommendation } from './recommendation.ts';

const PERIOD_MS = 15_000;
/** Longer than any window an autoscaler may have. */
const REMEMBERED_MS = 3_600_000;

interface Target {
  readonly gvr: Gvr;
  readonly scale: Scale;
  readonly current: number;
}

export function autoscalerController({
  client,
  clock,
  view,
  events,
  meter,
}: {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly view: ClusterView;
  readonly events: EventRecorder;
  readonly meter: PodMeter;
}): Controller {
  const mapper = restMapper(client);
  /** What was recommended and done lately, by key; a restart forgets it, as that of Kubernetes does. */
  const histories = new Map<string, History & { readonly uid: string }>();
  const lookedAt = new Map<string, number>();

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const autoscaler = view.autoscalers.get(key);
    if (!autoscaler) {
      lookedAt.delete(key);
      histories.delete(key);
      return done;
    }
    const left = (lookedAt.get(key) ?? 0) + PERIOD_MS - clock.now();
    if (left > 0 && autoscaler.status?.observedGeneration === autoscaler.metadata.generation)
      return retryIn(left, 'then it is measured again');
    lookedAt.set(key, clock.now());
    await follow(autoscaler);
    return retryIn(PERIOD_MS, 'then it is measured again');
  }

  async function follow(autoscaler: Autoscaler): Promise<void> {
    const target = await targetOf(autoscaler).catch((error: unknown) => messageOf(error));
    if (typeof target === 'string') {
      const message = `the HPA controller was unable to get the target's current scale: ${target}`;
      events.event(autoscaler, 'Warning', 'FailedGetScale', target);
      return report(autoscaler, {}, [{ type: 'AbleToScale', status: 'False', reason: 'FailedGetScale', message }]);
    }
    if (target.current === 0) {
      const message = 'scaling is disabled since the replica count of the target is zero';
      const off = { type: 'ScalingActive', status: 'False', reason: 'ScalingDisabled', message } as const;
      return report(autoscaler, { currentReplicas: 0, desiredReplicas: 0 }, [ABLE, off]);
    }
    await decide(autoscaler, target);
  }

  async function targetOf(autoscaler: Autoscaler): Promise<Target> {
    const { apiVersion = '', kind = '', name = '' } = autoscaler.spec?.scaleTargetRef ?? {};
    const { group } = parseApiVersion(apiVersion);
    const { version, resource } = await mapper.byKind({ group, kind });
    const gvr = { group, version, resource };
    const key = { namespace: namespaceOf(autoscaler), name };
    const scale = await client.get<Scale>(gvr, key, { subresource: 'scale' });
    return { gvr, scale, current: scale.spec?.replicas ?? 0 };
  }

  async function decide(autoscaler: Autoscaler, target: Target): Promise<void> {
    const { minReplicas: min = 1, maxReplicas: max = min, metrics = [], behavior } = autoscaler.spec ?? {};
    const { current } = target;
    const recommendations = current > max || current < min ? [] : recommendationsFor(autoscaler, target);
    const failed = recommendations.find((one) => 'problem' in one);
    const known = recommendations.filter((one) => 'replicas' in one);
    const wanted = known.toSorted((a, b) => b.replicas - a.replicas)[0];
    // Not knowing everything, it may grow but not shrink.
    if (failed && (!wanted || wanted.replicas <= current)) return complain(autoscaler, failed, current);
    const recommended = wanted?.replicas ?? Math.min(max, Math.max(min, current));
    const history = historyOf(autoscaler);
    const limited = limitedBy(behavior, { min, max }, current, recommended, history, clock.now());
    const change = limited.replicas - current;
    if (change !== 0)
      await rescale(autoscaler, target, limited.replicas, reasonOf(change, wanted?.name, current, min, max));
    remember(autoscaler, recommended, change);
    const message = `the HPA controller was able to update the target scale to ${limited.replicas}`;
    const done = { ...ABLE, reason: 'SucceededRescale', message };
    const valid = `the HPA was able to successfully calculate a replica count from ${wanted?.name ?? ''}`;
    const active = { type: 'ScalingActive', status: 'True', reason: 'ValidMetricFound', message: valid } as const;
    const sayings = [
      change === 0 ? ability(limited) : done,
      ...(metrics.length > 0 && wanted ? [active] : []),
      limitation(limited),
    ];
    await report(
      autoscaler,
      {
        currentReplicas: current,
        desiredReplicas: limited.replicas,
        ...(known.length > 0 ? { currentMetrics: known.map(({ status }): MetricStatus => status) } : {}),
        ...(change === 0 ? {} : { lastScaleTime: rfc3339(clock.now()) }),
      },
      sayings,
    );
  }

  function recommendationsFor(autoscaler: Autoscaler, { scale, current }: Target): readonly Recommendation[] {
    const selector = parseLabelSelector(scale.status?.selector ?? '');
    const pods = view.pods
      .inNamespace(namespaceOf(autoscaler))
      .filter(({ metadata }) => selector.matches(metadata.labels));
    const measured = pods.map((pod) => ({ pod, usage: meter.pod(pod) }));
    const { scaleUp, scaleDown } = autoscaler.spec?.behavior ?? {};
    const tolerances = {
      ...(scaleUp?.tolerance === undefined ? {} : { up: milli(scaleUp.tolerance) / 1000 }),
      ...(scaleDown?.tolerance === undefined ? {} : { down: milli(scaleDown.tolerance) / 1000 }),
    };
    return (autoscaler.spec?.metrics ?? []).map((metric) => recommend(metric, current, measured, tolerances));
  }

  async function rescale(autoscaler: Autoscaler, { gvr, scale }: Target, replicas: number, why: string): Promise<void> {
    await client.update<Scale>(gvr, { ...scale, spec: { ...scale.spec, replicas } }, { subresource: 'scale' });
    events.event(autoscaler, 'Normal', 'SuccessfulRescale', `New size: ${replicas}; reason: ${why}`);
  }

  async function complain(autoscaler: Autoscaler, failed: Recommendation, current: number): Promise<void> {
    if (!('problem' in failed)) return;
    events.event(autoscaler, 'Warning', failed.reason, failed.problem);
    const message = `the HPA was unable to compute the replica count: ${failed.problem}`;
    const sayings: Saying[] = [ABLE, { type: 'ScalingActive', status: 'False', reason: failed.reason, message }];
    await report(autoscaler, { currentReplicas: current, desiredReplicas: current }, sayings);
  }

  function historyOf(autoscaler: Autoscaler): History {
    const known = histories.get(keyOf(autoscaler));
    return known?.uid === autoscaler.metadata.uid ? (known ?? NOTHING) : NOTHING;
  }

  function remember(autoscaler: Autoscaler, replicas: number, change: number): void {
    const { recommended, rescaled } = historyOf(autoscaler);
    const at = clock.now();
    const isRecent = (one: { readonly at: number }) => one.at > at - REMEMBERED_MS;
    histories.set(keyOf(autoscaler), {
      uid: autoscaler.metadata.uid ?? '',
      recommended: [...recommended.filter(isRecent), { at, replicas }],
      rescaled: [...rescaled.filter(isRecent), ...(change === 0 ? [] : [{ at, change }])],
    });
  }

  async function report(
    autoscaler: Autoscaler,
    found: Partial<AutoscalerStatus>,
    sayings: readonly Saying[],
  ): Promise<void> {
    const { generation } = autoscaler.metadata;
    const status: AutoscalerStatus = {
      desiredReplicas: 0,
      ...autoscaler.status,
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      ...found,
      conditions: withConditions(autoscaler, sayings, rfc3339(clock.now())),
    };
    if (jsonEqual(status, autoscaler.status)) return;
    await client.update<Autoscaler>(AUTOSCALERS, { ...autoscaler, status }, { subresource: 'status' });
  }

  return { name: 'horizontal-pod-autoscaler', concurrency: 4, watches: [{ gvr: AUTOSCALERS }], reconcile };
}

const NOTHING: History = { recommended: [], rescaled: [] };

const ABLE = {
  type: 'AbleToScale',
  status: 'True',
  reason: 'SucceededGetScale',
  message: "the HPA controller was able to get the target's current scale",
} as const satisfies Saying;

function reasonOf(change: number, metric: string | undefined, current: number, min: number, max: number): string {
  if (current > max) return 'Current number of replicas above Spec.MaxReplicas';
  if (current < min) return 'Current number of replicas below Spec.MinReplicas';
  return change > 0 ? `${metric ?? ''} above target` : 'All metrics below target';
}
