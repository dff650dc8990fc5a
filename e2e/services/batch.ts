/** Jobs and cron jobs through the API, each call seen from the other side too. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { lists, ok, policyFor, SPACE, text } from './asking.ts';
import { eventually, type Stage } from './harness.ts';

const JOB = `${SPACE}/jobs/once`;
const CRON_JOB = `${SPACE}/cronjobs/yearly`;
const RUNS = '/instances/demo/clusters/frankfurt/namespaces/default/cronjobs/yearly/jobs';

const pod = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox:1.36' }] } };
const job = text({ metadata: { name: 'once' }, spec: { template: pod } });
const cronJob = (schedule: string) =>
  text({ metadata: { name: 'yearly' }, spec: { schedule, jobTemplate: { spec: { template: pod } } } });

export function jobs(stage: Stage): void {
  describe('Jobs and cron jobs of an instance', () => {
    const inMember = (...args: readonly string[]) => stage.member('frankfurt', ...args);
    before(async () => {
      for (const [kind, name] of [
        ['Job', 'once'],
        ['CronJob', 'yearly'],
      ] as const)
        await ok(stage, 'POST', `${SPACE}/propagationpolicies`, {
          data: policyFor('batch/v1', kind, name, 'frankfurt'),
        });
    });

    it('creates a job, and tells how and where it runs', async () => {
      await ok(stage, 'POST', `${SPACE}/jobs`, { data: job });
      await eventually(async () => assert.match(await inMember('get', 'jobs', '-o', 'name'), /job.batch\/once/));
      await lists(stage, '/instances/demo/jobs', 'once');
      await lists(stage, `${SPACE}/jobs?name=onc`, 'once');
      await eventually(async () => {
        const { status, executionTimestamp } = await ok(stage, 'GET', JOB);
        assert.deepEqual(status.clusters, [{ name: 'frankfurt', provider: 'AWS_EKS', applied: true }]);
        assert.match(status.phase, /Running|Completed/);
        assert.ok(Number(executionTimestamp) > 0);
      });
      await lists(stage, '/instances/demo/jobs?phase=Failed');
      assert.equal(JSON.parse((await ok(stage, 'GET', `${JOB}/json`)).data).metadata.name, 'once');
    });

    it('runs a job once more, as a new one', async () => {
      const uid = () => inMember('get', 'job', 'once', '--ignore-not-found', '-o', 'jsonpath={.metadata.uid}');
      const first = await uid();
      assert.equal((await stage.admin('POST', `${JOB}:restart`, { resourceVersion: '1' })).status, 409);
      const { job: told } = await ok(stage, 'POST', `${JOB}:restart`, {});
      assert.equal(told.metadata.name, 'once');
      await eventually(async () => assert.ok(![first, ''].includes(await uid())));
    });

    it('deletes a job', async () => {
      await ok(stage, 'DELETE', JOB);
      await eventually(async () => assert.equal(await inMember('get', 'jobs', '-o', 'name'), ''));
      assert.equal(await stage.instance('get', 'jobs', '-o', 'name'), '');
    });

    it('creates, changes, pauses and resumes a cron job', async () => {
      const schedule = () => stage.instance('get', 'cronjob', 'yearly', '-o', 'jsonpath={.spec.schedule}');
      const isSuspended = () => inMember('get', 'cronjob', 'yearly', '-o', 'jsonpath={.spec.suspend}');
      await ok(stage, 'POST', `${SPACE}/cronjobs`, { data: cronJob('0 0 1 1 *') });
      await ok(stage, 'PUT', `${SPACE}/cronjobs`, { data: cronJob('0 0 2 2 *') });
      assert.equal(await schedule(), '0 0 2 2 *');
      const paused = await ok(stage, 'POST', `${CRON_JOB}:pause`, {});
      assert.deepEqual([paused.cronjob.spec.paused, paused.cronjob.status.phase], [true, 'Stopped']);
      await eventually(async () => assert.equal(await isSuspended(), 'true'));
      await lists(stage, '/instances/demo/cronjobs?phase=Stopped', 'yearly');
      const resumed = await ok(stage, 'POST', `${CRON_JOB}:resume`, {});
      assert.notEqual(resumed.cronjob.status.phase, 'Stopped');
      await eventually(async () => assert.notEqual(await isSuspended(), 'true'));
      assert.equal(JSON.parse((await ok(stage, 'GET', `${CRON_JOB}/json`)).data).spec.schedule, '0 0 2 2 *');
    });

    it('tells which jobs a cron job has started in a member', async () => {
      await inMember('create', 'job', 'now', '--from=cronjob/yearly');
      await inMember('create', 'job', 'other', '--image=busybox:1.36');
      await eventually(async () => {
        const { Cluster, jobs } = await ok(stage, 'GET', RUNS);
        assert.equal(Cluster, 'frankfurt');
        assert.deepEqual(
          jobs.map(({ metadata }: { metadata: { name: string } }) => metadata.name),
          ['now'],
        );
        const told = await ok(stage, 'GET', CRON_JOB);
        assert.deepEqual([told.total, told.images], [1, ['busybox:1.36']]);
      });
      await lists(stage, `${SPACE}/cronjobs?name=year`, 'yearly');
      assert.equal((await stage.admin('GET', RUNS.replace('yearly', 'none'))).status, 404);
    });

    it('refuses everything to those who have no rights there', async () => {
      const nobody = await stage.person('nobody');
      await stage.instance('create', 'job', 'once', '--image=busybox:1.36');
      await stage.refusesAll(nobody, 'jobs,cronjobs', [
        ['GET', '/instances/demo/jobs'],
        ['GET', `${SPACE}/jobs`],
        ['GET', JOB],
        ['GET', `${JOB}/json`],
        ['POST', `${SPACE}/jobs`, { data: job }],
        ['DELETE', JOB],
        ['POST', `${JOB}:restart`, {}],
        ['GET', RUNS],
        ['GET', '/instances/demo/cronjobs'],
        ['GET', `${SPACE}/cronjobs`],
        ['GET', CRON_JOB],
        ['GET', `${CRON_JOB}/json`],
        ['POST', `${SPACE}/cronjobs`, { data: cronJob('0 0 1 1 *') }],
        ['PUT', `${SPACE}/cronjobs`, { data: cronJob('0 0 1 1 *') }],
        ['POST', `${CRON_JOB}:pause`, {}],
        ['POST', `${CRON_JOB}:resume`, {}],
        ['DELETE', CRON_JOB],
      ]);
    });

    it('deletes a cron job', async () => {
      await ok(stage, 'DELETE', CRON_JOB);
      await eventually(async () => assert.equal(await inMember('get', 'cronjobs', '-o', 'name'), ''));
    });
  });
}
