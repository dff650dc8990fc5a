/**
 * Scales by the clock: runs the rules of CronFederatedHPAs when they are due (`cron-rules.ts`).
 *
 * A rule sets the replicas of a workload, or the bounds of a FederatedHPA. Whatever comes of it is in the history of the
 * rule; a failure is not tried again before the rule is due again.
 */
import type { Clock } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import { StatusError } from '#base/status-error.ts';
import type { Scale } from '#gen/kube/types.ts';
import {
  AUTOSCALING_GROUP,
  CRON_FEDERATED_HPA,
  type CronFederatedHpa,
  type CronRule,
  FEDERATED_HPA,
  type FederatedHpa,
} from '#karmada/apis/index.ts';
import type { Templates } from '#karmada/detector/index.ts';
import type { EventRecorder } from '#karmada/events/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { parseApiVersion } from '#kube/meta/gvk.ts';
import { keyOf } from '#kube/meta/object.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile, retryIn } from '#kube/runtime/index.ts';
import {
  advanced,
  type CronPlan,
  dueRules,
  type Execution,
  executionHistories,
  NO_PLAN,
  planned,
  untilNext,
} from './cron-rules.ts';

export interface CronFederatedHpaDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly templates: Pick<Templates, 'resource' | 'synced'>;
  readonly events: EventRecorder;
  readonly clock: Clock;
  /** For rules that do not name one. Default: the process's own. */
  readonly timeZone?: string;
}

export function cronFederatedHpaController(deps: CronFederatedHpaDeps): Controller {
  const { client, informers, templates, events, clock } = deps;
  const { timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone } = deps;
  const autoscalers = informers<CronFederatedHpa>(CRON_FEDERATED_HPA);
  const plans = new Map<string, CronPlan>();

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const cron = autoscalers.get(key);
    if (!cron || cron.metadata.deletionTimestamp) {
      plans.delete(key);
      return done;
    }
    const plan = planned(cron.spec.rules, plans.get(key) ?? NO_PLAN, clock.now(), timeZone);
    const due = dueRules(plan, clock.now());
    const next = advanced(plan, clock.now(), timeZone);
    // Before anything is done: what fails must not be done twice.
    plans.set(key, next);
    const executions: Execution[] = [];
    for (const { rule, at } of due) executions.push({ rule, at, ranAt: clock.now(), ...(await execute(cron, rule)) });
    await report(cron, next, executions);
    const wait = untilNext(next, clock.now());
    return wait === undefined ? done : retryIn(wait, 'the next rule is due');
  }

  async function execute(cron: CronFederatedHpa, rule: CronRule): Promise<Pick<Execution, 'failure'>> {
    try {
      await scale(cron, rule);
      return {};
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      events.warning(cron, 'ScaleFailed', failure);
      return { failure };
    }
  }

  async function scale(cron: CronFederatedHpa, rule: CronRule): Promise<void> {
    const { apiVersion = 'v1', kind, name } = cron.spec.scaleTargetRef;
    const { namespace = '' } = cron.metadata;
    const key = { namespace, name };
    if (parseApiVersion(apiVersion).group !== AUTOSCALING_GROUP) return scaleWorkload({ apiVersion, kind }, key, rule);
    if (kind === FEDERATED_HPA.kind) return scaleAutoscaler(key, rule);
    const message = `CronFederatedHPA(${keyOf(cron)}) do not support scale target ${apiVersion}/${kind}`;
    throw new StatusError('BadRequest', message);
  }

  async function scaleAutoscaler(
    key: { readonly namespace: string; readonly name: string },
    { targetMinReplicas: minReplicas, targetMaxReplicas: maxReplicas }: CronRule,
  ): Promise<void> {
    const { spec } = await client.get<FederatedHpa>(FEDERATED_HPA, key);
    const wanted = {
      ...(minReplicas === undefined ? {} : { minReplicas }),
      ...(maxReplicas === undefined ? {} : { maxReplicas }),
    };
    if (jsonEqual(spec, { ...spec, ...wanted })) return;
    await client.patch(FEDERATED_HPA, key, { type: 'merge', body: { spec: wanted } });
  }

  async function scaleWorkload(
    kind: { readonly apiVersion: string; readonly kind: string },
    key: { readonly namespace: string; readonly name: string },
    { targetReplicas: replicas }: CronRule,
  ): Promise<void> {
    const resource = templates.resource(kind);
    if (!resource) {
      throw new StatusError('NotFound', `no matches for kind "${kind.kind}" in version "${kind.apiVersion}"`);
    }
    const { spec } = await client.get<Scale>(resource, key, { subresource: 'scale' });
    if (replicas === undefined || (spec?.replicas ?? 0) === replicas) return;
    const patch = { type: 'merge', body: { spec: { replicas } } } as const;
    await client.patch(resource, key, patch, { subresource: 'scale' });
  }

  async function report(cron: CronFederatedHpa, plan: CronPlan, executions: readonly Execution[]): Promise<void> {
    const histories = executionHistories(cron, plan, executions);
    if (jsonEqual(cron.status?.executionHistories ?? [], histories)) return;
    const patch = {
      type: 'merge',
      body: { status: { executionHistories: histories.length > 0 ? histories : null } },
    } as const;
    await client.patch(CRON_FEDERATED_HPA, cron.metadata, patch, { subresource: 'status' });
  }

  return {
    name: 'cron-federated-hpa',
    concurrency: 8,
    watches: [
      {
        gvr: CRON_FEDERATED_HPA,
        wakes: (object, old, change) =>
          change === 'modified' && old?.metadata.generation === object.metadata.generation ? [] : [keyOf(object)],
      },
    ],
    source: () => templates.synced,
    reconcile,
  };
}
