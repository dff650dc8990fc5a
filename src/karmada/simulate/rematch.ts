/** Which policy a template would belong to, and what becomes of its binding. The detector's rules on another world. */
import { type Draft, draftOf } from '#base/json.ts';
import { type AnyBinding, type AnyPropagationPolicy, LABELS, RESOURCE_BINDING } from '#karmada/apis/index.ts';
import { desiredBinding, mergedBinding } from '#karmada/detector/build-binding.ts';
import { type Claim, claimed, claimOf, policyId, unclaimed } from '#karmada/detector/claim.ts';
import { demandOf } from '#karmada/detector/demand.ts';
import { DEFAULT_SKIPPED_NAMESPACES, isTemplateNamespace } from '#karmada/detector/event-filter.ts';
import { matchPolicy, preempts } from '#karmada/detector/match-policy.ts';
import type { ResourceInterpreter } from '#karmada/interpreter/index.ts';
import { resourceMatches } from '#karmada/selector/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { World } from './world.ts';

export interface RematchDeps {
  readonly interpreter: ResourceInterpreter;
  /** Feature gate PropagationPolicyPreemption. */
  readonly preemption?: boolean;
  readonly skippedNamespaces?: readonly RegExp[];
}

export interface Matched {
  readonly policy?: AnyPropagationPolicy;
  readonly held?: Claim;
  /** The policy that held it lets go of it. */
  readonly released: boolean;
  /** It is taken from another policy. */
  readonly preempted: boolean;
}

/** `changed`: the policies that are new or differ; only those look around for templates of others. */
export function rematch(
  world: World,
  template: KubeObject,
  changed: readonly AnyPropagationPolicy[],
  { preemption = false, skippedNamespaces = DEFAULT_SKIPPED_NAMESPACES }: RematchDeps,
): Matched {
  const { namespace, labels = {} } = template.metadata;
  const held = claimOf(template);
  const none: Matched = { released: false, preempted: false, ...(held ? { held } : {}) };
  if (labels[LABELS.claimedBy] || !isTemplateNamespace(namespace, skippedNamespaces)) return none;
  const holder = held && holderOf(world, held);
  const isHeld = holder && resourceMatches(template, holder.spec.resourceSelectors);
  const stronger = preemption && holder && isHeld ? preempting(template, holder, changed) : undefined;
  if (stronger) return { ...none, policy: stronger, preempted: true };
  if (isHeld) return { ...none, policy: holder };
  const { policy } = matchPolicy(template, world.policies, world.clusterPolicies);
  return { ...none, released: held !== undefined, ...(policy ? { policy } : {}) };
}

function holderOf(world: World, { kind, namespace, name, id }: Claim): AnyPropagationPolicy | undefined {
  const policies: readonly AnyPropagationPolicy[] =
    kind === 'PropagationPolicy' ? world.policies : world.clusterPolicies;
  return policies.find(
    (policy) => policy.metadata.name === name && policy.metadata.namespace === namespace && policyId(policy) === id,
  );
}

function preempting(
  template: KubeObject,
  holder: AnyPropagationPolicy,
  changed: readonly AnyPropagationPolicy[],
): AnyPropagationPolicy | undefined {
  let strongest: AnyPropagationPolicy | undefined;
  for (const policy of changed) {
    if (policy.spec.preemption !== 'Always' || !resourceMatches(template, policy.spec.resourceSelectors)) continue;
    if (policy.kind === 'PropagationPolicy' && policy.metadata.namespace !== template.metadata.namespace) continue;
    if (preempts(policy, strongest ?? holder)) strongest = policy;
  }
  return strongest;
}

/** The binding as the detector would leave it; `byUser`: the template itself changed, which lazy policies wait for. */
export async function rebind(
  world: World,
  template: KubeObject,
  { policy, held, released }: Matched,
  existing: AnyBinding | undefined,
  byUser: boolean,
  deps: RematchDeps,
): Promise<AnyBinding | undefined> {
  if (!policy) return existing && released && held ? unclaimed(existing, held.kind) : existing;
  if (!hasDependentOverrides(world, policy)) return existing;
  if (!byUser && policy.spec.activationPreference === 'Lazy') return existing;
  const demand = (await demandOf(deps.interpreter, template)) ?? {};
  const desired = desiredBinding({ template: claimed(template, policy), policy, demand });
  const priority = existing?.spec.schedulePriority;
  // The value of a priority class does not change where something goes; it stays as it is.
  if (priority) desired.spec.schedulePriority = draftOf(priority);
  return existing ? mergedBinding(existing, desired) : withId(desired);
}

function hasDependentOverrides(world: World, { spec, metadata: { namespace } }: AnyPropagationPolicy): boolean {
  const there: readonly KubeObject[] = namespace === undefined ? world.clusterOverridePolicies : world.overridePolicies;
  return (spec.dependentOverrides ?? []).every((name) =>
    there.some(({ metadata }) => metadata.name === name && metadata.namespace === namespace),
  );
}

/** What admission would stamp on it; any id does. */
function withId(binding: Draft<AnyBinding>): Draft<AnyBinding> {
  const label = binding.kind === RESOURCE_BINDING.kind ? LABELS.bindingId : LABELS.clusterBindingId;
  binding.metadata.labels = { ...binding.metadata.labels, [label]: 'simulated' };
  return binding;
}
