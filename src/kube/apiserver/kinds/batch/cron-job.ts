import type { CronJob } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { invalid, notSupported, required } from '#kube/meta/field-error.ts';
import { ageOf } from '#kube/meta/age.ts';
import { formatLabelSelector } from '#kube/meta/label-selector.ts';
import { selectorGiven } from '../apps/workload.ts';
import { ageColumn, column, containerColumns, nameColumn, wideColumn } from '../columns.ts';
import { nonNegative, requiredOneOf } from '../checks.ts';
import { type Errors, type Given, kind, type Making } from '../kind.ts';
import { defaultPodTemplate } from '../pod/pod-defaults.ts';
import { templateWarnings } from '../pod/pod-warnings.ts';
import { parseCronSchedule } from './cron-schedule.ts';
import { jobSpec } from './job-rules.ts';

export const cronJobs: ResourceDefinition = kind<CronJob>(
  { group: 'batch', version: 'v1', kind: 'CronJob' },
  {
    shortNames: ['cj'],
    categories: ['all'],
    generation: 'spec',
    defaults: defaultCronJob,
    validate: cronJobRules,
    warnings: ({ spec }) => templateWarnings(spec?.jobTemplate?.spec?.template, 'spec.jobTemplate.spec.template'),
    validateUpdate: cronJobUpdate,
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

/** Pods get eleven more characters than the job: a dash and the minute of its start. */
const MAX_NAME = 52;

function* cronJobRules(job: Given<CronJob>): Errors {
  yield* specRules(job, undefined);
  const name = job.metadata?.name ?? '';
  if (name.length > MAX_NAME) yield invalid('metadata.name', name, `must be no more than ${MAX_NAME} characters`);
}

function* cronJobUpdate(job: Given<CronJob>, old: Given<CronJob>): Errors {
  yield* specRules(job, old);
}

function* specRules({ spec = {} }: Given<CronJob>, old: Given<CronJob> | undefined): Errors {
  const { schedule = '', timeZone } = spec;
  if (schedule === '') yield required('spec.schedule');
  else yield* scheduleRules(schedule, old?.spec?.schedule?.includes('TZ') ?? false, timeZone !== undefined);
  yield* nonNegative(spec.startingDeadlineSeconds, 'spec.startingDeadlineSeconds');
  if (timeZone !== undefined) yield* timeZoneRules(timeZone);
  yield* requiredOneOf(spec.concurrencyPolicy, ['Allow', 'Forbid', 'Replace'], 'spec.concurrencyPolicy');
  const template = spec.jobTemplate?.spec ?? {};
  yield* jobSpec(template, 'spec.jobTemplate.spec');
  if (template.selector)
    yield invalid('spec.jobTemplate.spec.selector', template.selector, '`selector` will be auto-generated');
  if (template.manualSelector) yield notSupported('spec.jobTemplate.spec.manualSelector', true, ['nil', 'false']);
  yield* nonNegative(spec.successfulJobsHistoryLimit, 'spec.successfulJobsHistoryLimit');
  yield* nonNegative(spec.failedJobsHistoryLimit, 'spec.failedJobsHistoryLimit');
}

/** A zone inside the schedule is tolerated where it has always been. */
function* scheduleRules(schedule: string, zonedBefore: boolean, hasZone: boolean): Errors {
  const parsed = parseCronSchedule(schedule);
  if ('problem' in parsed) yield invalid('spec.schedule', schedule, parsed.problem);
  if (!schedule.includes('TZ')) return;
  if (!zonedBefore) {
    yield invalid('spec.schedule', schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead');
  } else if (hasZone) {
    yield invalid('spec.schedule', schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule');
  }
}

function* timeZoneRules(timeZone: string): Errors {
  if (timeZone === '') yield invalid('spec.timeZone', timeZone, 'timeZone must be nil or non-empty string');
  else if (timeZone.toLowerCase() === 'local') {
    const rule = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    yield invalid('spec.timeZone', timeZone, rule);
  } else if (!isTimeZone(timeZone)) yield invalid('spec.timeZone', timeZone, `unknown time zone ${timeZone}`);
}

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
