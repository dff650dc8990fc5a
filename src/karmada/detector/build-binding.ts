/** The binding a template gets from its policy, and how it is laid over the one that exists. Pure. */
import { type Draft, draftOf } from '#base/json.ts';
import { StatusError } from '#base/status-error.ts';
import type {
  AnyBinding,
  AnyPropagationPolicy,
  BindingSpec,
  BindingSuspension,
  Component,
  ReplicaRequirements,
  Suspension,
} from '#karmada/apis/index.ts';
import { CLUSTER_RESOURCE_BINDING, FINALIZERS, LABELS, RESOURCE_BINDING } from '#karmada/apis/index.ts';
import { bindingName } from '#karmada/names/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { claimMarks, unclaimed } from './claim.ts';

/** What the interpreter read from the template. */
export interface Demand {
  readonly replicas?: number;
  readonly replicaRequirements?: ReplicaRequirements;
  readonly components?: readonly Component[];
}

export interface BindingInput {
  readonly template: KubeObject;
  readonly policy: AnyPropagationPolicy;
  readonly demand: Demand;
  /** The value of the policy's priority class, when it names one. */
  readonly priority?: number;
}

/** A namespaced template gets a ResourceBinding, whichever kind of policy claims it. */
export function desiredBinding({ template, policy, demand, priority }: BindingInput): Draft<AnyBinding> {
  const { namespace, name, uid = '' } = template.metadata;
  const kind = namespace === undefined ? CLUSTER_RESOURCE_BINDING : RESOURCE_BINDING;
  return {
    apiVersion: kind.apiVersion,
    kind: kind.kind as AnyBinding['kind'],
    metadata: {
      name: bindingName(template.kind, name),
      ...(namespace === undefined ? {} : { namespace }),
      ...claimMarks(policy),
      finalizers: [namespace === undefined ? FINALIZERS.clusterBinding : FINALIZERS.binding],
      ownerReferences: [
        {
          apiVersion: template.apiVersion,
          kind: template.kind,
          name,
          uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: desiredSpec({ template, policy, demand, ...(priority === undefined ? {} : { priority }) }),
  };
}

function desiredSpec({ template, policy, demand, priority }: BindingInput): Draft<BindingSpec> {
  const { namespace, name, uid, resourceVersion } = template.metadata;
  const { spec } = policy;
  const wanted: BindingSpec = {
    resource: {
      apiVersion: template.apiVersion,
      kind: template.kind,
      ...(namespace === undefined ? {} : { namespace }),
      name,
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
    placement: spec.placement ?? {},
    ...(spec.propagateDeps ? { propagateDeps: true } : {}),
    ...(spec.schedulerName ? { schedulerName: spec.schedulerName } : {}),
    ...(spec.failover ? { failover: spec.failover } : {}),
    ...(spec.conflictResolution ? { conflictResolution: spec.conflictResolution } : {}),
    ...(spec.preserveResourcesOnDeletion === undefined
      ? {}
      : { preserveResourcesOnDeletion: spec.preserveResourcesOnDeletion }),
    ...(spec.suspension ? { suspension: spec.suspension } : {}),
    ...(demand.replicas ? { replicas: demand.replicas } : {}),
    ...(demand.replicaRequirements ? { replicaRequirements: demand.replicaRequirements } : {}),
    ...(demand.components?.length ? { components: demand.components } : {}),
    ...(priority === undefined ? {} : { schedulePriority: { priority } }),
  };
  return draftOf(wanted);
}

/** What the detector owns of a binding's spec. `clusters` is the scheduler's, `requiredBy` the distributor's. */
const OWNED = [
  'resource',
  'replicaRequirements',
  'replicas',
  'components',
  'schedulerName',
  'placement',
  'failover',
  'conflictResolution',
  'preserveResourcesOnDeletion',
] as const satisfies readonly (keyof BindingSpec)[];
/** Upstream forgets these when it updates a ClusterResourceBinding, and so do we. */
const OWNED_WHEN_NAMESPACED = ['propagateDeps', 'schedulePriority'] as const satisfies readonly (keyof BindingSpec)[];

/** The existing binding with the desired one laid over it. */
export function mergedBinding(existing: AnyBinding, desired: Draft<AnyBinding>): Draft<AnyBinding> {
  refuseOtherOwner(existing, desired);
  // A namespaced policy that took a template over from a cluster policy leaves no trace of it.
  const byPolicy = !(LABELS.clusterPropagationPolicyId in (desired.metadata.labels ?? {}));
  const merged: Draft<AnyBinding> = byPolicy ? unclaimed(existing, 'ClusterPropagationPolicy') : draftOf(existing);
  merged.metadata.labels = { ...merged.metadata.labels, ...desired.metadata.labels };
  merged.metadata.annotations = { ...merged.metadata.annotations, ...desired.metadata.annotations };
  merged.metadata.finalizers = [
    ...new Set([...(merged.metadata.finalizers ?? []), ...(desired.metadata.finalizers ?? [])]),
  ];
  if (desired.metadata.ownerReferences) merged.metadata.ownerReferences = desired.metadata.ownerReferences;
  const owned = existing.kind === 'ResourceBinding' ? [...OWNED, ...OWNED_WHEN_NAMESPACED] : OWNED;
  for (const field of owned) replace(merged.spec, desired.spec, field);
  const suspension = mergedSuspension(existing.spec.suspension, desired.spec.suspension);
  if (suspension) merged.spec.suspension = draftOf(suspension);
  else delete merged.spec.suspension;
  return merged;
}

function replace(spec: Draft<BindingSpec>, from: Draft<BindingSpec>, field: keyof BindingSpec): void {
  if (from[field] === undefined) delete (spec as Partial<BindingSpec>)[field];
  else Object.assign(spec, { [field]: from[field] });
}

/** The garbage collector has yet to remove the binding of a template that was deleted and made anew. */
function refuseOtherOwner(existing: AnyBinding, desired: Draft<AnyBinding>): void {
  const owner = existing.metadata.ownerReferences?.find(({ controller }) => controller);
  const uid = desired.metadata.ownerReferences?.[0]?.uid;
  if (!owner || owner.uid === uid) return;
  throw new StatusError(
    'Conflict',
    'failed to update binding due to different owner reference UID, will try again later after binding is garbage ' +
      'collected, see https://github.com/karmada-io/karmada/issues/2090',
  );
}

/** The policy decides about dispatching; who holds back scheduling is somebody else. */
function mergedSuspension(
  ofBinding: BindingSuspension | undefined,
  ofPolicy: Suspension | undefined,
): BindingSuspension | undefined {
  const scheduling = ofBinding?.scheduling;
  if (ofPolicy) return { ...ofPolicy, ...(scheduling === undefined ? {} : { scheduling }) };
  return scheduling === undefined ? undefined : { scheduling };
}
