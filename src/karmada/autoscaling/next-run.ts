/**
 * When a cron schedule is due next, on the clocks of a time zone. Pure.
 *
 * Times that a change of the clocks skips do not come; times that it repeats come twice. A schedule that names a day
 * which never comes (the 31st of February) is never due.
 */
import { type CronSchedule, parseCronSchedule } from '#kube/apiserver/kinds/batch/cron-schedule.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** As long as between two leap days across a year like 2100. */
const DAYS_AHEAD = 366 * 8 + 1;

/** Milliseconds since the epoch, later than `after`; undefined when it is never due, or the text is no schedule. */
export function nextRun(text: string, after: number, timeZone: string): number | undefined {
  const schedule = parseCronSchedule(text);
  if ('problem' in schedule) return undefined;
  if (schedule.every !== undefined) return after + Math.max(1_000, schedule.every);
  const zone = zoneOf(zoneIn(text) ?? timeZone);
  const today = Math.floor((after + zone.offsetAt(after)) / DAY);
  for (let day = today - 1; day <= today + DAYS_AHEAD; day++) {
    if (!includesDay(schedule, day)) continue;
    const time = firstTimeOn(day, schedule, zone, after);
    if (time !== undefined) return time;
  }
  return undefined;
}

export function isTimeZone(name: string): boolean {
  try {
    zoneOf(name);
    return true;
  } catch {
    return false;
  }
}

/** A schedule may bring its own: `TZ=Asia/Tokyo 0 5 * * *`. */
function zoneIn(text: string): string | undefined {
  return /^(?:CRON_)?TZ=(\S+) /.exec(text)?.[1];
}

/** `day` counts from 1970-01-01 on the clocks of the zone. Two days that are both given are alternatives. */
function includesDay(schedule: CronSchedule, day: number): boolean {
  const date = new Date(day * DAY);
  if (!schedule.month.has(date.getUTCMonth() + 1)) return false;
  const ofMonth = schedule.dayOfMonth.has(date.getUTCDate());
  const ofWeek = schedule.dayOfWeek.has(date.getUTCDay());
  return schedule.anyDayOfMonth || schedule.anyDayOfWeek ? ofMonth && ofWeek : ofMonth || ofWeek;
}

/** The first time of the day after `after`. */
function firstTimeOn(day: number, { hour, minute }: CronSchedule, zone: Zone, after: number): number | undefined {
  let first: number | undefined;
  for (const offset of zone.offsetsOn(day)) {
    for (const hours of hour) {
      for (const minutes of minute) {
        const wall = day * DAY + (hours * 60 + minutes) * MINUTE;
        const time = wall - offset;
        const isSo = time > after && (first === undefined || time < first) && zone.offsetAt(time) === offset;
        if (isSo) first = time;
      }
    }
  }
  return first;
}

interface Zone {
  /** By how much its clocks are ahead of UTC at a time, in milliseconds. */
  offsetAt(time: number): number;
  /** The offsets in use on a day of its clocks: two when they are changed. */
  offsetsOn(day: number): readonly number[];
}

const zones = new Map<string, Zone>();

function zoneOf(timeZone: string): Zone {
  let zone = zones.get(timeZone);
  if (!zone) zones.set(timeZone, (zone = newZone(timeZone)));
  return zone;
}

function newZone(timeZone: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  function offsetAt(time: number): number {
    const part = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1_000) * 1_000;
  }
  return {
    offsetAt,
    // No zone is more than 14 hours away from UTC: the day lies within these two.
    offsetsOn: (day) => [...new Set([offsetAt(day * DAY - DAY / 2), offsetAt(day * DAY + 1.5 * DAY)])],
  };
}
