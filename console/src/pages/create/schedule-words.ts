/** A cron rule in words: which sentence says it, and what to put in. Rules that no sentence fits say so field by field. Pure. */
import { fieldsOf } from './schedule.ts';

export type ScheduleSentence =
  | { readonly key: 'everyMinute' }
  | { readonly key: 'everyMinutes' | 'everyHours'; readonly every: number; readonly minute: string }
  | { readonly key: 'hourly'; readonly minute: string }
  | { readonly key: 'daily'; readonly time: string }
  | { readonly key: 'weekly'; readonly time: string; readonly days: readonly number[] }
  | { readonly key: 'monthly'; readonly time: string; readonly date: string }
  | { readonly key: 'yearly'; readonly time: string; readonly date: string; readonly month: number }
  | {
      readonly key: 'other';
      readonly minute: string;
      readonly hour: string;
      readonly date: string;
      readonly month: string;
      readonly weekday: string;
    };

const isNumber = (field: string) => /^\d+$/.test(field);
const two = (field: string) => field.padStart(2, '0');
const stepOf = (field: string) => Number(/^\*\/(\d+)$/.exec(field)?.[1] ?? 0);

/** Undefined for what is no rule. */
export function scheduleSentence(rule: string): ScheduleSentence | undefined {
  const parsed = fieldsOf(rule);
  if (!parsed) return undefined;
  const [minute = '', hour = '', date = '', month = '', weekday = ''] = parsed.fields;
  const other: ScheduleSentence = { key: 'other', minute, hour, date, month, weekday };
  const everyDay = date === '*' && month === '*' && weekday === '*';
  if (everyDay && hour === '*') {
    if (minute === '*') return { key: 'everyMinute' };
    if (stepOf(minute) > 0) return { key: 'everyMinutes', every: stepOf(minute), minute: '0' };
    return isNumber(minute) ? { key: 'hourly', minute: two(minute) } : other;
  }
  if (everyDay && stepOf(hour) > 0 && isNumber(minute))
    return { key: 'everyHours', every: stepOf(hour), minute: two(minute) };
  if (!isNumber(minute) || !isNumber(hour)) return other;
  const time = `${two(hour)}:${two(minute)}`;
  if (everyDay) return { key: 'daily', time };
  if (date === '*' && month === '*') return { key: 'weekly', time, days: [...(parsed.values[4] ?? [])] };
  if (weekday !== '*' || !isNumber(date)) return other;
  if (month === '*') return { key: 'monthly', time, date };
  const [only, ...more] = parsed.values[3] ?? [];
  return only !== undefined && more.length === 0 ? { key: 'yearly', time, date, month: only } : other;
}
