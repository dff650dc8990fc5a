import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextRuns } from './schedule.ts';

const NOW = Date.UTC(2026, 10, 16, 9, 30);
const next = (rule: string, count = 2) =>
  nextRuns(rule, NOW, count)?.map((at) => new Date(at).toISOString().slice(0, 16));

describe('a cron rule', () => {
  const cases: readonly [rule: string, ...times: string[]][] = [
    ['0 3 * * *', '2026-11-17T03:00', '2026-11-18T03:00'],
    ['*/20 9 * * *', '2026-11-16T09:40', '2026-11-17T09:00'],
    ['15,45 10-11 * * *', '2026-11-16T10:15', '2026-11-16T10:45'],
    ['0 0 * * mon-fri', '2026-11-17T00:00', '2026-11-18T00:00'],
    ['0 0 * * 7', '2026-11-22T00:00', '2026-11-29T00:00'],
    ['0 0 29 feb *', '2028-02-29T00:00'],
    ['0 0 20 * sun', '2026-11-20T00:00', '2026-11-22T00:00'],
    ['@monthly', '2026-12-01T00:00', '2027-01-01T00:00'],
  ];
  for (const [rule, ...times] of cases) it(`${rule} fires`, () => assert.deepEqual(next(rule, times.length), times));

  it('that cannot be read is none', () => {
    for (const rule of ['', 'soon', '61 * * * *', '5-1 * * * *', '* * * *', '*/0 * * * *'])
      assert.equal(next(rule), undefined, rule);
  });

  it('that never comes true never fires', () => {
    assert.deepEqual(next('0 0 30 feb *'), []);
  });
});
