import type { KindCases } from '../kind-cases.ts';

const pods = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } };

export const job: KindCases = {
  kind: 'Job',
  apiVersion: 'batch/v1',
  least: { spec: { template: pods } },
  refused: [
    [
      'its pods end',
      { 'spec/template/spec/restartPolicy': 'Always' },
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ],
    [
      'counts are not negative',
      { 'spec/backoffLimit': -1 },
      'spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      'modes are known',
      { 'spec/completionMode': 'Some' },
      'spec.completionMode: Unsupported value: "Some": supported values: "NonIndexed", "Indexed"',
    ],
    [
      'an indexed job has an end',
      { 'spec/completionMode': 'Indexed', 'spec/parallelism': 2 },
      'spec.completions: Required value: when completion mode is Indexed',
    ],
    [
      'only indexes fail one by one',
      { 'spec/backoffLimitPerIndex': 1 },
      'spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode',
    ],
  ],
  fixed: [
    ['completions stay', { 'spec/completions': 5 }, 'spec.completions: Invalid value: 5: field is immutable'],
    [
      'the template stays',
      { 'spec/template/spec/containers/0/image': 'other' },
      'spec.template: Invalid value: {"metadata":…',
    ],
  ],
};

export const cronJob: KindCases = {
  kind: 'CronJob',
  apiVersion: 'batch/v1',
  least: { spec: { schedule: '*/5 * * * *', jobTemplate: { spec: { template: pods } } } },
  refused: [
    ['a schedule is required', { 'spec/schedule': undefined }, 'spec.schedule: Required value'],
    [
      'a schedule has five fields',
      { 'spec/schedule': '* * *' },
      'spec.schedule: Invalid value: "* * *": expected exactly 5 fields, found 3: [* * *]',
    ],
    [
      'a schedule is in range',
      { 'spec/schedule': '60 * * * *' },
      'spec.schedule: Invalid value: "60 * * * *": end of range (60) above maximum (59): 60',
    ],
    [
      'a zone has its own field',
      { 'spec/schedule': 'TZ=UTC 0 * * * *' },
      'spec.schedule: Invalid value: "TZ=UTC 0 * * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
    ],
    [
      'zones exist',
      { 'spec/timeZone': 'Mars/Base' },
      'spec.timeZone: Invalid value: "Mars/Base": unknown time zone Mars/Base',
    ],
    [
      'policies are known',
      { 'spec/concurrencyPolicy': 'Queue' },
      'spec.concurrencyPolicy: Unsupported value: "Queue": supported values: "Allow", "Forbid", "Replace"',
    ],
    [
      'its name leaves room for those of jobs',
      { 'metadata/name': 'a'.repeat(53) },
      `metadata.name: Invalid value: "${'a'.repeat(53)}": must be no more than 52 characters`,
    ],
    [
      'selectors of jobs are made',
      { 'spec/jobTemplate/spec/selector': { matchLabels: { a: 'b' } } },
      'spec.jobTemplate.spec.selector: Invalid value: {"matchLabels":{"a":"b"}}: `selector` will be auto-generated',
    ],
  ],
};
