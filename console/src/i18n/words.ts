/** Numbers, times and sizes, as the reader writes them. */
import { languageNow } from './language.ts';

/** Of the language that was chosen, as the browser writes it: in British English the day comes first. */
function locale(): string {
  const language = languageNow();
  const theirs = globalThis.navigator?.languages?.find((one) => one.split('-')[0] === language);
  return theirs ?? (language === 'zh' ? 'zh-CN' : 'en');
}

const UNITS = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
  ['year', Number.POSITIVE_INFINITY],
] as const;

/** `3 minutes ago`. */
export function ago(ms: number, now = Date.now()): string {
  let amount = Math.round((ms - now) / 1000);
  for (const [unit, most] of UNITS) {
    if (Math.abs(amount) < most)
      return new Intl.RelativeTimeFormat(locale(), { numeric: 'auto', style: 'short' }).format(amount, unit);
    amount = Math.round(amount / most);
  }
  return '';
}

export function moment(ms: number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'medium' }).format(ms);
}

export function clock(ms: number): string {
  return new Intl.DateTimeFormat(locale(), { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(ms);
}

/** `630 ms`, `3.9 s`, `2 min`. */
export function took(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.round(ms / 60_000)} min`;
}

export function percent(share: number): string {
  return new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 0 }).format(share);
}

/** `Monday and Friday`, of the days since Sunday. */
export function dayNames(days: readonly number[]): string {
  const name = new Intl.DateTimeFormat(locale(), { weekday: 'long', timeZone: 'UTC' });
  // 4 January 1970 was a Sunday.
  const names = days.map((day) => name.format(Date.UTC(1970, 0, 4 + day)));
  return new Intl.ListFormat(locale(), { type: 'conjunction' }).format(names);
}

/** `December`, of 12. */
export function monthName(month: number): string {
  return new Intl.DateTimeFormat(locale(), { month: 'long', timeZone: 'UTC' }).format(Date.UTC(1970, month - 1, 1));
}
