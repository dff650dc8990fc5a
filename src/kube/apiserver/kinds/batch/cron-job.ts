import type { CronJob } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageOf } from '#kube/meta/age.ts';
import { formatLabelSelector } from '#kube/meta/label-selector.ts';
import { selectorGiven } from '../apps/workload.ts';
import { ageColumn, column, containerColumns, nameColumn, wideColumn } from '../columns.ts';
import { kind, type Making } from '../kind.ts';
import { defaultPodTemplate } from '../pod/pod-defaults.ts';

export const cronJobs: ResourceDefinition = kind<CronJob>(
  { group: 'batch', version: 'v1', kind: 'CronJob' },
  {
    shortNames: ['cj'],
    categories: ['all'],
    generation: 'spec',
    defaults: defaultCronJob,
    columns: [
      nameColumn,
      column<CronJob>('Schedule', 'When it runs.', ({ spec }) => spec?.schedule ?? ''),
      column<CronJob>('Timezone', 'Where its schedule is read.', ({ spec }) => spec?.timeZone ?? '<none>'),
      column<CronJob>(
        'Suspend',
        'Whether it waits.',
        ({ spec }) => (spec?.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False'),
        { type: 'boolean' },
      ),
      column<CronJob>('Active', 'Jobs that run now.', ({ status }) => (status?.active ?? []).length, {
        type: 'integer',
      }),
      column<CronJob>('Last Schedule', 'When it last ran.', ({ status }, now) =>
        status?.lastScheduleTime ? ageOf(status.lastScheduleTime, now) : '<none>',
      ),
      ageColumn,
      ...containerColumns<CronJob>(({ spec }) => spec?.jobTemplate?.spec?.template?.spec?.containers),
      wideColumn<CronJob>('Selector', 'Which pods are its own.', ({ spec }) =>
        formatLabelSelector(selectorGiven(spec?.jobTemplate?.spec?.selector)),
      ),
    ],
  },
);

function defaultCronJob(job: Making<CronJob>): void {
  const spec = (job.spec ??= {});
  spec.concurrencyPolicy ||= 'Allow';
  spec.suspend ??= false;
  spec.successfulJobsHistoryLimit ??= 3;
  spec.failedJobsHistoryLimit ??= 1;
  const jobSpec = ((spec.jobTemplate ??= {}).spec ??= {});
  defaultPodTemplate((jobSpec.template ??= {}));
  for (const rule of jobSpec.podFailurePolicy?.rules ?? []) {
    for (const pattern of rule.onPodConditions ?? []) pattern.status ||= 'True';
  }
}
