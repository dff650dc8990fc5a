import type { MatchResources, ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from '#gen/kube/types.ts';
import { META_FIELDS, type ResourceDefinition } from '#kube/apiserver/resource.ts';
import { duplicate, forbidden, required } from '#kube/meta/field-error.ts';
import { formatLabelSelector } from '#kube/meta/label-selector.ts';
import { selectorGiven } from '../apps/workload.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { oneOf, requiredField } from '../checks.ts';
import { type Errors, type Given, kind, type Making } from '../kind.ts';
import { matchRule } from './rule-rules.ts';

const GROUP = { group: 'admissionregistration.k8s.io', version: 'v1' } as const;

export const validatingAdmissionPolicies: ResourceDefinition = kind<ValidatingAdmissionPolicy>(
  { ...GROUP, kind: 'ValidatingAdmissionPolicy' },
  {
    categories: ['api-extensions'],
    generation: 'spec',
    unconditionalUpdate: false,
    validate: policyRules,
    statusKeeps: META_FIELDS,
    defaults: (policy) => {
      const spec = (policy.spec ??= {});
      spec.failurePolicy ??= 'Fail';
      defaultMatch(spec.matchConstraints);
    },
    columns: [
      nameColumn,
      column<ValidatingAdmissionPolicy>(
        'Validations',
        'How many rules it has.',
        ({ spec }) => (spec?.validations ?? []).length,
        {
          type: 'integer',
        },
      ),
      column<ValidatingAdmissionPolicy>('ParamKind', 'What its parameters are.', ({ spec }) =>
        spec?.paramKind ? `${spec.paramKind.apiVersion ?? ''}/${spec.paramKind.kind ?? ''}` : '<unset>',
      ),
      ageColumn,
    ],
  },
);

export const validatingAdmissionPolicyBindings: ResourceDefinition = kind<ValidatingAdmissionPolicyBinding>(
  { ...GROUP, kind: 'ValidatingAdmissionPolicyBinding' },
  {
    categories: ['api-extensions'],
    generation: 'spec',
    unconditionalUpdate: false,
    defaults: ({ spec }) => defaultMatch(spec?.matchResources),
    validate: bindingRules,
    columns: [
      nameColumn,
      column<ValidatingAdmissionPolicyBinding>(
        'PolicyName',
        'The policy it puts to work.',
        ({ spec }) => spec?.policyName ?? '',
      ),
      column<ValidatingAdmissionPolicyBinding>('ParamRef', 'Its parameters.', paramText),
      ageColumn,
    ],
  },
);

function defaultMatch(match: Making<MatchResources> | undefined): void {
  if (!match) return;
  match.matchPolicy ??= 'Equivalent';
  match.namespaceSelector ??= {};
  match.objectSelector ??= {};
  for (const rule of [...(match.resourceRules ?? []), ...(match.excludeResourceRules ?? [])]) rule.scope ??= '*';
}

function paramText({ spec }: Given<ValidatingAdmissionPolicyBinding>): string {
  const param = spec?.paramRef;
  if (param?.name) return `${param.namespace || '*'}/${param.name}`;
  return param?.selector ? formatLabelSelector(selectorGiven(param.selector)) : '<unset>';
}

function* policyRules({ spec = {} }: Given<ValidatingAdmissionPolicy>): Errors {
  const { validations = [], auditAnnotations = [], matchConstraints, paramKind, failurePolicy } = spec;
  yield* oneOf(failurePolicy, ['Fail', 'Ignore'], 'spec.failurePolicy');
  if (paramKind) {
    yield* requiredField(paramKind.apiVersion, 'spec.paramKind.apiVersion');
    yield* requiredField(paramKind.kind, 'spec.paramKind.kind');
  }
  if (!matchConstraints) yield required('spec.matchConstraints');
  else if ((matchConstraints.resourceRules ?? []).length === 0) yield required('spec.matchConstraints.resourceRules');
  for (const [at, rule] of (matchConstraints?.resourceRules ?? []).entries()) {
    yield* matchRule(rule, `spec.matchConstraints.resourceRules[${at}]`);
  }
  if (validations.length + auditAnnotations.length === 0) {
    yield required('spec.validations', 'validations or auditAnnotations must be non-empty');
  }
  for (const [at, { expression = '', reason }] of validations.entries()) {
    if (expression.trim() === '') yield required(`spec.validations[${at}].expression`, 'expression is not specified');
    const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge', 'Unauthorized'];
    yield* oneOf(reason, reasons, `spec.validations[${at}].reason`);
  }
}

const ACTIONS = ['Audit', 'Deny', 'Warn'];

function* bindingRules({ spec = {} }: Given<ValidatingAdmissionPolicyBinding>): Errors {
  const { policyName, paramRef, validationActions: actions = [] } = spec;
  yield* requiredField(policyName, 'spec.policyName');
  if (paramRef && !paramRef.name && !paramRef.selector) {
    yield required('spec.paramRef', 'one of name or selector must be specified');
  }
  if (paramRef?.name && paramRef.selector) {
    yield forbidden('spec.paramRef.name', 'name and selector are mutually exclusive');
  }
  if (actions.length === 0) yield required('spec.validationActions', 'at least one validation action is required');
  for (const [at, action] of actions.entries()) {
    yield* oneOf(action, ACTIONS, `spec.validationActions[${at}]`);
    if (actions.indexOf(action) < at) yield duplicate(`spec.validationActions[${at}]`, action);
  }
}
