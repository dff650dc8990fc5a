import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CronJob, Job } from '#gen/kube/types.ts';
import { conditionOf } from '../job/verdict.ts';
import { CRON_JOBS, JOBS, PODS } from '../resources.ts';
import { journey, object } from './journey.ts';

const work = (command: string[], more: { restartPolicy?: string; annotations?: object } = {}) => ({
  metadata: more.annotations ? { annotations: more.annotations } : {},
  spec: { restartPolicy: more.restartPolicy ?? 'Never', containers: [{ name: 'c', image: 'busybox', command }] },
});
const job = (spec: object) => object('batch/v1', 'Job', 'work', { template: work(['sleep', '2']), ...spec });
const is = (type: string) => (one: Job) => conditionOf(one, type) !== undefined;

describe('a Job', { timeout: 120_000 }, () => {
  it('runs as many pods as it needs, as many at once as it may, and is complete', async (t) => {
    const { client, until, pods, events, settles } = await journey(t);
    await client.create(JOBS, job({ completions: 5, parallelism: 2 }));
    const done = await until<Job>(JOBS, 'default/work', is('Complete'));
    assert.deepEqual(
      done.status?.conditions?.map(({ type, reason }) => `${type} ${reason}`),
      ['SuccessCriteriaMet CompletionsReached', 'Complete CompletionsReached'],
    );
    assert.deepEqual(
      [
        done.status?.succeeded,
        done.status?.active,
        done.status?.failed,
        done.status?.ready,
        done.status?.uncountedTerminatedPods,
      ],
      [5, undefined, undefined, 0, {}],
    );
    assert.ok(
      (await pods()).every(
        ({ metadata, status }) => status?.phase === 'Succeeded' && metadata.finalizers === undefined,
      ),
    );
    assert.ok((await events('work', 'Completed')).includes('SuccessfulCreate'));
    await settles();
  });

  it('tries again after failures, and gives up after too many', async (t) => {
    const { client, until, pods } = await journey(t);
    await client.create(JOBS, job({ backoffLimit: 2, template: work(['false']) }));
    const failed = await until<Job>(JOBS, 'default/work', is('Failed'));
    assert.deepEqual([failed.status?.failed, conditionOf(failed, 'Failed')?.reason], [3, 'BackoffLimitExceeded']);
    assert.equal((await pods()).length, 3);
  });

  it('works on its indexes, each until it succeeds or has failed for good', async (t) => {
    const { client, until, pods } = await journey(t);
    const annotations = { 'members.kairship.io/run': '1s' };
    const indexed = { completionMode: 'Indexed', completions: 4, parallelism: 4 };
    await client.create(JOBS, job({ ...indexed, template: work([], { annotations }) }));
    const done = await until<Job>(JOBS, 'default/work', is('Complete'));
    assert.equal(done.status?.completedIndexes, '0-3');
    const [pod] = await pods();
    assert.match(pod?.metadata.name ?? '', /^work-\d-/);
    assert.equal(pod?.spec?.containers[0]?.env?.[0]?.name, 'JOB_COMPLETION_INDEX');
  });

  it('ends at its deadline', async (t) => {
    const { client, until } = await journey(t);
    await client.create(JOBS, job({ activeDeadlineSeconds: 5, template: work(['sleep', '1h']) }));
    const failed = await until<Job>(JOBS, 'default/work', is('Failed'));
    assert.equal(conditionOf(failed, 'Failed')?.reason, 'DeadlineExceeded');
  });

  it('rests while it is suspended, and is forgotten when it is over', async (t) => {
    const { client, until, untilGone, patch, pods } = await journey(t);
    await client.create(JOBS, job({ suspend: true, ttlSecondsAfterFinished: 5 }));
    await until<Job>(JOBS, 'default/work', is('Suspended'));
    assert.equal((await pods()).length, 0);
    await patch(JOBS, 'default/work', { spec: { suspend: false } });
    await until<Job>(JOBS, 'default/work', is('Complete'));
    await untilGone(JOBS, 'default/work');
    assert.equal((await client.list(PODS)).items.length, 0);
  });

  it('does not count a pod twice, whoever deletes it', async (t) => {
    const { client, until } = await journey(t);
    await client.create(JOBS, job({ template: work(['sleep', '10']) }));
    await until<Job>(JOBS, 'default/work', ({ status }) => status?.ready === 1);
    await client.deleteCollection(PODS, { namespace: 'default' });
    const done = await until<Job>(JOBS, 'default/work', is('Complete'));
    assert.deepEqual([done.status?.failed, done.status?.succeeded], [1, 1]);
  });
});

describe('a CronJob', { timeout: 120_000 }, () => {
  it('starts a Job whenever it is due, and keeps the last few', async (t) => {
    const { client, until, patch } = await journey(t, { speed: 600 });
    const jobTemplate = { spec: { template: work(['sleep', '1']) } };
    const cron = { schedule: '* * * * *', successfulJobsHistoryLimit: 1, concurrencyPolicy: 'Forbid', jobTemplate };
    await client.create(CRON_JOBS, object('batch/v1', 'CronJob', 'tick', cron));
    const first = await until<CronJob>(
      CRON_JOBS,
      'default/tick',
      ({ status }) => status?.lastSuccessfulTime !== undefined,
    );
    await until<CronJob>(
      CRON_JOBS,
      'default/tick',
      ({ status }) => (status?.lastSuccessfulTime ?? '') > (first.status?.lastSuccessfulTime ?? ''),
    );
    await patch(CRON_JOBS, 'default/tick', { spec: { suspend: true } });
    const rested = await until<CronJob>(
      CRON_JOBS,
      'default/tick',
      ({ spec, status }) => spec?.suspend === true && status?.active === undefined,
    );
    assert.match(rested.status?.lastScheduleTime ?? '', /:00Z$/);
    const { items } = await client.list<Job>(JOBS, { namespace: 'default' });
    assert.ok(items.length <= 2, `${items.length} Jobs`);
    assert.match(items[0]?.metadata.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp'] ?? '', /:00Z$/);
  });
});
