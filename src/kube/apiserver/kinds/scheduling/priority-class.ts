import type { PriorityClass } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { forbidden } from '#kube/meta/field-error.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { immutable, oneOf } from '../checks.ts';
import { type Errors, type Given, kind } from '../kind.ts';

export const priorityClasses: ResourceDefinition = kind<PriorityClass>(
  { group: 'scheduling.k8s.io', version: 'v1', kind: 'PriorityClass' },
  {
    shortNames: ['pc'],
    // It has a generation that nothing ever raises.
    generation: () => false,
    defaults: (priorityClass) => {
      priorityClass.preemptionPolicy ??= 'PreemptLowerPriority';
    },
    validate: priorityClassRules,
    validateUpdate: priorityClassUpdate,
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

const SYSTEM = { 'system-node-critical': 2_000_001_000, 'system-cluster-critical': 2_000_000_000 } as const;
const MAX_USER_PRIORITY = 1_000_000_000;

function* priorityClassRules({ metadata, value = 0, globalDefault, preemptionPolicy }: Given<PriorityClass>): Errors {
  const name = metadata?.name ?? '';
  if (name.startsWith('system-')) {
    const problem = systemProblem(name, value, globalDefault ?? false);
    const rule = "priority class names with 'system-' prefix are reserved for system use only. error: ";
    if (problem) yield forbidden('metadata.name', `${rule}${problem}`);
  } else if (value > MAX_USER_PRIORITY) {
    yield forbidden('value', `maximum allowed value of a user defined priority is ${MAX_USER_PRIORITY}`);
  }
  yield* oneOf(preemptionPolicy, ['PreemptLowerPriority', 'Never'], 'preemptionPolicy');
}

function systemProblem(name: string, value: number, globalDefault: boolean): string | undefined {
  const expected = SYSTEM[name as keyof typeof SYSTEM] as number | undefined;
  if (expected === undefined) return `${name} is not a known system priority class`;
  if (value !== expected) return `value of ${name} PriorityClass must be ${expected}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

function* priorityClassUpdate(priorityClass: Given<PriorityClass>, old: Given<PriorityClass>): Errors {
  if (priorityClass.value !== old.value) yield forbidden('value', 'may not be changed in an update.');
  yield* immutable(priorityClass.preemptionPolicy, old.preemptionPolicy, 'preemptionPolicy');
}
