/**
 * From bindings to Works: one for each cluster the scheduler chose (or a dependant runs on), none anywhere else.
 *
 * A binding is looked at when its spec changes, when an override policy that means its template changes, and when a Work
 * of it is gone or is where none should be. On its way out it takes its Works with it. A cluster whose Work cannot be
 * rendered or written does not keep the others from theirs.
 */
import { hasReason } from '#base/status-error.ts';
import {
  type AnyBinding,
  type AnyOverridePolicy,
  CLUSTER_OVERRIDE_POLICY,
  CLUSTER_RESOURCE_BINDING,
  EVENT_REASONS,
  FINALIZERS,
  OVERRIDE_POLICY,
  RESOURCE_BINDING,
  type TargetCluster,
  type Work,
  WORK,
} from '#karmada/apis/index.ts';
import type { Templates } from '#karmada/detector/templates.ts';
import type { EventRecorder } from '#karmada/events/index.ts';
import { clusterOfExecutionNamespace } from '#karmada/names/index.ts';
import { resourceMatches } from '#karmada/selector/index.ts';
import { tracedOf, type Tracer, untraced } from '#karmada/trace/tracer.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile } from '#kube/runtime/index.ts';
import { directlyPurgedClusters, existingClusters, targetClusters } from './binding-clusters.ts';
import { type RenderDeps, renderWork } from './render-work.ts';
import { bindingId, bindingIdLabel, bindingKeyOf, worksOfBindings } from './work-index.ts';
import { workWriter } from './work-writer.ts';

export interface BindingDeps extends RenderDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly templates: Templates;
  readonly events: EventRecorder;
  readonly overrideEvents: EventRecorder;
  readonly trace?: Tracer;
}

const CONCURRENCY = 32;

export function bindingController(deps: BindingDeps): Controller {
  const { client, informers, templates, events, trace = untraced } = deps;
  const bindings = informers<AnyBinding>(RESOURCE_BINDING);
  const clusterBindings = informers<AnyBinding>(CLUSTER_RESOURCE_BINDING);
  const works = informers<Work>(WORK);
  const worksOf = worksOfBindings(works);
  const write = workWriter(client, works);

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const binding = key.includes('/') ? bindings.get(key) : clusterBindings.get(key);
    if (!binding) return done;
    if (binding.metadata.deletionTimestamp) return takeAway(binding);
    await removeOrphans(binding);
    const purged = directlyPurgedClusters(binding.spec);
    // Woken again when the last of them is gone.
    if (worksOf(binding).some((work) => purged.has(clusterOf(work)))) return done;
    const template = await templates.find(binding.spec.resource);
    // Gone, and the binding with it as soon as it is garbage collected.
    if (template) await sync(binding, template);
    return done;
  }

  async function sync(binding: AnyBinding, template: KubeObject): Promise<void> {
    const targets = targetClusters(binding.spec);
    const results = await Promise.allSettled(targets.map((target) => syncTo(binding, template, target)));
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [asError(result.reason)] : []));
    if (failures.length > 0) {
      const why = failures.map(({ message }) => message).join(', ');
      for (const about of [binding, template]) events.warning(about, EVENT_REASONS.syncWorkFailed, why);
      throw failures[0];
    }
    if (!results.some((result) => result.status === 'fulfilled' && result.value)) return;
    const message = `Sync work of ${textOf(binding)} successful.`;
    for (const about of [binding, template]) events.normal(about, EVENT_REASONS.syncWorkSucceed, message);
  }

  async function syncTo(binding: AnyBinding, template: KubeObject, target: TargetCluster): Promise<boolean> {
    const hop = { step: 'rendered', template: tracedOf(template), cluster: target.name } as const;
    const { work, rules } = await renderWork(deps, binding, template, target).catch((error: unknown) => {
      trace.hop({ ...hop, error });
      throw error;
    });
    const written = await write(work);
    if (written) trace.hop(hop);
    for (const { kind, namespace, policyName } of written ? rules : []) {
      const policy = kind === 'OverridePolicy' ? `override policy(${namespace}/` : 'cluster override policy(';
      const message = `Apply ${policy}${policyName}) for cluster(${target.name}) succeed.`;
      deps.overrideEvents.normal(template, EVENT_REASONS.applyOverridePolicySucceed, message);
    }
    return written;
  }

  async function removeOrphans(binding: AnyBinding): Promise<void> {
    const expected = existingClusters(binding.spec);
    const orphans = worksOf(binding).filter((work) => !expected.has(clusterOf(work)));
    try {
      await Promise.all(orphans.map(remove));
    } catch (error) {
      events.warning(binding, EVENT_REASONS.cleanupWorkFailed, asError(error).message);
      throw error;
    }
  }

  async function remove(work: Work): Promise<void> {
    if (work.metadata.deletionTimestamp) return;
    await client.delete(WORK, work.metadata).catch(ignoreNotFound);
  }

  async function takeAway(binding: AnyBinding): Promise<Outcome> {
    const finalizer = FINALIZERS[binding.kind === 'ResourceBinding' ? 'binding' : 'clusterBinding'];
    const { finalizers = [] } = binding.metadata;
    if (!finalizers.includes(finalizer)) return done;
    // Asked of the server: the copy may not know yet of a Work that was made a moment ago.
    const labelSelector = `${bindingIdLabel(binding.kind)}=${bindingId(binding)}`;
    const { items } = await client.list<Work>(WORK, { labelSelector });
    await Promise.all(items.map(remove));
    const rest = finalizers.filter((each) => each !== finalizer);
    await client
      .update(resourceOf(binding), { ...binding, metadata: { ...binding.metadata, finalizers: rest } })
      .catch(ignoreNotFound);
    return done;
  }

  function wokenByBinding(object: KubeObject, old: KubeObject | undefined): readonly string[] {
    const binding = object as AnyBinding;
    const { generation, deletionTimestamp } = binding.metadata;
    if (old?.metadata.generation === generation && old?.metadata.deletionTimestamp === deletionTimestamp) return [];
    // Not scheduled yet, and nothing left from before.
    const idle = !old && !deletionTimestamp && existingClusters(binding.spec).size === 0;
    return idle && worksOf(binding).length === 0 ? [] : [keyOf(binding)];
  }

  function* wokenByOverride(policy: AnyOverridePolicy, old: KubeObject | undefined, change: string): Iterable<string> {
    if (change === 'modified' && old?.metadata.generation === policy.metadata.generation) return;
    const { namespace } = policy.metadata;
    // What it meant before its change matters as much: it is no longer overridden.
    const selectors = [policy, ...(old ? [old as AnyOverridePolicy] : [])].map(
      ({ spec }) => spec.resourceSelectors ?? [],
    );
    for (const binding of namespace === undefined ? [...bindings.list(), ...clusterBindings.list()] : bindings.list()) {
      if (namespace !== undefined && binding.metadata.namespace !== namespace) continue;
      const template = templates.cached(binding.spec.resource);
      const means = selectors.some((each) => each.length === 0 || (template && resourceMatches(template, each)));
      if (means) yield keyOf(binding);
    }
  }

  /** The binding of a Work that is gone, or that should not be where it is. */
  function wokenByWork(work: Work, change: string): readonly string[] {
    const key = bindingKeyOf(work);
    if (key === undefined || change === 'modified') return [];
    if (change === 'deleted') return [key];
    const binding = key.includes('/') ? bindings.get(key) : clusterBindings.get(key);
    return binding && existingClusters(binding.spec).has(clusterOf(work)) ? [] : [key];
  }

  return {
    name: 'binding',
    concurrency: CONCURRENCY,
    watches: [
      { gvr: RESOURCE_BINDING, wakes: wokenByBinding },
      { gvr: CLUSTER_RESOURCE_BINDING, wakes: wokenByBinding },
      {
        gvr: OVERRIDE_POLICY,
        wakes: (object, old, change) => wokenByOverride(object as AnyOverridePolicy, old, change),
      },
      {
        gvr: CLUSTER_OVERRIDE_POLICY,
        wakes: (object, old, change) => wokenByOverride(object as AnyOverridePolicy, old, change),
      },
      { gvr: WORK, wakes: (object, _old, change) => wokenByWork(object as Work, change) },
    ],
    source: () => templates.synced,
    reconcile,
  };
}

function clusterOf(work: Work): string {
  return clusterOfExecutionNamespace(work.metadata.namespace ?? '') ?? '';
}

function resourceOf({ kind }: AnyBinding) {
  return kind === 'ResourceBinding' ? RESOURCE_BINDING : CLUSTER_RESOURCE_BINDING;
}

function textOf({ kind, metadata }: AnyBinding): string {
  return kind === 'ResourceBinding'
    ? `ResourceBinding(${metadata.namespace}/${metadata.name})`
    : `ClusterResourceBinding(${metadata.name})`;
}

function ignoreNotFound(error: unknown): void {
  if (!hasReason(error, 'NotFound')) throw error;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
