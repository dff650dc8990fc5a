/** What a PropagationPolicy or ClusterPropagationPolicy gets that its author left out. */
import type { Draft } from '#base/json.ts';
import type { Ids } from '#base/ids.ts';
import type { AnyPropagationPolicy, OverrideSpec, PropagationSpec, ResourceSelector } from '#karmada/apis/index.ts';
import { FINALIZERS, isPurgedGracefully, LABELS, SERVICE_IMPORT } from '#karmada/apis/index.ts';

const DEFAULT_GRACE_PERIOD_SECONDS = 600;

/** Defaults of the spec, on create and update alike. `namespace` is the policy's own; absent for a cluster policy. */
export function defaultPropagationSpec(spec: Draft<PropagationSpec>, namespace: string | undefined): void {
  // Required, but the schema is checked after this.
  const resourceSelectors = (spec as Partial<typeof spec>).resourceSelectors ?? [];
  defaultSelectorNamespaces(resourceSelectors, namespace);
  spec.placement ??= {};
  for (const constraint of spec.placement.spreadConstraints ?? []) {
    if (!constraint.spreadByLabel && !constraint.spreadByField) constraint.spreadByField = 'cluster';
    constraint.minGroups ||= 1;
  }
  if (resourceSelectors.some(isServiceImport)) spec.propagateDeps = true;
  const scheduling = spec.placement.replicaScheduling;
  if (scheduling?.replicaSchedulingType === 'Divided') scheduling.replicaDivisionPreference ||= 'Weighted';
  const failover = spec.failover?.application;
  if (failover && isPurgedGracefully(failover.purgeMode)) failover.gracePeriodSeconds ??= DEFAULT_GRACE_PERIOD_SECONDS;
}

/** A selector of a namespaced policy selects in that policy's namespace. */
function defaultSelectorNamespaces(
  selectors: Draft<readonly ResourceSelector[]> | undefined,
  namespace: string | undefined,
): void {
  if (namespace === undefined) return;
  for (const selector of selectors ?? []) selector.namespace ||= namespace;
}

/** Of an OverridePolicy. Nothing rewrites a ClusterOverridePolicy, so that one stays as its author wrote it. */
export function defaultOverrideSpec(spec: Draft<OverrideSpec>, namespace: string | undefined): void {
  if (namespace === undefined) return;
  defaultSelectorNamespaces(spec.resourceSelectors, namespace);
  // Upstream's webhook writes the whole policy back, and an empty struct is written as it is.
  spec.overriders ??= {};
}

/** On create: the id that claims refer to, and the finalizer that lets the detector release what was claimed. */
export function stampPolicy(policy: Draft<AnyPropagationPolicy>, ids: Ids): void {
  const cluster = policy.kind === 'ClusterPropagationPolicy';
  const label = cluster ? LABELS.clusterPropagationPolicyId : LABELS.propagationPolicyId;
  policy.metadata.labels = { ...policy.metadata.labels, [label]: ids.uid() };
  const finalizer = cluster ? FINALIZERS.clusterPropagationPolicy : FINALIZERS.propagationPolicy;
  policy.metadata.finalizers = [...new Set([...(policy.metadata.finalizers ?? []), finalizer])];
}

function isServiceImport({ apiVersion, kind }: ResourceSelector): boolean {
  return apiVersion === SERVICE_IMPORT.apiVersion && kind === SERVICE_IMPORT.kind;
}
