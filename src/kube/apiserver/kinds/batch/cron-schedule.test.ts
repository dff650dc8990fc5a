import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CronSchedule, parseCronSchedule } from './cron-schedule.ts';

function parsed(text: string): CronSchedule {
  const schedule = parseCronSchedule(text);
  assert.ok(!('problem' in schedule), JSON.stringify(schedule));
  return schedule;
}

describe('parseCronSchedule', () => {
  it('reads values, lists, ranges, steps and names', () => {
    const schedule = parsed('*/20 8-10,22 1,15 jan-mar/2 mon-fri');
    assert.deepEqual([...schedule.minute], [0, 20, 40]);
    assert.deepEqual([...schedule.hour], [8, 9, 10, 22]);
    assert.deepEqual([...schedule.dayOfMonth], [1, 15]);
    assert.deepEqual([...schedule.month], [1, 3]);
    assert.deepEqual([...schedule.dayOfWeek], [1, 2, 3, 4, 5]);
    assert.deepEqual([schedule.anyDayOfMonth, schedule.anyDayOfWeek], [false, false]);
  });

  it('reads a step from a value as to the end', () => assert.deepEqual([...parsed('50/5 * * * *').minute], [50, 55]));

  it('reads nicknames and intervals', () => {
    assert.deepEqual([...parsed('@weekly').dayOfWeek], [0]);
    assert.equal(parsed('@every 1h30m').every, 5_400_000);
  });

  it('knows which days are not told', () => {
    const { anyDayOfMonth, anyDayOfWeek } = parsed('0 0 * * ?');
    assert.deepEqual([anyDayOfMonth, anyDayOfWeek], [true, true]);
  });

  const refusals: [text: string, problem: string][] = [
    ['', 'empty spec string'],
    ['* * *', 'expected exactly 5 fields, found 3: [* * *]'],
    ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    ['60 * * * *', 'end of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
    ['5-3 * * * *', 'beginning of range (5) beyond end of range (3): 5-3'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
    ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
    ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
    ['@soon', 'unrecognized descriptor: @soon'],
    ['@every day', 'failed to parse duration @every day: time: invalid duration "day"'],
  ];
  for (const [text, problem] of refusals) {
    it(`refuses ${JSON.stringify(text)}`, () => assert.deepEqual(parseCronSchedule(text), { problem }));
  }
});
