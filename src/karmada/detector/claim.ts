/** Whose a template is: the marks by which a policy claims it, set and taken off. Pure but for the drafts handed in. */
import { type Draft, draftOf } from '#base/json.ts';
import { ANNOTATIONS, type AnyPropagationPolicy, LABELS, type PolicyKind } from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';

export { type Claim, claimOf, type PolicyKind } from '#karmada/apis/claim.ts';

/** The permanent id of a policy; empty before admission has stamped it. */
export function policyId(policy: AnyPropagationPolicy): string {
  return policy.metadata.labels?.[idLabel(policy.kind)] ?? '';
}

export function idLabel(kind: PolicyKind): string {
  return kind === 'PropagationPolicy' ? LABELS.propagationPolicyId : LABELS.clusterPropagationPolicyId;
}

/** The labels and annotations of a claim by `policy`. */
export function claimMarks(policy: AnyPropagationPolicy): { labels: Entries; annotations: Entries } {
  const { name, namespace = '' } = policy.metadata;
  const labels = { [idLabel(policy.kind)]: policyId(policy) };
  if (policy.kind === 'ClusterPropagationPolicy') {
    return { labels, annotations: { [ANNOTATIONS.clusterPropagationPolicyName]: name } };
  }
  const annotations = {
    [ANNOTATIONS.propagationPolicyNamespace]: namespace,
    [ANNOTATIONS.propagationPolicyName]: name,
  };
  return { labels, annotations };
}

type Entries = Record<string, string>;

/** Whether nothing would change if `policy` claimed the object; a namespaced policy suffers no cluster policy beside it. */
export function isClaimedBy(object: KubeObject, policy: AnyPropagationPolicy): boolean {
  const labels = object.metadata.labels ?? {};
  if (policy.kind === 'PropagationPolicy' && LABELS.clusterPropagationPolicyId in labels) return false;
  return labels[idLabel(policy.kind)] === policyId(policy);
}

export function claimed<T extends KubeObject>(object: T, policy: AnyPropagationPolicy): Draft<T> {
  const draft = policy.kind === 'PropagationPolicy' ? unclaimed(object, 'ClusterPropagationPolicy') : draftOf(object);
  const marks = claimMarks(policy);
  draft.metadata.labels = { ...draft.metadata.labels, ...marks.labels };
  draft.metadata.annotations = { ...draft.metadata.annotations, ...marks.annotations };
  return draft;
}

export function unclaimed<T extends KubeObject>(object: T, kind: PolicyKind): Draft<T> {
  const draft = draftOf(object);
  delete draft.metadata.labels?.[idLabel(kind)];
  for (const key of CLAIM_ANNOTATIONS[kind]) delete draft.metadata.annotations?.[key];
  return draft;
}

const CLAIM_ANNOTATIONS: Readonly<Record<PolicyKind, readonly string[]>> = {
  PropagationPolicy: [ANNOTATIONS.propagationPolicyNamespace, ANNOTATIONS.propagationPolicyName],
  ClusterPropagationPolicy: [ANNOTATIONS.clusterPropagationPolicyName],
};
