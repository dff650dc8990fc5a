import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CronJob, Job } from '#gen/kube/types.ts';
import {
  CronJobStatus_CronJobState as CronJobState,
  JobStatus_JobState as JobState,
} from '#gen/proto/kairship/api/batch/v1alpha1/job_pb.ts';
import { cronJobMessage, type CronJobObject, jobMessage, type JobObject } from './batch-messages.ts';
import { cronJobState, jobState } from './job-state.ts';
import { restartedJob } from './restarted-job.ts';

const condition = (type: string, status = 'True') => ({ type, status });
const STARTED = '2026-01-01T00:00:00Z';

const JOBS: readonly (readonly [keyof typeof JobState, string, object, object?])[] = [
  ['Waiting', 'nothing has started', {}],
  ['Running', 'it has started', { startTime: STARTED }],
  ['Running', 'pods of it run', { active: 1 }],
  ['Completed', 'all is done', { startTime: STARTED, conditions: [condition('Complete')] }],
  ['Failed', 'it was given up', { startTime: STARTED, conditions: [condition('Failed')] }],
  ['Running', 'it is not complete after all', { active: 1, conditions: [condition('Complete', 'False')] }],
  ['Deleting', 'it is going', { conditions: [condition('Complete')] }, { deletionTimestamp: STARTED }],
];

describe('A job is', () => {
  for (const [word, when, status, metadata] of JOBS)
    it(`${word} when ${when}`, () =>
      assert.equal(jobState({ metadata: { name: 'j', ...metadata }, status } as unknown as Job), JobState[word]));
});

const CRON_JOBS: readonly (readonly [keyof typeof CronJobState, string, object, object, object?])[] = [
  ['Waiting', 'it has not started a job yet', {}, {}],
  ['Activated', 'it has started one', {}, { lastScheduleTime: STARTED }],
  ['Activated', 'one of its jobs runs', {}, { active: [{ name: 'x' }] }],
  ['Stopped', 'it is suspended', { suspend: true }, { lastScheduleTime: STARTED }],
  ['Deleting', 'it is going', { suspend: true }, {}, { deletionTimestamp: STARTED }],
];

describe('A cron job is', () => {
  for (const [word, when, spec, status, metadata] of CRON_JOBS)
    it(`${word} when ${when}`, () => {
      const cronJob = { metadata: { name: 'c', ...metadata }, spec, status } as unknown as CronJob;
      assert.equal(cronJobState(cronJob), CronJobState[word]);
    });
});

describe('The published form', () => {
  it('of a job counts its pods and says when it started', () => {
    const job = {
      metadata: { name: 'j' },
      spec: {},
      status: { active: 1, succeeded: 2, failed: 3, startTime: STARTED },
    };
    const told = jobMessage(job as unknown as JobObject);
    const { active, succeed, failed, phase } = told.status ?? {};
    assert.deepEqual([active, succeed, failed, phase], [1, 2, 3, JobState.Running]);
    assert.equal(told.executionTimestamp, BigInt(Date.parse(STARTED)));
  });

  it('of a cron job tells of the jobs it has started', () => {
    const template = { spec: { containers: [{ name: 'a', image: 'a:1' }, { name: 'b' }] } };
    const cronJob = {
      metadata: { name: 'c' },
      spec: { schedule: '* * * * *', suspend: true, jobTemplate: { spec: { template } } },
      status: { lastScheduleTime: STARTED, active: [{ name: 'x' }] },
    };
    const runs = [
      { metadata: { name: 'x' }, status: { active: 1 } },
      { metadata: { name: 'y' }, status: { conditions: [condition('Complete')] } },
    ];
    const told = cronJobMessage(cronJob as unknown as CronJobObject, [], runs as unknown as Job[]);
    assert.deepEqual([told.availed, told.total, told.images, told.spec?.paused], [1, 2, ['a:1'], true]);
    assert.deepEqual(
      told.status?.conditions.map(({ jobName, conditions }) => [jobName, conditions.length]),
      [
        ['x', 0],
        ['y', 1],
      ],
    );
  });
});

describe('A job that runs once more', () => {
  const job = (spec: object) =>
    ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'j', namespace: 'shop', uid: 'u', resourceVersion: '1', labels: { app: 'j', 'job-name': 'j' } },
      spec: {
        backoffLimit: 2,
        selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u' } },
        template: { metadata: { labels: { app: 'j', 'controller-uid': 'u' } }, spec: {} },
        ...spec,
      },
      status: { succeeded: 1 },
    }) as unknown as JobObject;

  it('is its manifest without what tied pods to the old one', () => {
    assert.deepEqual(restartedJob(job({})), {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'j', namespace: 'shop', labels: { app: 'j' }, annotations: {} },
      spec: { backoffLimit: 2, template: { metadata: { labels: { app: 'j' } }, spec: {} } },
    });
  });

  it('keeps a selector that its author chose', () => {
    const chosen = { manualSelector: true, selector: { matchLabels: { app: 'j' } } };
    const { selector, manualSelector } = restartedJob(job(chosen))['spec'] as Record<string, unknown>;
    assert.deepEqual({ selector, manualSelector }, chosen);
  });
});
