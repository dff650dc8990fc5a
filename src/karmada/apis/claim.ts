/** Whose a template is: the marks a policy leaves on it, read. */
import type { KubeObject, ObjectKey } from '#kube/meta/object.ts';
import type { AnyPropagationPolicy } from './propagation-policy.ts';
import { ANNOTATIONS, LABELS } from './well-known.ts';

export type PolicyKind = AnyPropagationPolicy['kind'];

/** The policy that an object says it belongs to. */
export interface Claim extends ObjectKey {
  readonly kind: PolicyKind;
  readonly id: string;
}

/** A namespaced policy's claim comes first, should an object ever carry both. */
export function claimOf({ metadata }: KubeObject): Claim | undefined {
  const { labels = {}, annotations = {} } = metadata;
  const namespace = annotations[ANNOTATIONS.propagationPolicyNamespace];
  const name = annotations[ANNOTATIONS.propagationPolicyName];
  const id = labels[LABELS.propagationPolicyId];
  if (namespace && name && id) return { kind: 'PropagationPolicy', namespace, name, id };
  const clusterName = annotations[ANNOTATIONS.clusterPropagationPolicyName];
  const clusterId = labels[LABELS.clusterPropagationPolicyId];
  if (clusterName && clusterId) return { kind: 'ClusterPropagationPolicy', name: clusterName, id: clusterId };
  return undefined;
}
