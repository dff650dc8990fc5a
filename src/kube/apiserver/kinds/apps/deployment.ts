import type { Deployment, DeploymentStrategy } from '#gen/kube/types.ts';
import { jsonEqual } from '#base/json.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { forbidden, invalid, notSupported } from '#kube/meta/field-error.ts';
import { ageColumn, column, containerColumns, nameColumn } from '../columns.ts';
import { immutable, intOrPercent, isZero, nonNegative, notMoreThan100Percent } from '../checks.ts';
import { type Errors, type Given, kind, type Making } from '../kind.ts';
import { defaultPodTemplate } from '../pod/pod-defaults.ts';
import { templateWarnings } from '../pod/pod-warnings.ts';
import { selectorColumn, workloadScale } from './workload.ts';
import { replicaCounts, requiredSelector, selectedTemplate } from './workload-rules.ts';

export const deployments: ResourceDefinition = kind<Deployment>(
  { group: 'apps', version: 'v1', kind: 'Deployment' },
  {
    shortNames: ['deploy'],
    categories: ['all'],
    generation: isNewGeneration,
    scale: workloadScale,
    defaults: defaultDeployment,
    validate: deploymentRules,
    warnings: ({ spec }) => templateWarnings(spec?.template, 'spec.template'),
    validateUpdate: deploymentUpdate,
    validateStatus: deploymentStatus,
    statusKeeps: ['labels'],
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

function* deploymentRules({ spec = {} }: Given<Deployment>): Errors {
  yield* nonNegative(spec.replicas, 'spec.replicas');
  yield* requiredSelector(spec.selector, 'deployment');
  yield* selectedTemplate(spec.selector, spec.template);
  yield* strategyRules(spec.strategy ?? {});
  yield* nonNegative(spec.minReadySeconds, 'spec.minReadySeconds');
  yield* nonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit');
  yield* nonNegative(spec.progressDeadlineSeconds, 'spec.progressDeadlineSeconds');
  if (spec.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds <= (spec.minReadySeconds ?? 0)) {
    yield invalid('spec.progressDeadlineSeconds', spec.progressDeadlineSeconds, 'must be greater than minReadySeconds');
  }
}

function* strategyRules(strategy: Given<DeploymentStrategy>): Errors {
  const path = 'spec.strategy.rollingUpdate';
  if (strategy.type === 'Recreate') {
    if (strategy.rollingUpdate) yield forbidden(path, "may not be specified when strategy `type` is 'Recreate'");
  } else if (strategy.type === 'RollingUpdate') {
    const { maxUnavailable, maxSurge } = strategy.rollingUpdate ?? {};
    yield* intOrPercent(maxUnavailable, `${path}.maxUnavailable`);
    yield* intOrPercent(maxSurge, `${path}.maxSurge`);
    if (isZero(maxUnavailable) && isZero(maxSurge)) {
      yield invalid(`${path}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0');
    }
    yield* notMoreThan100Percent(maxUnavailable, `${path}.maxUnavailable`);
  } else yield notSupported('spec.strategy', strategy, ['Recreate', 'RollingUpdate']);
}

function* deploymentUpdate(deployment: Given<Deployment>, old: Given<Deployment>): Errors {
  yield* deploymentRules(deployment);
  yield* immutable(deployment.spec?.selector, old.spec?.selector, 'spec.selector');
}

function* deploymentStatus({ status = {} }: Given<Deployment>, old: Given<Deployment>): Errors {
  yield* replicaCounts(status, ['updatedReplicas', 'readyReplicas', 'availableReplicas']);
  if ((status.collisionCount ?? 0) < (old.status?.collisionCount ?? 0)) {
    yield invalid('status.collisionCount', status.collisionCount ?? 0, 'cannot be decremented');
  }
}
