/**
 * When a schedule is due. Pure.
 *
 * A schedule speaks of clocks on the wall in its time zone: what its zone skips when summer begins runs at the next time
 * it names, and what a zone has twice when summer ends runs once.
 */
import { type CronSchedule, parseCronSchedule } from '#kube/apiserver/kinds/batch/cron-schedule.ts';

const MINUTE = 60_000;
const DAY_MINUTES = 24 * 60;
/** A schedule that names no day in so many (the 30th of February) names none at all. */
const YEARS_DAYS = 5 * 366;

export interface Schedule {
  /** The first time after `time`, in milliseconds; undefined when there is none. */
  next(time: number): number | undefined;
}

/** The schedule of a CronJob, or why it has none. */
export function scheduleOf(text: string, timeZone = 'UTC'): Schedule | { readonly problem: string } {
  const parsed = parseCronSchedule(text);
  if ('problem' in parsed) return parsed;
  if (!isTimeZone(timeZone)) return { problem: `unknown time zone ${timeZone}` };
  const { every } = parsed;
  if (every !== undefined) return { next: (time) => Math.floor((time + every) / 1000) * 1000 };
  return { next: (time) => nextTime(parsed, timeZone, time) };
}

function isTimeZone(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }));
  } catch {
    return false;
  }
}

function nextTime(schedule: CronSchedule, timeZone: string, time: number): number | undefined {
  const from = Math.floor(time / MINUTE) * MINUTE + MINUTE;
  const wall = wallClock(from, timeZone);
  const today = Date.UTC(wall.year, wall.month - 1, wall.day);
  for (let days = 0; days < YEARS_DAYS; days++) {
    const day = new Date(today + days * DAY_MINUTES * MINUTE);
    if (!isDay(schedule, day)) continue;
    const first = days === 0 ? wall.hour * 60 + wall.minute : 0;
    const found = nextOnDay(schedule, day, first, timeZone, from);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isDay({ month, dayOfMonth, dayOfWeek, anyDayOfMonth, anyDayOfWeek }: CronSchedule, day: Date): boolean {
  if (!month.has(day.getUTCMonth() + 1)) return false;
  const byDate = dayOfMonth.has(day.getUTCDate());
  const byWeek = dayOfWeek.has(day.getUTCDay());
  return anyDayOfMonth || anyDayOfWeek ? byDate && byWeek : byDate || byWeek;
}

function nextOnDay(
  { hour, minute }: CronSchedule,
  day: Date,
  first: number,
  timeZone: string,
  from: number,
): number | undefined {
  for (let at = first; at < DAY_MINUTES; at++) {
    if (!hour.has(Math.floor(at / 60)) || !minute.has(at % 60)) continue;
    const time = instantOf(day.getTime() + at * MINUTE, timeZone);
    if (time !== undefined && time >= from) return time;
  }
  return undefined;
}

/** The moment at which clocks of the zone show a time (given as if it were UTC); undefined when they never do. */
function instantOf(shown: number, timeZone: string): number | undefined {
  // The offset is that of one of the hours around it; the earlier moment counts where clocks show a time twice.
  const guesses = [shown - DAY_MINUTES * MINUTE, shown, shown + DAY_MINUTES * MINUTE].map(
    (near) => shown - offsetAt(near, timeZone),
  );
  return guesses.sort((a, b) => a - b).find((guess) => guess + offsetAt(guess, timeZone) === shown);
}

function offsetAt(time: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0;
  const { year, month, day, hour, minute, second } = wallClock(time, timeZone);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1000) * 1000;
}

interface WallClock {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function wallClock(time: number, timeZone: string): WallClock {
  let format = formats.get(timeZone);
  if (!format) {
    const numeric = 'numeric';
    const options = {
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    } as const;
    formats.set(timeZone, (format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...options })));
  }
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type as string, Number(value)]));
  const of = (type: string) => parts.get(type) ?? 0;
  return {
    year: of('year'),
    month: of('month'),
    day: of('day'),
    hour: of('hour'),
    minute: of('minute'),
    second: of('second'),
  };
}

/** A moment as clocks of a zone show it, in RFC 3339. */
export function inZone(time: number, timeZone = 'UTC'): string {
  const offset = offsetAt(time, timeZone) / MINUTE;
  const shown = new Date(time + offset * MINUTE).toISOString().slice(0, 19);
  if (offset === 0) return `${shown}Z`;
  const two = (value: number) => String(Math.floor(Math.abs(value))).padStart(2, '0');
  return `${shown}${offset < 0 ? '-' : '+'}${two(offset / 60)}:${two(offset % 60)}`;
}
