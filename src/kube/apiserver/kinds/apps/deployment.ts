import type { Deployment } from '#gen/kube/types.ts';
import { jsonEqual } from '#base/json.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageColumn, column, containerColumns, nameColumn } from '../columns.ts';
import { type Given, kind, type Making } from '../kind.ts';
import { defaultPodTemplate } from '../pod/pod-defaults.ts';
import { selectorColumn, workloadScale } from './workload.ts';

export const deployments: ResourceDefinition = kind<Deployment>(
  { group: 'apps', version: 'v1', kind: 'Deployment' },
  {
    shortNames: ['deploy'],
    categories: ['all'],
    generation: isNewGeneration,
    scale: workloadScale,
    defaults: defaultDeployment,
    columns: [
      nameColumn,
      column<Deployment>(
        'Ready',
        'Replicas that are ready, of those wanted.',
        ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`,
      ),
      column<Deployment>(
        'Up-to-date',
        'Replicas of the newest template.',
        ({ status }) => status?.updatedReplicas ?? 0,
      ),
      column<Deployment>(
        'Available',
        'Replicas ready for long enough.',
        ({ status }) => status?.availableReplicas ?? 0,
      ),
      ageColumn,
      ...containerColumns<Deployment>(({ spec }) => spec?.template?.spec?.containers),
      selectorColumn(),
    ],
  },
);

/** Annotations count too: the revision history of a Deployment copies them. */
function isNewGeneration(object: Given<Deployment>, old: Given<Deployment>): boolean {
  return (
    !jsonEqual(object.spec, old.spec) || !jsonEqual(object.metadata?.annotations ?? {}, old.metadata?.annotations ?? {})
  );
}

function defaultDeployment(deployment: Making<Deployment>): void {
  const spec = (deployment.spec ??= {});
  spec.replicas ??= 1;
  const strategy = (spec.strategy ??= {});
  strategy.type ||= 'RollingUpdate';
  if (strategy.type === 'RollingUpdate') {
    const rolling = (strategy.rollingUpdate ??= {});
    rolling.maxUnavailable ??= '25%';
    rolling.maxSurge ??= '25%';
  }
  spec.revisionHistoryLimit ??= 10;
  spec.progressDeadlineSeconds ??= 600;
  defaultPodTemplate((spec.template ??= {}));
}
