import type { ReplicaSet } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageColumn, column, containerColumns, nameColumn } from '../columns.ts';
import { immutable, nonNegative } from '../checks.ts';
import { type Errors, type Given, kind, type Making } from '../kind.ts';
import { defaultPodTemplate } from '../pod/pod-defaults.ts';
import { templateWarnings } from '../pod/pod-warnings.ts';
import { selectorColumn, workloadScale } from './workload.ts';
import { replicaCounts, requiredSelector, selectedTemplate } from './workload-rules.ts';

export const replicaSets: ResourceDefinition = kind<ReplicaSet>(
  { group: 'apps', version: 'v1', kind: 'ReplicaSet' },
  {
    shortNames: ['rs'],
    categories: ['all'],
    generation: 'spec',
    scale: workloadScale,
    defaults: defaultReplicaSet,
    validate: replicaSetRules,
    warnings: ({ spec }) => templateWarnings(spec?.template, 'spec.template'),
    validateUpdate: replicaSetUpdate,
    validateStatus: ({ status = {} }) =>
      replicaCounts(status, ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']),
    fields: { 'status.replicas': ({ status }) => String(status?.replicas ?? 0) },
    columns: [
      nameColumn,
      column<ReplicaSet>('Desired', 'Replicas wanted.', ({ spec }) => spec?.replicas ?? 0, { type: 'integer' }),
      column<ReplicaSet>('Current', 'Replicas there are.', ({ status }) => status?.replicas ?? 0, { type: 'integer' }),
      column<ReplicaSet>('Ready', 'Replicas that are ready.', ({ status }) => status?.readyReplicas ?? 0, {
        type: 'integer',
      }),
      ageColumn,
      ...containerColumns<ReplicaSet>(({ spec }) => spec?.template?.spec?.containers),
      selectorColumn(),
    ],
  },
);

function defaultReplicaSet(set: Making<ReplicaSet>): void {
  const spec = (set.spec ??= {});
  spec.replicas ??= 1;
  defaultPodTemplate((spec.template ??= {}));
}

function* replicaSetRules({ spec = {} }: Given<ReplicaSet>): Errors {
  yield* nonNegative(spec.replicas, 'spec.replicas');
  yield* nonNegative(spec.minReadySeconds, 'spec.minReadySeconds');
  // Kubernetes speaks of a Deployment here.
  yield* requiredSelector(spec.selector, 'deployment');
  yield* selectedTemplate(spec.selector, spec.template);
}

function* replicaSetUpdate(set: Given<ReplicaSet>, old: Given<ReplicaSet>): Errors {
  yield* replicaSetRules(set);
  yield* immutable(set.spec?.selector, old.spec?.selector, 'spec.selector');
}
