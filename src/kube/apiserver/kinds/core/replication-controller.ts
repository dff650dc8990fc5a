/** Replication controllers and pod templates: kept for those who still have them. */
import type { PodTemplate, ReplicationController } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { required } from '#kube/meta/field-error.ts';
import { formatLabels } from '#kube/meta/label-selector.ts';
import { ageColumn, column, containerColumns, nameColumn, wideColumn } from '../columns.ts';
import { matchingLabels, lastingTemplate, replicaCounts } from '../apps/workload-rules.ts';
import { nonNegative } from '../checks.ts';
import { type Errors, type Given, kind, type Making } from '../kind.ts';
import { podTemplate } from '../pod/pod-spec-rules.ts';
import { defaultPodTemplate } from '../pod/pod-defaults.ts';

export const replicationControllers: ResourceDefinition = kind<ReplicationController>(
  { group: '', version: 'v1', kind: 'ReplicationController' },
  {
    shortNames: ['rc'],
    categories: ['all'],
    generation: 'spec',
    defaultPropagation: 'Orphan',
    defaults: defaultReplicationController,
    validate: replicationControllerRules,
    validateStatus: ({ status = {} }) =>
      replicaCounts(status, ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']),
    fields: { 'status.replicas': ({ status }) => String(status?.replicas ?? 0) },
    scale: {
      specReplicas: ['spec', 'replicas'],
      statusReplicas: ['status', 'replicas'],
      selector: (object) => {
        const { spec } = object as unknown as ReplicationController;
        return spec?.selector ? formatLabels(spec.selector) : undefined;
      },
    },
    columns: [
      nameColumn,
      column<ReplicationController>('Desired', 'Replicas wanted.', ({ spec }) => spec?.replicas ?? 0, {
        type: 'integer',
      }),
      column<ReplicationController>('Current', 'Replicas there are.', ({ status }) => status?.replicas ?? 0, {
        type: 'integer',
      }),
      column<ReplicationController>('Ready', 'Replicas that are ready.', ({ status }) => status?.readyReplicas ?? 0, {
        type: 'integer',
      }),
      ageColumn,
      ...containerColumns<ReplicationController>(({ spec }) => spec?.template?.spec?.containers),
      wideColumn<ReplicationController>('Selector', 'The labels of its pods.', ({ spec }) =>
        formatLabels(spec?.selector as Record<string, string> | undefined),
      ),
    ],
  },
);

function defaultReplicationController(controller: Making<ReplicationController>): void {
  const spec = (controller.spec ??= {});
  const labels = spec.template?.metadata?.labels;
  if (labels && Object.keys(spec.selector ?? {}).length === 0) spec.selector = { ...labels };
  if (labels && controller.metadata && Object.keys(controller.metadata.labels ?? {}).length === 0) {
    controller.metadata.labels = { ...labels };
  }
  spec.replicas ??= 1;
  defaultPodTemplate(spec.template);
}

export const podTemplates: ResourceDefinition = kind<PodTemplate>(
  { group: '', version: 'v1', kind: 'PodTemplate' },
  {
    generation: 'spec',
    deleteReturnsObject: true,
    defaults: (template) => defaultPodTemplate((template.template ??= {})),
    validate: ({ template }) => podTemplate(template, 'template'),
    columns: [
      nameColumn,
      ...containerColumns<PodTemplate>(({ template }) => template?.spec?.containers).map((one) => ({
        ...one,
        priority: 0,
      })),
      column<PodTemplate>('Pod Labels', 'The labels pods made from it get.', ({ template }) =>
        formatLabels(template?.metadata?.labels as Record<string, string> | undefined),
      ),
    ],
  },
);

function* replicationControllerRules({ spec = {} }: Given<ReplicationController>): Errors {
  yield* nonNegative(spec.minReadySeconds, 'spec.minReadySeconds');
  const selector = Object.keys(spec.selector ?? {}).length > 0 ? { matchLabels: spec.selector } : undefined;
  if (!selector) yield required('spec.selector');
  yield* nonNegative(spec.replicas, 'spec.replicas');
  if (!spec.template) return yield required('spec.template');
  if (selector) yield* matchingLabels(selector, spec.template);
  yield* lastingTemplate(spec.template, 'ReplicationController');
}
