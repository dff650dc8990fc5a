import type { PodDisruptionBudget } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { kind } from '../kind.ts';

export const podDisruptionBudgets: ResourceDefinition = kind<PodDisruptionBudget>(
  { group: 'policy', version: 'v1', kind: 'PodDisruptionBudget' },
  {
    shortNames: ['pdb'],
    generation: 'spec',
    unconditionalUpdate: false,
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
