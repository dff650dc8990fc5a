/** Timestamps and durations: their parts, and how they are read and written. */
import { parseGoTime } from '../../go-time.ts';
import { CelError } from '../cel-error.ts';
import { parseDuration } from '../duration.ts';
import { member, type Overload, T } from '../function.ts';
import type { CelDuration, CelTime } from '../value.ts';

const SECOND = 1_000_000_000n;

export function parseTimeValue(text: string): CelTime {
  const time = parseGoTime(text);
  if (typeof time === 'string')
    throw new CelError(`type conversion error from 'string' to 'google.protobuf.Timestamp'`);
  return { cel: 'timestamp', nanos: BigInt(time.seconds) * SECOND + BigInt(time.nanos) };
}

export function parseDurationValue(text: string): CelDuration {
  const nanos = parseDuration(text);
  if (nanos === undefined) throw new CelError(`type conversion error from 'string' to 'google.protobuf.Duration'`);
  return { cel: 'duration', nanos };
}

/** RFC 3339 in UTC, with as much of the fraction as there is. */
export function formatTime({ nanos }: CelTime): string {
  const rest = ((nanos % SECOND) + SECOND) % SECOND;
  const seconds = Number((nanos - rest) / SECOND);
  const fraction = rest.toString().padStart(9, '0').replace(/0+$/, '');
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}${fraction === '' ? '' : `.${fraction}`}Z`;
}

/** Each part of a time, in UTC; months and days of the week count from 0. */
const PARTS: Readonly<Record<string, (date: Date) => number>> = {
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getDayOfYear: (date) => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000),
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDate: (date) => date.getUTCDate(),
  getDayOfWeek: (date) => date.getUTCDay(),
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
  getSeconds: (date) => date.getUTCSeconds(),
  getMilliseconds: (date) => date.getUTCMilliseconds(),
};

/** The same moment as a UTC date that shows the clock of a time zone: `+02:00`, or a name. */
function inZone({ nanos }: CelTime, zone: string): Date {
  const ms = Number(nanos / 1_000_000n);
  const offset = /^([+-])?(\d\d):(\d\d)$/.exec(zone);
  if (offset) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3]);
    return new Date(ms + (offset[1] === '-' ? -minutes : minutes) * 60_000);
  }
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    return new Date(Date.parse(`${format.format(ms)} UTC`) + (ms % 1000));
  } catch {
    throw new CelError(`unknown time zone ${zone}`);
  }
}

export const TIME: readonly Overload[] = [
  ...Object.entries(PARTS).flatMap(([name, part]) => [
    member(name, [T.timestamp], T.int, ({ nanos }) => BigInt(part(new Date(Number(nanos / 1_000_000n))))),
    member(name, [T.timestamp, T.string], T.int, (time, zone) => BigInt(part(inZone(time, zone)))),
  ]),
  member('getHours', [T.duration], T.int, ({ nanos }) => nanos / (3600n * SECOND)),
  member('getMinutes', [T.duration], T.int, ({ nanos }) => nanos / (60n * SECOND)),
  member('getSeconds', [T.duration], T.int, ({ nanos }) => nanos / SECOND),
  member('getMilliseconds', [T.duration], T.int, ({ nanos }) => (nanos / 1_000_000n) % 1000n),
];
