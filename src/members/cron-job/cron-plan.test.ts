import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CronJob, Job } from '#gen/kube/types.ts';
import { planCronJob } from './cron-plan.ts';
import { inZone, scheduleOf } from './schedule.ts';

const at = (text: string) => Date.parse(text);

describe('a schedule', () => {
  const cases: Array<[schedule: string, zone: string, after: string, next: string | undefined]> = [
    ['* * * * *', 'UTC', '2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z'],
    ['*/15 * * * *', 'UTC', '2026-01-01T00:14:59Z', '2026-01-01T00:15:00Z'],
    ['0 8-18 * * mon-fri', 'UTC', '2026-01-02T18:30:00Z', '2026-01-05T08:00:00Z'],
    ['30 2 13 * fri', 'UTC', '2026-01-01T00:00:00Z', '2026-01-02T02:30:00Z'],
    ['0 0 29 2 *', 'UTC', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00Z'],
    ['0 0 30 2 *', 'UTC', '2026-01-01T00:00:00Z', undefined],
    ['@daily', 'Asia/Shanghai', '2026-01-01T00:00:00Z', '2026-01-01T16:00:00Z'],
    ['0 9 * * *', 'America/New_York', '2026-01-01T00:00:00Z', '2026-01-01T14:00:00Z'],
    ['0 9 * * *', 'America/New_York', '2026-07-01T00:00:00Z', '2026-07-01T13:00:00Z'],
    // In Berlin clocks jump from 2:00 to 3:00 on 29 March 2026, and back from 3:00 to 2:00 on 25 October.
    ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-30T00:30:00Z'],
    ['30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00Z'],
    ['30 2 * * *', 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'],
    ['@every 90s', 'UTC', '2026-01-01T00:00:00Z', '2026-01-01T00:01:30Z'],
  ];
  for (const [text, zone, after, next] of cases) {
    it(`${text} in ${zone} after ${after} is due ${next ?? 'never'}`, () => {
      const schedule = scheduleOf(text, zone);
      assert.ok('next' in schedule);
      const found = schedule.next(at(after));
      assert.equal(found === undefined ? undefined : new Date(found).toISOString().replace('.000', ''), next);
    });
  }

  it('says why it is none', () => {
    assert.deepEqual(scheduleOf('* *'), { problem: 'expected exactly 5 fields, found 2: [* *]' });
    assert.deepEqual(scheduleOf('* * * * *', 'Mars/Base'), { problem: 'unknown time zone Mars/Base' });
  });

  it('tells the time in its zone', () => {
    assert.equal(inZone(at('2026-01-01T00:00:00Z')), '2026-01-01T00:00:00Z');
    assert.equal(inZone(at('2026-01-01T00:00:00Z'), 'Asia/Kolkata'), '2026-01-01T05:30:00+05:30');
    assert.equal(inZone(at('2026-01-01T00:00:00Z'), 'America/St_Johns'), '2025-12-31T20:30:00-03:30');
  });
});

function cronJob(spec: object = {}, status: object = {}): CronJob {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'tick', namespace: 'default', uid: 'c', creationTimestamp: '2026-01-01T00:00:30Z' },
    spec: { schedule: '* * * * *', jobTemplate: { metadata: { labels: { a: 'b' } } }, ...spec },
    status,
  };
}

function job(name: string, condition?: string, startTime = '2026-01-01T00:00:00Z'): Job {
  const conditions = condition ? [{ type: condition, status: 'True' }] : [];
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: 'default', uid: name },
    status: { conditions, startTime, ...(condition === 'Complete' ? { completionTime: '2026-01-01T00:05:00Z' } : {}) },
  };
}

const active = (...names: string[]) => ({ active: names.map((name) => ({ name, uid: name, namespace: 'default' })) });

describe('a CronJob', () => {
  it('starts a run when it is due, named after its minute', () => {
    const plan = planCronJob(cronJob(), [], at('2026-01-01T00:01:05Z'));
    assert.equal(plan.start?.job.metadata.name, `tick-${at('2026-01-01T00:01:00Z') / 60_000}`);
    assert.deepEqual(plan.start?.job.metadata.labels, { a: 'b' });
    assert.equal(plan.afterMs, 55_000);
  });

  it('waits until it is due, and starts no run twice', () => {
    assert.equal(planCronJob(cronJob(), [], at('2026-01-01T00:00:40Z')).start, undefined);
    const lastScheduleTime = '2026-01-01T00:01:00Z';
    assert.equal(planCronJob(cronJob({}, { lastScheduleTime }), [], at('2026-01-01T00:01:40Z')).start, undefined);
  });

  it('makes up for nothing but the last run it missed, and warns when it missed many', () => {
    const late = planCronJob(cronJob(), [], at('2026-01-01T00:10:30Z'));
    assert.equal(late.start?.time, at('2026-01-01T00:10:00Z'));
    const forgotten = planCronJob(cronJob(), [], at('2026-03-01T00:10:30Z'));
    assert.equal(forgotten.start?.time, at('2026-03-01T00:10:00Z'));
    assert.equal(forgotten.tells[0]?.reason, 'TooManyMissedTimes');
  });

  it('does not start a run that is later than its deadline', () => {
    const hourly = { schedule: '0 * * * *', startingDeadlineSeconds: 10 };
    assert.equal(planCronJob(cronJob(hourly), [], at('2026-01-01T01:05:00Z')).start, undefined);
    assert.ok(planCronJob(cronJob(hourly), [], at('2026-01-01T01:00:05Z')).start);
  });

  it('leaves, forbids or replaces what still runs', () => {
    const now = at('2026-01-01T00:02:01Z');
    const running = [job('tick-1')];
    const with_ = (concurrencyPolicy: string) =>
      planCronJob(cronJob({ concurrencyPolicy }, active('tick-1')), running, now);
    assert.ok(with_('Allow').start);
    assert.deepEqual([with_('Forbid').start, with_('Forbid').tells[0]?.reason], [undefined, 'JobAlreadyActive']);
    assert.deepEqual([with_('Replace').start !== undefined, with_('Replace').remove], [true, running]);
  });

  it('notes what has ended and keeps a short history', () => {
    const over = ['1', '2', '3', '4'].map((n) => job(`tick-${n}`, 'Complete', `2026-01-01T00:0${n}:00Z`));
    const plan = planCronJob(cronJob({ suspend: true }, active('tick-4', 'gone')), over, at('2026-01-01T00:06:00Z'));
    assert.deepEqual(plan.status, { lastSuccessfulTime: '2026-01-01T00:05:00Z' });
    assert.deepEqual(
      plan.tells.map(({ reason }) => reason),
      ['SawCompletedJob', 'MissingJob'],
    );
    assert.deepEqual(
      plan.remove.map(({ metadata }) => metadata.name),
      ['tick-1'],
    );
    assert.equal(plan.start, undefined);
  });
});
