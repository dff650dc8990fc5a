import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { CronRule } from '#karmada/apis/index.ts';
import { advanced, dueRules, executionHistories, NO_PLAN, planned, untilNext } from './cron-rules.ts';
import { isTimeZone, nextRun } from './next-run.ts';

const at = (text: string) => Date.parse(text);
const shown = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString());

describe('nextRun', () => {
  const cases: [because: string, schedule: string, after: string, zone: string, next: string | undefined][] = [
    ['the next minute', '* * * * *', '2026-01-01T00:00:30Z', 'UTC', '2026-01-01T00:01:00.000Z'],
    ['later than now, never now', '0 8 * * *', '2026-01-01T08:00:00Z', 'UTC', '2026-01-02T08:00:00.000Z'],
    ['working days only', '30 9 * * mon-fri', '2026-01-02T10:00:00Z', 'UTC', '2026-01-05T09:30:00.000Z'],
    [
      'two days that are both given are alternatives',
      '0 0 13 * 5',
      '2026-01-10T00:00:00Z',
      'UTC',
      '2026-01-13T00:00:00.000Z',
    ],
    ['leap days', '0 0 29 2 *', '2026-03-01T00:00:00Z', 'UTC', '2028-02-29T00:00:00.000Z'],
    ['a day that never comes', '0 0 31 2 *', '2026-01-01T00:00:00Z', 'UTC', undefined],
    ['no schedule', 'whenever', '2026-01-01T00:00:00Z', 'UTC', undefined],
    ['on the clocks of its zone', '0 8 * * *', '2026-01-01T00:00:00Z', 'Asia/Shanghai', '2026-01-02T00:00:00.000Z'],
    ['half an hour off', '0 0 * * *', '2026-01-01T00:00:00Z', 'Asia/Kolkata', '2026-01-01T18:30:00.000Z'],
    ['a zone of its own', 'TZ=Asia/Tokyo 0 5 * * *', '2026-01-01T00:00:00Z', 'UTC', '2026-01-01T20:00:00.000Z'],
    ['every so often', '@every 90s', '2026-01-01T00:00:00Z', 'UTC', '2026-01-01T00:01:30.000Z'],
    ['winter', '0 12 * * *', '2026-01-01T00:00:00Z', 'Europe/Berlin', '2026-01-01T11:00:00.000Z'],
    ['summer', '0 12 * * *', '2026-07-01T00:00:00Z', 'Europe/Berlin', '2026-07-01T10:00:00.000Z'],
    ['an hour that is skipped', '30 2 * * *', '2026-03-28T12:00:00Z', 'Europe/Berlin', '2026-03-30T00:30:00.000Z'],
    [
      'an hour that comes twice, first',
      '30 2 * * *',
      '2026-10-24T12:00:00Z',
      'Europe/Berlin',
      '2026-10-25T00:30:00.000Z',
    ],
    [
      'an hour that comes twice, again',
      '30 2 * * *',
      '2026-10-25T00:30:00Z',
      'Europe/Berlin',
      '2026-10-25T01:30:00.000Z',
    ],
  ];
  for (const [because, schedule, after, zone, next] of cases) {
    it(because, () => assert.equal(shown(nextRun(schedule, at(after), zone)), next));
  }

  it('finds what a look at every minute finds', () => {
    const time = fc.integer({ min: at('2026-03-27T00:00:00Z') / 1_000, max: at('2026-03-31T00:00:00Z') / 1_000 });
    const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu');
    const parts = { hour: fc.integer({ min: 0, max: 23 }), minute: fc.integer({ min: 0, max: 59 }) };
    fc.assert(
      fc.property(time, zone, fc.record(parts), (seconds, timeZone, { hour, minute }) => {
        const clock = new Intl.DateTimeFormat('en-US', {
          timeZone,
          hourCycle: 'h23',
          hour: 'numeric',
          minute: 'numeric',
        });
        let expected = Math.floor(seconds / 60) * 60_000 + 60_000;
        const wanted = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
        while (clock.format(expected) !== wanted) expected += 60_000;
        assert.equal(nextRun(`${minute} ${hour} * * *`, seconds * 1_000, timeZone), expected);
      }),
      { seed: 1, numRuns: 25 },
    );
  });

  it('knows time zones', () =>
    assert.deepEqual(['Europe/Berlin', 'UTC', 'Mars/Crater'].map(isTimeZone), [true, true, false]));
});

describe('the rules of a CronFederatedHPA', () => {
  const NOW = at('2026-01-01T07:59:30Z');
  const rule = (name: string, schedule: string, more: Partial<CronRule> = {}): CronRule => ({
    name,
    schedule,
    targetReplicas: 3,
    ...more,
  });
  const morning = rule('morning', '0 8 * * *');
  const evening = rule('evening', '0 20 * * *');
  const plan = planned([evening, morning], NO_PLAN, NOW, 'UTC');

  it('are planned, run when they are due, and planned again', () => {
    assert.equal(untilNext(plan, NOW), 30_000);
    assert.deepEqual(dueRules(plan, NOW), []);
    const due = dueRules(plan, NOW + 30_000);
    assert.deepEqual(due, [{ rule: morning, at: at('2026-01-01T08:00:00Z') }]);
    const next = advanced(plan, NOW + 30_000, 'UTC');
    assert.equal(shown(next.get('morning')?.at), '2026-01-02T08:00:00.000Z');
    assert.equal(shown(next.get('evening')?.at), '2026-01-01T20:00:00.000Z');
  });
  it('keep their time while they are not changed, even when it has come', () => {
    const late = planned([evening, morning], plan, NOW + 60_000, 'UTC');
    assert.equal(dueRules(late, NOW + 60_000).length, 1);
    const changed = planned([{ ...morning, targetReplicas: 9 }], plan, NOW + 60_000, 'UTC');
    assert.equal(dueRules(changed, NOW + 60_000).length, 0, 'what is new begins now');
  });
  it('do not run while they are suspended', () => {
    const suspended = planned([{ ...morning, suspend: true }], plan, NOW, 'UTC');
    assert.equal(untilNext(suspended, NOW), undefined);
    const histories = executionHistories({}, suspended, []);
    assert.deepEqual(histories, [{ ruleName: 'morning' }]);
  });
  it('have histories as long as they ask for, the newest first', () => {
    let status: { executionHistories: ReturnType<typeof executionHistories> } = { executionHistories: [] };
    const short = planned([{ ...morning, successfulHistoryLimit: 2 }], NO_PLAN, NOW, 'UTC');
    const executed = short.get('morning')?.rule ?? assert.fail('no rule');
    for (const hour of [1, 2, 3]) {
      const time = NOW + hour * 3_600_000;
      const failure = hour === 2 ? { failure: 'it would not' } : {};
      const execution = { rule: executed, at: time, ranAt: time + 1_000, ...failure };
      status = { executionHistories: executionHistories({ status }, short, [execution]) };
    }
    const [history] = status.executionHistories;
    assert.deepEqual(
      history?.successfulExecutions?.map(({ scheduleTime }) => scheduleTime),
      ['2026-01-01T10:59:30Z', '2026-01-01T08:59:30Z'],
    );
    assert.deepEqual(history?.failedExecutions, [
      { scheduleTime: '2026-01-01T09:59:30Z', executionTime: '2026-01-01T09:59:31Z', message: 'it would not' },
    ]);
    assert.equal(history?.successfulExecutions?.[0]?.appliedReplicas, 3);
  });
  it('are forgotten with their histories', () => {
    const status = { executionHistories: [{ ruleName: 'gone' }, { ruleName: 'evening' }] };
    const names = executionHistories({ status }, plan, []).map(({ ruleName }) => ruleName);
    assert.deepEqual(names, ['evening', 'morning']);
  });
});
