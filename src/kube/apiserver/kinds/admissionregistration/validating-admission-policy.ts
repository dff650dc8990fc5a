import type { MatchResources, ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { formatLabelSelector } from '#kube/meta/label-selector.ts';
import { selectorGiven } from '../apps/workload.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { type Given, kind, type Making } from '../kind.ts';

const GROUP = { group: 'admissionregistration.k8s.io', version: 'v1' } as const;

export const validatingAdmissionPolicies: ResourceDefinition = kind<ValidatingAdmissionPolicy>(
  { ...GROUP, kind: 'ValidatingAdmissionPolicy' },
  {
    categories: ['api-extensions'],
    generation: 'spec',
    unconditionalUpdate: false,
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
