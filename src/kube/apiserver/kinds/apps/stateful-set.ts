import type { StatefulSet } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageColumn, column, containerColumns, nameColumn } from '../columns.ts';
import { defaultClaim } from '../core/persistent-volume-claim.ts';
import { kind, type Making } from '../kind.ts';
import { defaultPodTemplate } from '../pod/pod-defaults.ts';
import { workloadScale } from './workload.ts';

export const statefulSets: ResourceDefinition = kind<StatefulSet>(
  { group: 'apps', version: 'v1', kind: 'StatefulSet' },
  {
    shortNames: ['sts'],
    categories: ['all'],
    generation: 'spec',
    scale: workloadScale,
    defaults: defaultStatefulSet,
    columns: [
      nameColumn,
      column<StatefulSet>(
        'Ready',
        'Replicas that are ready, of those wanted.',
        ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
      ),
      ageColumn,
      ...containerColumns<StatefulSet>(({ spec }) => spec?.template?.spec?.containers),
    ],
  },
);

function defaultStatefulSet(set: Making<StatefulSet>): void {
  const spec = (set.spec ??= {});
  spec.podManagementPolicy ||= 'OrderedReady';
  defaultUpdateStrategy((spec.updateStrategy ??= {}));
  const retention = (spec.persistentVolumeClaimRetentionPolicy ??= {});
  retention.whenDeleted ||= 'Retain';
  retention.whenScaled ||= 'Retain';
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  defaultPodTemplate((spec.template ??= {}));
  for (const claim of spec.volumeClaimTemplates ?? []) {
    // Claims made from a template carry their type, as a claim that stands alone does.
    claim.apiVersion = 'v1';
    claim.kind = 'PersistentVolumeClaim';
    defaultClaim(claim);
    claim.status = { phase: 'Pending' };
  }
}

type UpdateStrategy = NonNullable<NonNullable<Making<StatefulSet>['spec']>['updateStrategy']>;

function defaultUpdateStrategy(strategy: UpdateStrategy): void {
  if (!strategy.type) {
    strategy.type = 'RollingUpdate';
    strategy.rollingUpdate ??= {};
  }
  if (strategy.type !== 'RollingUpdate' || !strategy.rollingUpdate) return;
  strategy.rollingUpdate.partition ??= 0;
}
