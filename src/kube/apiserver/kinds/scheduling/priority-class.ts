import type { PriorityClass } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { kind } from '../kind.ts';

export const priorityClasses: ResourceDefinition = kind<PriorityClass>(
  { group: 'scheduling.k8s.io', version: 'v1', kind: 'PriorityClass' },
  {
    shortNames: ['pc'],
    // It has a generation that nothing ever raises.
    generation: () => false,
    defaults: (priorityClass) => {
      priorityClass.preemptionPolicy ??= 'PreemptLowerPriority';
    },
    columns: [
      nameColumn,
      column<PriorityClass>('Value', 'The priority of its pods.', ({ value }) => value ?? 0, { type: 'integer' }),
      column<PriorityClass>(
        'Global-Default',
        'Whether pods without a class get it.',
        ({ globalDefault }) => globalDefault ?? false,
        {
          type: 'boolean',
        },
      ),
      ageColumn,
      column<PriorityClass>(
        'PreemptionPolicy',
        'Whether its pods push others away.',
        ({ preemptionPolicy }) => preemptionPolicy ?? '',
      ),
    ],
  },
);
