import type { PodDisruptionBudget } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { invalid } from '#kube/meta/field-error.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { intOrPercent, labelSelector, notMoreThan100Percent, oneOf } from '../checks.ts';
import { type Errors, type Given, kind } from '../kind.ts';

export const podDisruptionBudgets: ResourceDefinition = kind<PodDisruptionBudget>(
  { group: 'policy', version: 'v1', kind: 'PodDisruptionBudget' },
  {
    shortNames: ['pdb'],
    generation: 'spec',
    unconditionalUpdate: false,
    validate: budgetRules,
    columns: [
      nameColumn,
      column<PodDisruptionBudget>('Min Available', 'How many must stay.', ({ spec }) =>
        String(spec?.minAvailable ?? 'N/A'),
      ),
      column<PodDisruptionBudget>('Max Unavailable', 'How many may go.', ({ spec }) =>
        String(spec?.maxUnavailable ?? 'N/A'),
      ),
      column<PodDisruptionBudget>(
        'Allowed Disruptions',
        'How many may go now.',
        ({ status }) => status?.disruptionsAllowed ?? 0,
        { type: 'integer' },
      ),
      ageColumn,
    ],
  },
);

function* budgetRules({ spec = {} }: Given<PodDisruptionBudget>): Errors {
  if (spec.minAvailable !== undefined && spec.maxUnavailable !== undefined) {
    yield invalid('spec', spec, 'minAvailable and maxUnavailable cannot be both set');
  }
  for (const field of ['minAvailable', 'maxUnavailable'] as const) {
    yield* intOrPercent(spec[field], `spec.${field}`);
    yield* notMoreThan100Percent(spec[field], `spec.${field}`);
  }
  yield* labelSelector(spec.selector, 'spec.selector');
  yield* oneOf(spec.unhealthyPodEvictionPolicy, ['AlwaysAllow', 'IfHealthyBudget'], 'spec.unhealthyPodEvictionPolicy');
}
