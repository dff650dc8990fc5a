/**
 * The detector: gives every template the policy it belongs to, and the binding that policy asks for.
 *
 * Two kinds of news drive it. A template changed: it is claimed by the best policy there is (or stays with the one that
 * holds it) and its binding is brought up to date. A policy changed: `policy-controller.ts` wakes every template that it
 * holds or could hold, and releases those it no longer means. The rules are in the pure files beside this one.
 */
import { hasReason } from '#base/status-error.ts';
import {
  type AnyPropagationPolicy,
  CLUSTER_OVERRIDE_POLICY,
  CLUSTER_PROPAGATION_POLICY,
  type ClusterPropagationPolicy,
  EVENT_REASONS,
  LABELS,
  OVERRIDE_POLICY,
  PROPAGATION_POLICY,
  type PropagationPolicy,
} from '#karmada/apis/index.ts';
import { resourceMatches } from '#karmada/selector/index.ts';
import { type Hop, tracedOf, type Tracer, untraced } from '#karmada/trace/tracer.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Outcome, type Reconcile, retryIn } from '#kube/runtime/index.ts';
import { type BindingWriterDeps, bindingWriter } from './binding-writer.ts';
import { claimWriter } from './claim-writer.ts';
import { type Claim, claimOf, policyId } from './claim.ts';
import {
  changedByKarmada,
  DEFAULT_SKIPPED_NAMESPACES,
  isTemplateNamespace,
  specificationChanged,
} from './event-filter.ts';
import { matchPolicy } from './match-policy.ts';
import { policyControllers } from './policy-controller.ts';
import { policyIndex } from './policy-index.ts';
import { parseTemplateKey, templateKey } from './template-key.ts';
import type { Templates } from './templates.ts';

export interface DetectorDeps extends BindingWriterDeps {
  readonly templates: Templates;
  readonly skippedNamespaces?: readonly RegExp[];
  /** Feature gate PropagationPolicyPreemption. */
  readonly preemption?: boolean;
  readonly trace?: Tracer;
}

const CONCURRENCY = 32;
const WAIT_FOR_OVERRIDES_MS = 1_000;
/** What a decision looks at; all of it must be complete before the first one. */
const LOOKED_AT = [PROPAGATION_POLICY, CLUSTER_PROPAGATION_POLICY, OVERRIDE_POLICY, CLUSTER_OVERRIDE_POLICY];

export function detectorControllers(deps: DetectorDeps): readonly Controller[] {
  const { informers, templates, events, trace = untraced } = deps;
  const policies = informers<PropagationPolicy>(PROPAGATION_POLICY);
  const clusterPolicies = informers<ClusterPropagationPolicy>(CLUSTER_PROPAGATION_POLICY);
  const overrides = informers(OVERRIDE_POLICY);
  const clusterOverrides = informers(CLUSTER_OVERRIDE_POLICY);
  const policiesFor = policyIndex(policies);
  const clusterPoliciesFor = policyIndex(clusterPolicies);
  const { claim, release } = claimWriter(deps);
  const bind = bindingWriter(deps);
  const wakes = wakeReasons();
  const ownWrites = new Map<string, string>();

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const byUser = wakes.take(key);
    try {
      return await reconcileTemplate(key, byUser);
    } catch (error) {
      wakes.putBack(key, byUser);
      throw error;
    }
  }

  async function reconcileTemplate(key: string, byUser: boolean): Promise<Outcome> {
    const template = templates.cached(parseTemplateKey(key));
    // Somebody else propagates it.
    if (!template || template.metadata.labels?.[LABELS.claimedBy]) return done;
    const held = claimOf(template);
    if (held) return stayWith(template, held, byUser);
    const { policy } = matchPolicy(template, policiesFor(template), clusterPoliciesFor(template));
    return policy ? apply(template, policy, byUser) : done;
  }

  async function stayWith(template: KubeObject, held: Claim, byUser: boolean): Promise<Outcome> {
    const policy = policyOf(held);
    if (policy?.metadata.deletionTimestamp) return done; // Its own reconcile releases the template, and wakes it.
    if (!policy || policyId(policy) !== held.id) {
      await release(template, held);
      return done;
    }
    return resourceMatches(template, policy.spec.resourceSelectors) ? apply(template, policy, byUser) : done;
  }

  function policyOf({ kind, namespace, name }: Claim): AnyPropagationPolicy | undefined {
    return kind === 'PropagationPolicy' ? policies.get(`${namespace}/${name}`) : clusterPolicies.get(name);
  }

  async function apply(seen: KubeObject, policy: AnyPropagationPolicy, byUser: boolean): Promise<Outcome> {
    if (!hasDependentOverrides(policy)) return retryIn(WAIT_FOR_OVERRIDES_MS, 'waiting for dependent overrides');
    try {
      const template = await claim(seen, policy);
      if (template && template !== seen) ownWrites.set(templateKey(template), template.metadata.resourceVersion ?? '');
      // A lazy policy takes effect only with the next change that a user makes.
      if (!template || (!byUser && policy.spec.activationPreference === 'Lazy')) return done;
      const change = await bind(template, policy);
      if (change !== 'none') {
        traceBound(template, policy, { repeats: change === 'revision' });
        events.normal(template, EVENT_REASONS.applyPolicySucceed, `Apply ${policyText(policy)} succeed`);
      }
      return done;
    } catch (error) {
      // Somebody wrote in between: the next look has the new state, and nobody need hear of it.
      if (hasReason(error, 'Conflict', 'AlreadyExists')) throw error;
      const why = error instanceof Error ? error.message : String(error);
      traceBound(seen, policy, { error });
      events.warning(seen, EVENT_REASONS.applyPolicyFailed, `Apply ${policyText(policy)} failed: ${why}`);
      throw error;
    }
  }

  function traceBound(
    object: KubeObject,
    policy: AnyPropagationPolicy,
    { repeats = false, error }: Pick<Hop, 'repeats' | 'error'>,
  ): void {
    const template = tracedOf(object);
    trace.hop({ step: 'matched', template, repeats, detail: policyText(policy) });
    trace.hop({ step: 'bound', template, repeats, ...(error === undefined ? {} : { error }) });
  }

  function hasDependentOverrides({ spec, metadata: { namespace } }: AnyPropagationPolicy): boolean {
    return (spec.dependentOverrides ?? []).every((name) =>
      namespace === undefined ? clusterOverrides.get(name) : overrides.get(`${namespace}/${name}`),
    );
  }

  /** Our claim comes back as a change: whoever wrote it goes on from there. */
  function isOwnWrite(object: KubeObject): boolean {
    const key = templateKey(object);
    return ownWrites.get(key) === object.metadata.resourceVersion && ownWrites.delete(key);
  }

  function isTemplate({ metadata, kind }: KubeObject): boolean {
    if (!isTemplateNamespace(metadata.namespace, deps.skippedNamespaces ?? DEFAULT_SKIPPED_NAMESPACES)) return false;
    // Made by every API server for itself, and different in each.
    return kind !== 'ConfigMap' || metadata.name !== 'kube-root-ca.crt';
  }

  const controller: Controller = {
    name: 'resource-detector',
    watches: LOOKED_AT.map((gvr) => ({ gvr, wakes: () => [] })),
    concurrency: CONCURRENCY,
    async source(wake, signal) {
      wakes.use(wake);
      await templates.synced;
      const end = templates.subscribe(({ type, object, old }) => {
        if (!isTemplate(object) || isOwnWrite(object)) return;
        if (type === 'modified' && !specificationChanged(old, object)) return;
        const byUser = type !== 'modified' || !changedByKarmada(old, object);
        if (type === 'deleted') trace.gone(object);
        else if (byUser) trace.written(object);
        wakes.wake(templateKey(object), byUser);
      });
      signal.addEventListener('abort', end, { once: true });
    },
    reconcile,
  };
  const wakeTemplates = (template: KubeObject, byUser: boolean) => {
    if (isTemplate(template)) wakes.wake(templateKey(template), byUser);
  };
  return [controller, ...policyControllers({ ...deps, claim, release, wake: wakeTemplates })];
}

/** Remembers for each key until it is worked on whether a user had a hand in waking it. */
function wakeReasons() {
  const byUser = new Set<string>();
  let wakeKey: (key: string) => void = () => undefined;
  return {
    use(wake: (key: string) => void) {
      wakeKey = wake;
    },
    wake(key: string, user: boolean): void {
      if (user) byUser.add(key);
      wakeKey(key);
    },
    take: (key: string) => byUser.delete(key),
    /** The key comes back by itself; for the same reason as before. */
    putBack(key: string, user: boolean): void {
      if (user) byUser.add(key);
    },
  };
}

function policyText({ kind, metadata }: AnyPropagationPolicy): string {
  return kind === 'PropagationPolicy'
    ? `policy(${metadata.namespace}/${metadata.name})`
    : `cluster policy(${metadata.name})`;
}
