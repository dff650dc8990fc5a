import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scheduleSentence } from './schedule-words.ts';

describe('a cron rule in words', () => {
  const cases: readonly (readonly [rule: string, sentence: unknown])[] = [
    ['* * * * *', { key: 'everyMinute' }],
    ['*/5 * * * *', { key: 'everyMinutes', every: 5, minute: '0' }],
    ['@hourly', { key: 'hourly', minute: '00' }],
    ['15 */6 * * *', { key: 'everyHours', every: 6, minute: '15' }],
    ['0 3 * * *', { key: 'daily', time: '03:00' }],
    ['30 9 * * mon-fri', { key: 'weekly', time: '09:30', days: [1, 2, 3, 4, 5] }],
    ['0 0 * * 7', { key: 'weekly', time: '00:00', days: [0] }],
    ['0 0 1 * *', { key: 'monthly', time: '00:00', date: '1' }],
    ['0 12 24 dec *', { key: 'yearly', time: '12:00', date: '24', month: 12 }],
    ['0 8-18 * * 1', { key: 'other', minute: '0', hour: '8-18', date: '*', month: '*', weekday: '1' }],
    ['0 0 13 * 5', { key: 'other', minute: '0', hour: '0', date: '13', month: '*', weekday: '5' }],
    ['every day', undefined],
    ['61 * * * *', undefined],
  ];
  for (const [rule, sentence] of cases)
    it(`${rule} is ${sentence ? 'told' : 'no rule'}`, () => assert.deepEqual(scheduleSentence(rule), sentence));
});
