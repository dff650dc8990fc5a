import type { FlowSchema, PriorityLevelConfiguration } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { kind, type Making } from '../kind.ts';

const GROUP = { group: 'flowcontrol.apiserver.k8s.io', version: 'v1' } as const;

export const flowSchemas: ResourceDefinition = kind<FlowSchema>(
  { ...GROUP, kind: 'FlowSchema' },
  {
    generation: 'spec',
    defaults: (schema) => {
      (schema.spec ??= {}).matchingPrecedence ||= 1_000;
    },
    columns: [
      nameColumn,
      column<FlowSchema>(
        'PriorityLevel',
        'The level its requests run at.',
        ({ spec }) => spec?.priorityLevelConfiguration?.name ?? '',
      ),
      column<FlowSchema>('MatchingPrecedence', 'Its turn in matching.', ({ spec }) => spec?.matchingPrecedence ?? 0),
      column<FlowSchema>(
        'DistinguisherMethod',
        'What tells flows apart.',
        ({ spec }) => spec?.distinguisherMethod?.type ?? '<none>',
      ),
      ageColumn,
      column<FlowSchema>(
        'MissingPL',
        'Whether its level does not exist.',
        ({ status }) => (status?.conditions ?? []).find(({ type }) => type === 'Dangling')?.status ?? '?',
      ),
    ],
  },
);

export const priorityLevelConfigurations: ResourceDefinition = kind<PriorityLevelConfiguration>(
  { ...GROUP, kind: 'PriorityLevelConfiguration' },
  {
    generation: 'spec',
    defaults: defaultLevel,
    columns: [
      nameColumn,
      column<PriorityLevelConfiguration>('Type', 'Whether it is limited.', ({ spec }) => spec?.type ?? ''),
      column<PriorityLevelConfiguration>(
        'NominalConcurrencyShares',
        'Its share of all requests at once.',
        ({ spec }) => spec?.limited?.nominalConcurrencyShares ?? '<none>',
      ),
      column<PriorityLevelConfiguration>(
        'Queues',
        'How many queues it has.',
        ({ spec }) => spec?.limited?.limitResponse?.queuing?.queues ?? '<none>',
      ),
      column<PriorityLevelConfiguration>(
        'HandSize',
        'How many of them one flow uses.',
        ({ spec }) => spec?.limited?.limitResponse?.queuing?.handSize ?? '<none>',
      ),
      column<PriorityLevelConfiguration>(
        'QueueLengthLimit',
        'How long they may be.',
        ({ spec }) => spec?.limited?.limitResponse?.queuing?.queueLengthLimit ?? '<none>',
      ),
      ageColumn,
    ],
  },
);

function defaultLevel({ spec }: Making<PriorityLevelConfiguration>): void {
  if (spec?.limited) {
    spec.limited.nominalConcurrencyShares ??= 30;
    spec.limited.lendablePercent ??= 0;
  }
  if (spec?.exempt) {
    spec.exempt.nominalConcurrencyShares ??= 0;
    spec.exempt.lendablePercent ??= 0;
  }
  const queuing = spec?.limited?.limitResponse?.queuing;
  if (!queuing) return;
  queuing.handSize ||= 8;
  queuing.queues ||= 64;
  queuing.queueLengthLimit ||= 50;
}
