/**
 * Which policy a template belongs to. Pure: a function of the template and the policies there are, with its reasons.
 *
 * A policy of the template's own namespace beats every cluster policy. Among policies of one kind the explicit priority
 * counts first, then how closely a selector describes the template, then the name, the first in the alphabet winning.
 * A policy on its way out matches nothing.
 */
import type { AnyPropagationPolicy, ClusterPropagationPolicy, PropagationPolicy } from '#karmada/apis/index.ts';
import { type Closeness, CLOSENESS, closestMatch } from '#karmada/selector/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';

export interface PolicyChoice {
  readonly policy: AnyPropagationPolicy | undefined;
  /** Every policy that matches, the chosen one first. */
  readonly candidates: readonly Candidate[];
}

export interface Candidate {
  readonly policy: AnyPropagationPolicy;
  readonly priority: number;
  readonly closeness: Closeness;
}

export function matchPolicy(
  template: KubeObject,
  policies: Iterable<PropagationPolicy>,
  clusterPolicies: Iterable<ClusterPropagationPolicy>,
): PolicyChoice {
  const { namespace } = template.metadata;
  const own = namespace === undefined ? [] : candidates(template, policies, namespace);
  const all = [...own, ...candidates(template, clusterPolicies)];
  return { policy: all[0]?.policy, candidates: all };
}

/** Matching policies, best first. */
function candidates(template: KubeObject, policies: Iterable<AnyPropagationPolicy>, namespace?: string): Candidate[] {
  const found: Candidate[] = [];
  for (const policy of policies) {
    const { metadata, spec } = policy;
    if (metadata.deletionTimestamp || (namespace !== undefined && metadata.namespace !== namespace)) continue;
    const closeness = closestMatch(template, spec.resourceSelectors);
    if (closeness > CLOSENESS.none) found.push({ policy, priority: priorityOf(policy), closeness });
  }
  return found.sort(byPrecedence);
}

function byPrecedence(a: Candidate, b: Candidate): number {
  if (a.priority !== b.priority) return b.priority - a.priority;
  if (a.closeness !== b.closeness) return b.closeness - a.closeness;
  return a.policy.metadata.name < b.policy.metadata.name ? -1 : 1;
}

export function priorityOf({ spec }: AnyPropagationPolicy): number {
  return spec.priority ?? 0;
}

/** Whether `policy` may take a template over from the policy that holds it: a greater priority, or a cluster policy's. */
export function preempts(policy: AnyPropagationPolicy, holder: AnyPropagationPolicy): boolean {
  if (policy.kind === 'PropagationPolicy' && holder.kind === 'ClusterPropagationPolicy') return true;
  return policy.kind === holder.kind && priorityOf(policy) > priorityOf(holder);
}
