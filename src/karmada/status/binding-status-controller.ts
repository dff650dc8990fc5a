/**
 * Status on its way up: from Works into their binding, and from the binding into the template.
 *
 * Woken by every change of a Work's status, and when a binding takes up a new state of its template. What is already
 * there is not written again; a status that somebody else wrote meanwhile is read and merged anew.
 */
import { type Clock, rfc3339 } from '#base/clock.ts';
import type { Gate } from '#base/gate.ts';
import { jsonEqual } from '#base/json.ts';
import { hasReason } from '#base/status-error.ts';
import {
  type AggregatedStatusItem,
  type AnyBinding,
  APPLIED,
  CLUSTER_RESOURCE_BINDING,
  EVENT_REASONS,
  RESOURCE_BINDING,
  type Work,
  WORK,
} from '#karmada/apis/index.ts';
import { bindingKeyOf, worksOfBindings } from '#karmada/binding/work-index.ts';
import type { Templates } from '#karmada/detector/templates.ts';
import type { EventRecorder } from '#karmada/events/index.ts';
import type { ResourceInterpreter } from '#karmada/interpreter/index.ts';
import { type Tracer, untraced } from '#karmada/trace/tracer.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { findCondition, setCondition } from '#kube/meta/condition.ts';
import { gvkOf } from '#kube/meta/gvk.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile, retryIn } from '#kube/runtime/index.ts';
import { aggregateWorks, fullyApplied, reportedStatus } from './aggregate-status.ts';

export interface BindingStatusDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly templates: Templates;
  readonly interpreter: ResourceInterpreter;
  readonly events: EventRecorder;
  readonly clock: Clock;
  /** What every status goes through on its way up. */
  readonly reporting: Gate;
  readonly trace?: Tracer;
}

const CONCURRENCY = 32;
const ATTEMPTS = 5;
const PATIENCE_MS = 250;

export function bindingStatusController(deps: BindingStatusDeps): Controller {
  const { client, informers, templates, interpreter, events, clock, reporting, trace = untraced } = deps;
  const bindings = informers<AnyBinding>(RESOURCE_BINDING);
  const clusterBindings = informers<AnyBinding>(CLUSTER_RESOURCE_BINDING);
  const worksOf = worksOfBindings(informers<Work>(WORK));
  const waiting = new Map<string, number>();
  const find = (key: string) => (key.includes('/') ? bindings.get(key) : clusterBindings.get(key));

  /** Looks only when its turn has come: what was seen before would be old by then. */
  function reconcile({ key }: Reconcile): Promise<Outcome> {
    return reporting(() => aggregateFor(key));
  }

  async function aggregateFor(key: string): Promise<Outcome> {
    const binding = find(key);
    if (!binding || binding.metadata.deletionTimestamp) {
      waiting.delete(key);
      return done;
    }
    const works = worksOf(binding);
    const patience = works.every(hasReported) ? 0 : patienceLeft(key);
    if (patience > 0) return retryIn(patience, 'other clusters are about to report');
    waiting.delete(key);
    const items = aggregateWorks(works, binding.spec.resource);
    // Together: neither needs the other, and both are on disk at once.
    const [changed] = await Promise.all([writeBinding(binding, items), writeTemplate(binding, items)]);
    if (changed) {
      const message = `Update ${textOf(binding)} with AggregatedStatus successfully.`;
      events.normal(binding, EVENT_REASONS.aggregateStatusSucceed, message);
      const { resourceVersion: _seen, ...template } = binding.spec.resource;
      trace.hop({ step: 'aggregated', template, detail: healthText(items) });
    }
    return done;
  }

  /** Clusters usually report their first time within moments of each other: one write then says it all. */
  function patienceLeft(key: string): number {
    const now = clock.now();
    const since = waiting.get(key) ?? now;
    waiting.set(key, since);
    return since + PATIENCE_MS - now;
  }

  /** Whether anything had to be written. */
  async function writeBinding(seen: AnyBinding, items: readonly AggregatedStatusItem[]): Promise<boolean> {
    let binding = seen;
    for (let attempt = 1; ; attempt++) {
      const condition = fullyApplied(binding.spec, items);
      const conditions = setCondition(binding.status?.conditions, condition, rfc3339(clock.now()));
      const status = reportedStatus(binding.status, items, conditions);
      if (jsonEqual(binding.status, status)) return false;
      try {
        const next = { ...binding, status };
        await client.update(resourceOf(next), next, { subresource: 'status' });
        return true;
      } catch (error) {
        if (hasReason(error, 'NotFound')) return false;
        if (attempt === ATTEMPTS || !hasReason(error, 'Conflict')) throw error;
        binding = await client.get<AnyBinding>(resourceOf(seen), seen.metadata);
      }
    }
  }

  async function writeTemplate({ spec }: AnyBinding, items: readonly AggregatedStatusItem[]): Promise<void> {
    const { resource } = spec;
    const served = templates.resource(resource);
    if (!served || !interpreter.handles(gvkOf(resource), 'AggregateStatus')) return;
    let template = templates.cached(resource);
    for (let attempt = 1; template; attempt++) {
      const aggregated = await aggregate(template, items);
      if (jsonEqual(aggregated['status'], template['status'])) return;
      try {
        await client.update(served, aggregated, { subresource: 'status' });
        const message = 'Update Resource with AggregatedStatus successfully.';
        events.normal(template, EVENT_REASONS.aggregateStatusSucceed, message);
        return;
      } catch (error) {
        if (hasReason(error, 'NotFound')) return;
        if (attempt === ATTEMPTS || !hasReason(error, 'Conflict')) throw error;
        const { namespace, name } = template.metadata;
        template = await client.get(served, namespace === undefined ? { name } : { namespace, name });
      }
    }
  }

  async function aggregate(template: KubeObject, items: readonly AggregatedStatusItem[]): Promise<KubeObject> {
    try {
      return await interpreter.aggregateStatus(template, items);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      events.warning(template, EVENT_REASONS.aggregateStatusFailed, why);
      throw error;
    }
  }

  return {
    name: 'binding-status',
    concurrency: CONCURRENCY,
    watches: [
      { gvr: RESOURCE_BINDING, wakes: wokenByBinding },
      { gvr: CLUSTER_RESOURCE_BINDING, wakes: wokenByBinding },
      { gvr: WORK, wakes: (object, old, change) => wokenByWork(object as Work, old as Work | undefined, change) },
    ],
    source: () => templates.synced,
    reconcile,
  };
}

function wokenByWork(work: Work, old: Work | undefined, change: string): readonly string[] {
  const key = bindingKeyOf(work);
  if (key === undefined || (change === 'added' && !work.status)) return [];
  return change !== 'modified' || !jsonEqual(work.status, old?.status) || isLeaving(work) !== isLeaving(old)
    ? [key]
    : [];
}

/** Whether its cluster has said anything yet; one that is suspended never will. */
function hasReported({ spec, status }: Work): boolean {
  return !!spec.suspendDispatching || findCondition(status?.conditions, APPLIED.type) !== undefined;
}

function isLeaving(work: Work | undefined): boolean {
  return work?.metadata.deletionTimestamp !== undefined;
}

/** Once it has been scheduled, whenever it refers to another state of its template or to other clusters. */
function wokenByBinding(object: KubeObject, old: KubeObject | undefined, change: string): readonly string[] {
  const [now, before] = [object as AnyBinding, old as AnyBinding | undefined];
  if (change === 'deleted' || now.status?.lastScheduledTime === undefined) return [];
  if (!before) return [keyOf(now)];
  const moved =
    before.spec.resource.resourceVersion !== now.spec.resource.resourceVersion ||
    !jsonEqual(before.spec.clusters, now.spec.clusters);
  return moved ? [keyOf(now)] : [];
}

function healthText(items: readonly AggregatedStatusItem[]): string {
  const healthy = items.filter(({ health }) => health === 'Healthy').length;
  return `${healthy} of ${items.length} clusters healthy`;
}

function resourceOf({ kind }: AnyBinding) {
  return kind === 'ResourceBinding' ? RESOURCE_BINDING : CLUSTER_RESOURCE_BINDING;
}

function textOf({ kind, metadata }: AnyBinding): string {
  return kind === 'ResourceBinding'
    ? `ResourceBinding(${metadata.namespace}/${metadata.name})`
    : `ClusterResourceBinding(${metadata.name})`;
}
