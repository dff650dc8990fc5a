/**
 * What a change of a policy means for templates.
 *
 * A new or changed policy has the detector look at every template it holds and every free one it means, and releases
 * those it holds but no longer means. A policy that goes releases what it held; bindings, Works and members' objects stay
 * as they are. With preemption it takes over what a lesser policy holds.
 */
import {
  type AnyBinding,
  type AnyPropagationPolicy,
  CLUSTER_PROPAGATION_POLICY,
  CLUSTER_RESOURCE_BINDING,
  type ClusterPropagationPolicy,
  EVENT_REASONS,
  FINALIZERS,
  LABELS,
  PROPAGATION_POLICY,
  type PropagationPolicy,
  RESOURCE_BINDING,
} from '#karmada/apis/index.ts';
import type { EventRecorder } from '#karmada/events/index.ts';
import { resourceMatches } from '#karmada/selector/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Informers, type Outcome } from '#kube/runtime/index.ts';
import type { ClaimWriter } from './claim-writer.ts';
import { claimOf, type PolicyKind, policyId } from './claim.ts';
import { preempts, priorityOf } from './match-policy.ts';
import { templateKey } from './template-key.ts';
import type { Templates } from './templates.ts';

export interface PolicyDeps extends ClaimWriter {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly templates: Templates;
  readonly events: EventRecorder;
  readonly preemption?: boolean;
  /** Has the detector look at a template; not `byUser`: a lazy policy will not act on it. */
  readonly wake: (template: KubeObject, byUser: boolean) => void;
}

const POLICY_ID = 'policy-id';

export function policyControllers(deps: PolicyDeps): readonly Controller[] {
  const { client, informers, templates, events, claim, release, wake } = deps;
  const policies = informers<PropagationPolicy>(PROPAGATION_POLICY);
  const clusterPolicies = informers<ClusterPropagationPolicy>(CLUSTER_PROPAGATION_POLICY);
  const bindings = [RESOURCE_BINDING, CLUSTER_RESOURCE_BINDING].map((gvr) => informers<AnyBinding>(gvr));
  for (const informer of bindings) informer.index(POLICY_ID, policyIds);

  async function reconcile(policy: AnyPropagationPolicy): Promise<Outcome> {
    if (policy.metadata.deletionTimestamp) return releaseAll(policy);
    const byUser = policy.spec.activationPreference !== 'Lazy';
    const holder = { kind: policy.kind, id: policyId(policy) };
    for (const { spec } of bindingsOf(holder.id)) {
      const template = templates.cached(spec.resource);
      if (!template || claimOf(template)?.id !== holder.id) continue;
      if (resourceMatches(template, policy.spec.resourceSelectors)) wake(template, byUser);
      else await release(template, holder);
    }
    for (const template of selectedBy(policy)) if (!claimOf(template)) wake(template, byUser);
    if (deps.preemption && policy.spec.preemption === 'Always') await preempt(policy);
    return done;
  }

  function bindingsOf(id: string): readonly AnyBinding[] {
    return bindings.flatMap((informer) => informer.byIndex(POLICY_ID, id));
  }

  function* selectedBy({ spec }: AnyPropagationPolicy): Iterable<KubeObject> {
    for (const selector of spec.resourceSelectors) yield* templates.selected(selector);
  }

  async function releaseAll(policy: AnyPropagationPolicy): Promise<Outcome> {
    const finalizer =
      FINALIZERS[policy.kind === 'PropagationPolicy' ? 'propagationPolicy' : 'clusterPropagationPolicy'];
    const { finalizers = [] } = policy.metadata;
    if (!finalizers.includes(finalizer)) return done;
    const holder = { kind: policy.kind, id: policyId(policy) };
    const held = new Map<string, KubeObject>();
    for (const template of templates.claimedBy(holder.id)) held.set(templateKey(template), template);
    for (const { spec } of bindingsOf(holder.id)) {
      const template = await templates.find(spec.resource);
      if (template) held.set(templateKey(template), template);
    }
    await Promise.all([...held.values()].map((template) => release(template, holder)));
    const rest = finalizers.filter((each) => each !== finalizer);
    await client.update(resourceOf(policy.kind), {
      ...policy,
      metadata: { ...policy.metadata, finalizers: rest },
    });
    return done;
  }

  async function preempt(policy: AnyPropagationPolicy): Promise<void> {
    for (const template of selectedBy(policy)) {
      const holder = holderOf(template);
      if (!holder || template.metadata.deletionTimestamp || !preempts(policy, holder)) continue;
      await takeOver(template, policy, holder);
    }
  }

  async function takeOver(
    template: KubeObject,
    policy: AnyPropagationPolicy,
    holder: AnyPropagationPolicy,
  ): Promise<void> {
    const [ours, theirs] = [titleOf(policy), titleOf(holder).toLowerCase()];
    try {
      await claim(template, policy);
      events.normal(template, EVENT_REASONS.preemptPolicySucceed, `${ours} preempted ${theirs} successfully`);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      events.warning(template, EVENT_REASONS.preemptPolicyFailed, `${ours} failed to preempt ${theirs}: ${why}`);
      throw error;
    }
  }

  function holderOf(template: KubeObject): AnyPropagationPolicy | undefined {
    const held = claimOf(template);
    if (!held) return undefined;
    const { kind, namespace, name } = held;
    return kind === 'PropagationPolicy' ? policies.get(`${namespace}/${name}`) : clusterPolicies.get(name);
  }

  /** A policy that sank may now be preempted by those it passed on its way down, the greatest first. */
  function passedBySinking(policy: AnyPropagationPolicy, old: AnyPropagationPolicy): string[] {
    if (!deps.preemption || priorityOf(policy) >= priorityOf(old)) return [];
    const others = policy.kind === 'PropagationPolicy' ? policies.list() : clusterPolicies.list();
    return others
      .filter(
        (each) =>
          each.spec.preemption === 'Always' &&
          each.metadata.namespace === policy.metadata.namespace &&
          priorityOf(each) > priorityOf(policy) &&
          priorityOf(each) < priorityOf(old),
      )
      .sort((a, b) => priorityOf(b) - priorityOf(a))
      .map(keyOf);
  }

  function controller(kind: PolicyKind, name: string): Controller {
    const get = (key: string) => (kind === 'PropagationPolicy' ? policies.get(key) : clusterPolicies.get(key));
    return {
      name,
      watches: [
        {
          gvr: resourceOf(kind),
          wakes(object, old) {
            if (!old) return [keyOf(object)];
            if (isSameSpec(object, old)) return [];
            return [keyOf(object), ...passedBySinking(object as AnyPropagationPolicy, old as AnyPropagationPolicy)];
          },
        },
        // Not to be woken by, but to be complete before the first look.
        { gvr: RESOURCE_BINDING, wakes: () => [] },
        { gvr: CLUSTER_RESOURCE_BINDING, wakes: () => [] },
      ],
      source: () => templates.synced,
      async reconcile({ key }) {
        const policy = get(key);
        return policy ? reconcile(policy) : done;
      },
    };
  }

  return [
    controller('PropagationPolicy', 'propagation-policy'),
    controller('ClusterPropagationPolicy', 'cluster-propagation-policy'),
  ];
}

function resourceOf(kind: PolicyKind) {
  return kind === 'PropagationPolicy' ? PROPAGATION_POLICY : CLUSTER_PROPAGATION_POLICY;
}

function policyIds({ metadata: { labels = {} } }: KubeObject): string[] {
  const ids = [labels[LABELS.propagationPolicyId], labels[LABELS.clusterPropagationPolicyId]];
  return ids.filter((id) => id !== undefined);
}

function isSameSpec(a: KubeObject, b: KubeObject): boolean {
  return (
    a.metadata.generation === b.metadata.generation && a.metadata.deletionTimestamp === b.metadata.deletionTimestamp
  );
}

function titleOf({ kind, metadata }: AnyPropagationPolicy): string {
  return kind === 'PropagationPolicy'
    ? `Propagation policy(${metadata.namespace}/${metadata.name})`
    : `Cluster propagation policy(${metadata.name})`;
}
