/** What a placement may say; as karmada v1.18 pkg/util/validation/validation.go. */
import type {
  ClusterAffinity,
  ClusterAffinityTerm,
  Placement,
  ReplicaSchedulingStrategy,
  SpreadConstraint,
  Toleration,
  WorkloadAffinity,
} from '#karmada/apis/index.ts';
import { type FieldError, invalid, notSupported } from '#kube/meta/field-error.ts';
import { qualifiedNameProblems } from '#kube/meta/names.ts';

export function placementErrors(placement: Placement, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (placement.clusterAffinity && placement.clusterAffinities) {
    errors.push(invalid(path, placement, 'clusterAffinities cannot co-exist with clusterAffinity'));
  }
  errors.push(...overflowAllowedErrors(placement, `${path}.clusterAffinities`));
  errors.push(...clusterAffinityErrors(placement.clusterAffinity, `${path}.clusterAffinity`));
  errors.push(...affinityTermErrors(placement.clusterAffinities ?? [], `${path}.clusterAffinities`));
  errors.push(...spreadErrors(placement.spreadConstraints ?? [], `${path}.spreadConstraints`));
  errors.push(...workloadAffinityErrors(placement.workloadAffinity, `${path}.workloadAffinity`));
  errors.push(...tolerationErrors(placement.clusterTolerations ?? [], `${path}.clusterTolerations`));
  return errors;
}

export function clusterAffinityErrors(affinity: ClusterAffinity | undefined, path: string): FieldError[] {
  for (const { key, operator } of affinity?.fieldSelector?.matchExpressions ?? []) {
    const problem = fieldSelectorProblem(key, operator);
    if (problem) return [invalid(`${path}.fieldSelector`, affinity?.fieldSelector, problem)];
  }
  return [];
}

function fieldSelectorProblem(key: string, operator: string): string | undefined {
  if (!['provider', 'region', 'zone'].includes(key)) {
    return `unsupported key ${JSON.stringify(key)}, must be provider, region, or zone`;
  }
  if (!['In', 'NotIn'].includes(operator)) {
    return `unsupported operator ${JSON.stringify(operator)}, must be In or NotIn`;
  }
  return undefined;
}

function overflowAllowedErrors(placement: Placement, path: string): FieldError[] {
  if (divisionByCapacity(placement.replicaScheduling)) return [];
  return (placement.clusterAffinities ?? []).flatMap(({ overflowAffinities }, index) =>
    overflowAffinities
      ? [
          invalid(
            `${path}[${index}].overflowAffinities`,
            overflowAffinities,
            'overflowAffinities can only be used together with dynamic weight or aggregated scheduling',
          ),
        ]
      : [],
  );
}

/** Tiers overflow by what fits: only a division that looks at capacity can fill them. */
function divisionByCapacity(scheduling: ReplicaSchedulingStrategy | undefined): boolean {
  if (scheduling?.replicaSchedulingType !== 'Divided') return false;
  return scheduling.replicaDivisionPreference === 'Aggregated' || !!scheduling.weightPreference?.dynamicWeight;
}

function affinityTermErrors(terms: readonly ClusterAffinityTerm[], path: string): FieldError[] {
  const seen = new Set<string>();
  return terms.flatMap((term, index) => {
    const at = `${path}[${index}]`;
    const errors = qualifiedNameProblems(term.affinityName).map((problem) => invalid(at, term.affinityName, problem));
    if (seen.has(term.affinityName)) {
      errors.push(invalid(path, terms, 'each affinity term in a policy must have a unique name'));
    }
    seen.add(term.affinityName);
    return [...errors, ...clusterAffinityErrors(term, at), ...overflowErrors(term, at)];
  });
}

function overflowErrors(term: ClusterAffinityTerm, path: string): FieldError[] {
  const tiers = term.overflowAffinities;
  if (!tiers) return [];
  const errors: FieldError[] = [];
  if (selectsNothingInParticular(term)) {
    const problem = 'overflowAffinities can only be used together with the inline ClusterAffinity';
    errors.push(invalid(`${path}.overflowAffinities`, tiers, problem));
  }
  const seen = new Set([term.affinityName]);
  for (const [index, tier] of tiers.entries()) {
    const at = `${path}.overflowAffinities[${index}]`;
    for (const problem of qualifiedNameProblems(tier.affinityName)) {
      errors.push(invalid(`${at}.affinityName`, tier.affinityName, problem));
    }
    if (seen.has(tier.affinityName)) {
      const problem = "overflow affinity name must be unique and must not duplicate the primary group's affinityName";
      errors.push(invalid(`${at}.affinityName`, tier.affinityName, problem));
    }
    seen.add(tier.affinityName);
    errors.push(...clusterAffinityErrors(tier, at));
  }
  return errors;
}

function selectsNothingInParticular(affinity: ClusterAffinity): boolean {
  if (affinity.labelSelector || affinity.fieldSelector) return false;
  return !affinity.clusterNames?.length && !affinity.exclude?.length;
}

function spreadErrors(constraints: readonly SpreadConstraint[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  const times = new Map<string, number>();
  for (const [index, constraint] of constraints.entries()) {
    for (const problem of spreadProblems(constraint)) errors.push(invalid(`${path}[${index}]`, constraint, problem));
    const field = constraint.spreadByField;
    if (!field) continue;
    times.set(field, (times.get(field) ?? 0) + 1);
    // Said once per field, however often it is repeated.
    if (times.get(field) === 2) {
      errors.push(invalid(path, constraints, `multiple ${field} spread constraints are not allowed`));
    }
  }
  if (times.size > 0 && !times.has('cluster')) {
    const problem =
      'the cluster spread constraint must be enabled in one of the constraints in case of SpreadByField is enabled';
    errors.push(invalid(path, constraints, problem));
  }
  return errors;
}

function spreadProblems({ spreadByField, spreadByLabel, minGroups = 0, maxGroups = 0 }: SpreadConstraint): string[] {
  const problems: string[] = [];
  if (spreadByField && spreadByLabel) problems.push('spreadByLabel should not co-exist with spreadByField');
  if (minGroups < 0) problems.push('minGroups lower than 0 is not allowed');
  if (maxGroups < 0) problems.push('maxGroups lower than 0 is not allowed');
  if (maxGroups > 0 && maxGroups < minGroups) problems.push('maxGroups lower than minGroups is not allowed');
  return problems;
}

function workloadAffinityErrors(rule: WorkloadAffinity | undefined, path: string): FieldError[] {
  const near = rule?.affinity?.groupByLabelKey;
  const apart = rule?.antiAffinity?.groupByLabelKey;
  const errors = [
    ...labelKeyErrors(near, `${path}.affinity.groupByLabelKey`),
    ...labelKeyErrors(apart, `${path}.antiAffinity.groupByLabelKey`),
  ];
  if (near !== undefined && near === apart) {
    errors.push(invalid(path, rule, 'affinity and antiAffinity must not use the same groupByLabelKey'));
  }
  return errors;
}

function labelKeyErrors(key: string | undefined, path: string): FieldError[] {
  return key === undefined ? [] : qualifiedNameProblems(key).map((problem) => invalid(path, key, problem));
}

/** Lt and Gt compare node labels; on clusters they would mean something nobody has defined. */
function tolerationErrors(tolerations: readonly Toleration[], path: string): FieldError[] {
  return tolerations.flatMap(({ operator }, index) =>
    operator === 'Lt' || operator === 'Gt'
      ? [notSupported(`${path}[${index}].operator`, operator, ['', 'Exists', 'Equal'])]
      : [],
  );
}
