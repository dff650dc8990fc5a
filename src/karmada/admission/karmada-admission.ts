/**
 * The rules that Karmada keeps in webhooks, as one step of the API server's own write path.
 *
 * Defaults, permanent ids and finalizers come from here and from nowhere else: a binding without its id is ignored by
 * the scheduler, a policy without its finalizer forgets what it claimed. Refusals read as the webhooks' do.
 * Start at {@link karmadaAdmission}; each kind's rules are in the files beside it.
 */
import type { Clock } from '#base/clock.ts';
import type { Ids } from '#base/ids.ts';
import type { Draft } from '#base/json.ts';
import {
  ANNOTATIONS,
  type AnyBinding,
  type AnyOverridePolicy,
  type AnyPropagationPolicy,
  type Cluster,
  CLUSTER,
  CLUSTER_OVERRIDE_POLICY,
  CLUSTER_PROPAGATION_POLICY,
  CLUSTER_RESOURCE_BINDING,
  CLUSTER_TAINT_POLICY,
  type ClusterTaintPolicy,
  CRON_FEDERATED_HPA,
  type CronFederatedHpa,
  FEDERATED_HPA,
  type FederatedHpa,
  LABELS,
  OVERRIDE_POLICY,
  PROPAGATION_POLICY,
  RESOURCE_BINDING,
  type Work,
  WORK,
} from '#karmada/apis/index.ts';
import type { AdmissionPlugin, AdmissionRequest } from '#kube/apiserver/admission.ts';
import { invalid as invalidObject } from '#kube/apiserver/failures.ts';
import { invalid } from '#kube/meta/field-error.ts';
import { groupResource } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { cronFederatedHpaErrors, defaultFederatedHpa, federatedHpaErrors } from './autoscaling-rules.ts';
import { defaultCluster } from './cluster-defaults.ts';
import { clusterErrors } from './cluster-rules.ts';
import { taintPolicyErrors } from './cluster-taint-policy-rules.ts';
import { overrideSpecErrors } from './override-rules.ts';
import { defaultOverrideSpec, defaultPropagationSpec, stampPolicy } from './policy-defaults.ts';
import { policyStampProblem, propagationSpecErrors } from './policy-rules.ts';
import { denied, refuseIfAny } from './refusal.ts';
import { canBeDefaulted } from './shape.ts';
import { defaultWork } from './work-defaults.ts';

export interface KarmadaAdmissionDeps {
  readonly ids: Ids;
  readonly clock: Clock;
  /** `--allow-no-execute-taint-policy`: whether a ClusterTaintPolicy may drive workloads out. Default: no. */
  readonly allowNoExecuteTaintPolicy?: boolean;
}

export function karmadaAdmission(deps: KarmadaAdmissionDeps): readonly AdmissionPlugin[] {
  return [kindRules(deps), deletionProtection];
}

/** The rules of one kind; both see creates and updates of the object itself, not of its status. */
interface KindRules {
  mutate?(request: Write): void;
  validate?(request: Check): void;
}

type Write = AdmissionRequest & { readonly operation: 'CREATE' | 'UPDATE'; readonly object: Draft<KubeObject> };
/** The same request once nothing may change any more. */
type Check = Omit<Write, 'object'> & { readonly object: KubeObject };

const KARMADA = '.karmada.io';

function kindRules({ ids, clock, allowNoExecuteTaintPolicy = false }: KarmadaAdmissionDeps): AdmissionPlugin {
  const rules: Readonly<Record<string, KindRules | undefined>> = {
    [groupResource(PROPAGATION_POLICY)]: propagationPolicy('propagationpolicy.karmada.io', ids),
    [groupResource(CLUSTER_PROPAGATION_POLICY)]: propagationPolicy('clusterpropagationpolicy.karmada.io', ids),
    [groupResource(OVERRIDE_POLICY)]: overridePolicy('overridepolicy.karmada.io'),
    [groupResource(CLUSTER_OVERRIDE_POLICY)]: overridePolicy('clusteroverridepolicy.karmada.io'),
    [groupResource(RESOURCE_BINDING)]: binding(LABELS.bindingId, ids),
    [groupResource(CLUSTER_RESOURCE_BINDING)]: binding(LABELS.clusterBindingId, ids),
    [groupResource(WORK)]: { mutate: ({ object }) => defaultWork(object as Draft<Work>, ids) },
    [groupResource(CLUSTER)]: cluster(clock),
    [groupResource(FEDERATED_HPA)]: {
      mutate: ({ object }) => defaultFederatedHpa(object as Draft<FederatedHpa>),
      validate: ({ object }) => refuseIfAny('federatedhpa.karmada.io', federatedHpaErrors(object as FederatedHpa)),
    },
    [groupResource(CRON_FEDERATED_HPA)]: {
      validate: ({ object }) =>
        refuseIfAny('cronfederatedhpa.karmada.io', cronFederatedHpaErrors(object as CronFederatedHpa)),
    },
    [groupResource(CLUSTER_TAINT_POLICY)]: {
      validate: ({ object }) =>
        refuseIfAny(
          'clustertaintpolicy.karmada.io',
          taintPolicyErrors((object as ClusterTaintPolicy).spec, allowNoExecuteTaintPolicy),
        ),
    },
  };
  return {
    name: 'Karmada',
    // Asked for every write of every kind: most are refused by the first comparison.
    handles: ({ operation, gvr, subresource }) =>
      gvr.group.endsWith(KARMADA) &&
      operation !== 'DELETE' &&
      subresource === undefined &&
      rules[groupResource(gvr)] !== undefined,
    mutate(request) {
      if (isWrite(request) && canBeDefaulted(request.object)) rules[groupResource(request.gvr)]?.mutate?.(request);
    },
    validate(request) {
      if (isWrite(request)) rules[groupResource(request.gvr)]?.validate?.(request);
    },
  };
}

function isWrite(request: AdmissionRequest): request is Write {
  return request.operation !== 'DELETE' && request.object !== undefined;
}

function propagationPolicy(webhook: string, ids: Ids): KindRules {
  return {
    mutate({ object, operation, namespace }) {
      const policy = object as Draft<AnyPropagationPolicy>;
      defaultPropagationSpec(policy.spec, namespace);
      if (operation === 'CREATE') stampPolicy(policy, ids);
    },
    validate({ object, oldObject, namespace }) {
      const policy = object as AnyPropagationPolicy;
      const problem = policyStampProblem(policy, oldObject as AnyPropagationPolicy | undefined);
      if (problem) throw denied(webhook, problem);
      refuseIfAny(webhook, propagationSpecErrors(policy.spec, namespace));
    },
  };
}

function overridePolicy(webhook: string): KindRules {
  return {
    mutate: ({ object, namespace }) => defaultOverrideSpec((object as Draft<AnyOverridePolicy>).spec, namespace),
    validate: ({ object, namespace }) =>
      refuseIfAny(webhook, overrideSpecErrors((object as AnyOverridePolicy).spec, namespace)),
  };
}

function binding(label: string, ids: Ids): KindRules {
  return {
    mutate({ object, operation }) {
      if (operation !== 'CREATE' || object.metadata.labels?.[label]) return;
      object.metadata.labels = { ...object.metadata.labels, [label]: ids.uid() };
    },
    validate({ object }) {
      if (object.kind !== RESOURCE_BINDING.kind) return;
      refuseIfAny('resourcebinding.karmada.io', dependenciesErrors(object as AnyBinding));
    },
  };
}

function dependenciesErrors({ metadata }: AnyBinding) {
  const text = metadata.annotations?.[ANNOTATIONS.dependencies];
  if (text === undefined) return [];
  try {
    const listed: unknown = JSON.parse(text);
    if (listed === null || Array.isArray(listed)) return [];
  } catch {
    // Falls through to the complaint: what was thrown says no more than that.
  }
  const path = `metadata.annotations.${ANNOTATIONS.dependencies}`;
  return [invalid(path, text, 'annotation value must be a valid JSON')];
}

/** Clusters are served by Karmada's own API server, not guarded by a webhook: what is wrong with one is `Invalid`. */
function cluster(clock: Clock): KindRules {
  return {
    mutate: ({ object, operation }) => defaultCluster(object as Draft<Cluster>, operation, clock),
    validate({ object, gvk, name }) {
      const errors = clusterErrors(object as Cluster);
      if (errors.length > 0) throw invalidObject(gvk, name, errors);
    },
  };
}

/** A template that says so cannot be deleted until it stops saying so. */
const deletionProtection: AdmissionPlugin = {
  name: 'ResourceDeletionProtection',
  handles: ({ operation, subresource }) => operation === 'DELETE' && subresource === undefined,
  validate({ oldObject }) {
    if (oldObject?.metadata.labels?.[LABELS.deletionProtected] !== 'Always') return;
    const message = `This resource is protected, please make sure to remove the label: ${LABELS.deletionProtected}`;
    throw denied('resourcedeletionprotection.karmada.io', message);
  },
};
