import type { Job, JobSpec } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { humanDuration } from '#kube/meta/age.ts';
import { selectorColumn } from '../apps/workload.ts';
import { ageColumn, column, containerColumns, nameColumn } from '../columns.ts';
import { type Given, kind, type Making } from '../kind.ts';
import { defaultPodTemplate } from '../pod/pod-defaults.ts';
import { templateWarnings } from '../pod/pod-warnings.ts';
import { jobRules, jobUpdate } from './job-rules.ts';

export const jobs: ResourceDefinition = kind<Job>(
  { group: 'batch', version: 'v1', kind: 'Job' },
  {
    categories: ['all'],
    generation: 'spec',
    defaultPropagation: 'Orphan',
    defaults: defaultJob,
    create: generateSelector,
    validate: jobRules,
    warnings: ({ spec }) => templateWarnings(spec?.template, 'spec.template'),
    validateUpdate: jobUpdate,
    fields: { 'status.successful': ({ status }) => String(status?.succeeded ?? 0) },
    columns: [
      nameColumn,
      column<Job>('Status', 'How far it is.', statusText),
      column<Job>('Completions', 'Pods that succeeded, of those needed.', completionsText),
      column<Job>('Duration', 'How long it runs, or ran.', durationText),
      ageColumn,
      ...containerColumns<Job>(({ spec }) => spec?.template?.spec?.containers),
      selectorColumn(),
    ],
  },
);

function defaultJob(job: Making<Job>): void {
  const spec = (job.spec ??= {});
  defaultJobSpec(spec);
  // A new Job's pods get further labels with its selector, and the Job has those too.
  if (spec.selector) labelAsTemplate(job);
  defaultPodTemplate((spec.template ??= {}));
}

const NO_LIMIT = 2 ** 31 - 1;

function defaultJobSpec(spec: Making<JobSpec>): void {
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : NO_LIMIT;
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed';
  spec.manualSelector ??= false;
  for (const rule of spec.podFailurePolicy?.rules ?? []) {
    for (const pattern of rule.onPodConditions ?? []) pattern.status ||= 'True';
  }
}

/** Unless its author insists on a selector, a Job finds its pods by a label with its own uid. */
export function generateSelector(job: Making<Job>): void {
  const spec = (job.spec ??= {});
  if (!spec.manualSelector) selectByUid(job, spec);
  labelAsTemplate(job);
}

/** A Job without labels has those of its pods. */
function labelAsTemplate({ metadata, spec }: Making<Job>): void {
  const labels = spec?.template?.metadata?.labels;
  if (labels && metadata && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = { ...labels };
}

function selectByUid(job: Making<Job>, spec: Making<JobSpec>): void {
  const { uid = '', name = '' } = job.metadata ?? {};
  const template = (spec.template ??= {});
  const metadata = (template.metadata ??= {});
  metadata.labels = {
    ...metadata.labels,
    'controller-uid': uid,
    'batch.kubernetes.io/controller-uid': uid,
    'job-name': name,
    'batch.kubernetes.io/job-name': name,
  };
  spec.selector = {
    ...spec.selector,
    matchLabels: { ...spec.selector?.matchLabels, 'batch.kubernetes.io/controller-uid': uid },
  };
}

function completionsText({ spec, status }: Given<Job>): string {
  const succeeded = status?.succeeded ?? 0;
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`;
  return (spec?.parallelism ?? 0) > 1 ? `${succeeded}/1 of ${spec?.parallelism}` : `${succeeded}/1`;
}

function durationText({ status }: Given<Job>, now: number): string {
  if (!status?.startTime) return '';
  const end = status.completionTime ? Date.parse(status.completionTime) : now;
  return humanDuration(end - Date.parse(status.startTime));
}

function statusText({ metadata, status }: Given<Job>): string {
  const is = (type: string) => (status?.conditions ?? []).find((one) => one.type === type)?.status === 'True';
  if (is('Complete')) return 'Complete';
  if (is('Failed')) return 'Failed';
  if (metadata?.deletionTimestamp) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(is) ?? 'Running';
}
