/**
 * Schedules in cron's five fields (`0 8-18 * * mon-fri`) and its nicknames (`@daily`, `@every 90s`).
 *
 * {@link parseCronSchedule} gives the minutes, hours and days a schedule names, or the sentence with which Kubernetes
 * refuses it.
 */
export interface CronSchedule {
  readonly minute: ReadonlySet<number>;
  readonly hour: ReadonlySet<number>;
  readonly dayOfMonth: ReadonlySet<number>;
  readonly month: ReadonlySet<number>;
  readonly dayOfWeek: ReadonlySet<number>;
  /** Whether a field is a star: two days that are both given are alternatives. */
  readonly anyDayOfMonth: boolean;
  readonly anyDayOfWeek: boolean;
  /** Milliseconds between runs, for `@every`. */
  readonly every?: number;
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const MONTHS = ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const FIELDS: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: DAYS },
];

const NICKNAMES: Readonly<Record<string, string | undefined>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** The schedule, or why it is none. */
export function parseCronSchedule(text: string): CronSchedule | { readonly problem: string } {
  try {
    return parse(text);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function parse(text: string): CronSchedule {
  if (text === '') throw new Error('empty spec string');
  const spec = text.replace(/^(CRON_)?TZ=\S* +/, '').trim();
  if (spec.startsWith('@every '))
    return { ...parse('* * * * *'), every: durationOf(spec.slice('@every '.length), spec) };
  const fields = (spec.startsWith('@') ? nickname(spec) : spec).split(/\s+/);
  if (fields.length !== FIELDS.length) {
    throw new Error(`expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`);
  }
  const [minute, hour, dayOfMonth, month, dayOfWeek] = FIELDS.map((bounds, at) => fieldOf(fields[at] ?? '', bounds));
  if (!minute || !hour || !dayOfMonth || !month || !dayOfWeek) throw new Error('empty spec string');
  const star = (at: number) => /^[*?](\/1)?$/.test(fields[at] ?? '');
  return { minute, hour, dayOfMonth, month, dayOfWeek, anyDayOfMonth: star(2), anyDayOfWeek: star(4) };
}

function nickname(spec: string): string {
  const found = NICKNAMES[spec];
  if (found === undefined) throw new Error(`unrecognized descriptor: ${spec}`);
  return found;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

function durationOf(text: string, whole: string): number {
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) {
    throw new Error(`failed to parse duration ${whole}: time: invalid duration ${JSON.stringify(text)}`);
  }
  return [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)].reduce(
    (sum, [, amount, unit = 's']) => sum + Number(amount) * (UNITS[unit] ?? 0),
    0,
  );
}

function fieldOf(text: string, bounds: Bounds): Set<number> {
  const values = new Set<number>();
  for (const part of text.split(',').filter((one) => one !== '')) {
    const { start, end, step } = rangeOf(part, bounds);
    for (let value = start; value <= end; value += step) values.add(value);
  }
  return values;
}

function rangeOf(
  part: string,
  bounds: Bounds,
): { readonly start: number; readonly end: number; readonly step: number } {
  const [range = '', stepText, ...slashes] = part.split('/');
  const [low = '', high, ...hyphens] = range.split('-');
  const any = low === '*' || low === '?';
  if (!any && hyphens.length > 0) throw new Error(`too many hyphens: ${part}`);
  if (slashes.length > 0) throw new Error(`too many slashes: ${part}`);
  const start = any ? bounds.min : valueOf(low, bounds);
  const single = high === undefined;
  const last = any ? bounds.max : single ? start : valueOf(high, bounds);
  const step = stepText === undefined ? 1 : integer(stepText);
  const end = stepText !== undefined && single ? bounds.max : last;
  if (start < bounds.min) throw new Error(`beginning of range (${start}) below minimum (${bounds.min}): ${part}`);
  if (end > bounds.max) throw new Error(`end of range (${end}) above maximum (${bounds.max}): ${part}`);
  if (start > end) throw new Error(`beginning of range (${start}) beyond end of range (${end}): ${part}`);
  if (step === 0) throw new Error(`step of range should be a positive number: ${part}`);
  return { start, end, step };
}

function valueOf(text: string, { names = [] }: Bounds): number {
  const named = text === '' ? -1 : names.indexOf(text.toLowerCase());
  return named >= 0 ? named : integer(text);
}

function integer(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) {
    throw new Error(`failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  const value = Number(text);
  if (value < 0) throw new Error(`negative number (${value}) not allowed: ${text}`);
  return value;
}
