import type { ReplicaSet } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageColumn, column, containerColumns, nameColumn } from '../columns.ts';
import { kind, type Making } from '../kind.ts';
import { defaultPodTemplate } from '../pod/pod-defaults.ts';
import { selectorColumn, workloadScale } from './workload.ts';

export const replicaSets: ResourceDefinition = kind<ReplicaSet>(
  { group: 'apps', version: 'v1', kind: 'ReplicaSet' },
  {
    shortNames: ['rs'],
    categories: ['all'],
    generation: 'spec',
    scale: workloadScale,
    defaults: defaultReplicaSet,
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
