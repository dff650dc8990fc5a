/** What a PropagationPolicy or ClusterPropagationPolicy may say, and what of it may change. */
import type {
  AnyPropagationPolicy,
  ApplicationFailoverBehavior,
  FailoverBehavior,
  PropagationSpec,
  ResourceSelector,
  StatePreservation,
  Suspension,
} from '#karmada/apis/index.ts';
import { isPurgedGracefully, LABELS } from '#karmada/apis/index.ts';
import { type FieldError, invalid } from '#kube/meta/field-error.ts';
import { qualifiedNameProblems } from '#kube/meta/names.ts';
import { placementErrors } from './placement-rules.ts';

/** `namespace` is the policy's own; absent for a cluster policy. */
export function propagationSpecErrors(spec: PropagationSpec, namespace: string | undefined): FieldError[] {
  const errors = placementErrors(spec.placement ?? {}, 'spec.placement');
  if (spec.failover?.application && !spec.propagateDeps) {
    const problem = 'application failover is set, propagateDeps must be true';
    errors.push(invalid('spec.propagateDeps', false, problem));
  }
  errors.push(...failoverErrors(spec.failover, 'spec.failover'));
  errors.push(...selectorNamespaceErrors(spec.resourceSelectors, namespace, 'spec.resourceSelectors'));
  errors.push(...preemptionErrors(spec, 'spec.resourceSelectors'));
  errors.push(...suspensionErrors(spec.suspension, 'spec.suspension'));
  return errors;
}

/** The one thing wrong with a change of a policy, or with the stamp it should carry. */
export function policyStampProblem(policy: AnyPropagationPolicy, old?: AnyPropagationPolicy): string | undefined {
  const label =
    policy.kind === 'ClusterPropagationPolicy' ? LABELS.clusterPropagationPolicyId : LABELS.propagationPolicyId;
  const id = policy.metadata.labels?.[label];
  if (old && policy.spec.schedulerName !== old.spec.schedulerName) return 'the schedulerName should not be updated';
  if (old && id !== old.metadata.labels?.[label]) {
    return `label ${label} is immutable, it can only be set by the system during creation`;
  }
  if (id === undefined) {
    return `label ${label} is required, it should be set by the mutating admission webhook during creation`;
  }
  return undefined;
}

export function selectorNamespaceErrors(
  selectors: readonly ResourceSelector[] | undefined,
  namespace: string | undefined,
  path: string,
): FieldError[] {
  if (namespace === undefined) return [];
  const problem = 'namespace of resource selector must be the same as the namespace of the policy';
  return (selectors ?? []).flatMap((selector, index) =>
    selector.namespace === namespace ? [] : [invalid(`${path}[${index}].namespace`, selector.namespace ?? '', problem)],
  );
}

function preemptionErrors(spec: PropagationSpec, path: string): FieldError[] {
  if (spec.preemption !== 'Always') return [];
  const problem =
    'name cannot be empty if preemption is Always, the empty name may cause unexpected resources preemption';
  return spec.resourceSelectors.flatMap(({ name }, index) =>
    name ? [] : [invalid(`${path}[${index}].name`, name ?? '', problem)],
  );
}

function suspensionErrors(suspension: Suspension | undefined, path: string): FieldError[] {
  if (!suspension?.dispatching || !suspension.dispatchingOnClusters?.clusterNames?.length) return [];
  const problem = 'suspension dispatching cannot co-exist with dispatchingOnClusters.clusterNames';
  return [invalid(`${path}.suspension`, suspension, problem)];
}

function failoverErrors(failover: FailoverBehavior | undefined, path: string): FieldError[] {
  return [
    ...applicationFailoverErrors(failover?.application, `${path}.application`),
    ...statePreservationErrors(failover?.cluster?.statePreservation, `${path}.cluster.statePreservation`),
  ];
}

function applicationFailoverErrors(rule: ApplicationFailoverBehavior | undefined, path: string): FieldError[] {
  if (!rule) return [];
  const errors: FieldError[] = [];
  const toleration = rule.decisionConditions.tolerationSeconds ?? 0;
  if (toleration < 0) {
    const at = `${path}.decisionConditions.tolerationSeconds`;
    errors.push(invalid(at, toleration, 'must be greater than or equal to 0'));
  }
  const problem = gracePeriodProblem(rule);
  if (problem) errors.push(invalid(`${path}.gracePeriodSeconds`, rule.gracePeriodSeconds, problem));
  return [...errors, ...statePreservationErrors(rule.statePreservation, `${path}.statePreservation`)];
}

function gracePeriodProblem({ purgeMode, gracePeriodSeconds }: ApplicationFailoverBehavior): string | undefined {
  const graceful = isPurgedGracefully(purgeMode);
  if (gracePeriodSeconds === undefined)
    return graceful ? 'should not be empty when purgeMode is gracefully' : undefined;
  if (!graceful) return 'only takes effect when purgeMode is gracefully';
  return gracePeriodSeconds <= 0 ? 'must be greater than 0' : undefined;
}

function statePreservationErrors(rule: StatePreservation | undefined, path: string): FieldError[] {
  return (rule?.rules ?? []).flatMap(({ aliasLabelName }, index) =>
    qualifiedNameProblems(aliasLabelName).map((problem) =>
      invalid(`${path}.rules[${index}].aliasLabelName`, aliasLabelName, problem),
    ),
  );
}
