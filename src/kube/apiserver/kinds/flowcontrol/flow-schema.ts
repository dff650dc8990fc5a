import type { FlowSchema, PriorityLevelConfiguration } from '#gen/kube/types.ts';
import { META_FIELDS, type ResourceDefinition } from '#kube/apiserver/resource.ts';
import { forbidden, invalid, required } from '#kube/meta/field-error.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { oneOf, requiredField } from '../checks.ts';
import { type Errors, type Given, kind, type Making } from '../kind.ts';

const GROUP = { group: 'flowcontrol.apiserver.k8s.io', version: 'v1' } as const;

export const flowSchemas: ResourceDefinition = kind<FlowSchema>(
  { ...GROUP, kind: 'FlowSchema' },
  {
    validate: flowSchemaRules,
    statusKeeps: META_FIELDS,
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
    validate: levelRules,
    statusKeeps: META_FIELDS,
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

const MAX_PRECEDENCE = 10_000;

function* flowSchemaRules({ metadata, spec = {} }: Given<FlowSchema>): Errors {
  const { matchingPrecedence = 0, distinguisherMethod, priorityLevelConfiguration } = spec;
  if (matchingPrecedence <= 0) yield invalid('spec.matchingPrecedence', matchingPrecedence, 'must be a positive value');
  if (matchingPrecedence > MAX_PRECEDENCE) {
    yield invalid('spec.matchingPrecedence', matchingPrecedence, `must not be greater than ${MAX_PRECEDENCE}`);
  }
  if (matchingPrecedence === 1 && metadata?.name !== 'exempt') {
    yield invalid('spec.matchingPrecedence', 1, "only the schema named 'exempt' may have matchingPrecedence 1");
  }
  if (distinguisherMethod) {
    yield* oneOf(distinguisherMethod.type ?? '', ['ByNamespace', 'ByUser'], 'spec.distinguisherMethod');
  }
  yield* requiredField(priorityLevelConfiguration?.name, 'spec.priorityLevelConfiguration.name');
}

function* levelRules({ spec = {} }: Given<PriorityLevelConfiguration>): Errors {
  const { type = '', limited, exempt } = spec;
  yield* oneOf(type, ['Exempt', 'Limited'], 'spec.type');
  if (type === 'Exempt' && limited) yield forbidden('spec.limited', 'must be nil if the type is not Limited');
  if (type === 'Limited' && exempt) yield forbidden('spec.exempt', 'must be nil if the type is Limited');
  if (type !== 'Limited') return;
  if (!limited) return yield required('spec.limited', 'must not be empty when type is Limited');
  const { type: response = '', queuing } = limited.limitResponse ?? {};
  yield* oneOf(response, ['Queue', 'Reject'], 'spec.limited.limitResponse.type');
  if (response === 'Reject' && queuing) {
    yield forbidden('spec.limited.limitResponse.queuing', 'must be nil if limited.limitResponse.type is not Limited');
  }
  if (response === 'Queue' && !queuing) {
    const rule = 'must not be empty if limited.limitResponse.type is Limited';
    yield required('spec.limited.limitResponse.queuing', rule);
  }
}
