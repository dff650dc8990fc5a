/** When a cron rule fires next, in the time of Greenwich, which is what clusters go by unless told otherwise. Pure. */
const RANGES = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const NAMED: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Rules that fire more rarely than that are said never to. */
const HORIZON_DAYS = 5 * 366;

interface Parsed {
  readonly fields: readonly string[];
  /** What each field stands for, in order. */
  readonly values: readonly ReadonlySet<number>[];
}

/** The five parts of a rule, also of one that has a name; undefined for what is no rule. */
export function fieldsOf(rule: string): Parsed | undefined {
  const fields = (NAMED[rule.trim()] ?? rule).trim().split(/\s+/);
  if (fields.length !== RANGES.length) return undefined;
  const values = fields.map((field, index) => valuesOf(field, index));
  if (values.some((set) => set === undefined)) return undefined;
  return { fields, values: values as readonly ReadonlySet<number>[] };
}

/** The next times after `from`, in milliseconds; undefined for what is no rule. */
export function nextRuns(rule: string, from: number, count: number): readonly number[] | undefined {
  const parsed = fieldsOf(rule);
  if (!parsed) return undefined;
  const { fields, values } = parsed;
  const [minutes, hours, days, months, weekdays] = values;
  // As cron has it: of the two kinds of days, either will do if both are told.
  const either = !fields[2]?.startsWith('*') && !fields[4]?.startsWith('*');
  const found: number[] = [];
  const first = Math.floor(from / DAY) * DAY;
  for (let day = 0; day < HORIZON_DAYS && found.length < count; day += 1) {
    const at = new Date(first + day * DAY);
    const byDate = days?.has(at.getUTCDate()) ?? false;
    const byWeekday = weekdays?.has(at.getUTCDay()) ?? false;
    if (!months?.has(at.getUTCMonth() + 1) || !(either ? byDate || byWeekday : byDate && byWeekday)) continue;
    for (const hour of hours ?? [])
      for (const minute of minutes ?? []) {
        const time = at.getTime() + (hour * 60 + minute) * MINUTE;
        if (time > from && found.length < count) found.push(time);
      }
  }
  return found;
}

function valuesOf(field: string, index: number): ReadonlySet<number> | undefined {
  const [least, most] = RANGES[index] ?? [0, 0];
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const [, range = '', , step = '1'] = /^([^/]+)(\/(\d+))?$/.exec(part) ?? [];
    const [from, to] =
      range === '*' || range === '?' ? [least, most] : boundsOf(range, index, part.includes('/') ? most : undefined);
    if (Number.isNaN(from) || Number.isNaN(to) || from < least || to > most || from > to || Number(step) < 1)
      return undefined;
    for (let value = from; value <= to; value += Number(step)) values.add(index === 4 ? value % 7 : value);
  }
  return new Set([...values].sort((a, b) => a - b));
}

/** `3`, `3-5`, `mon-fri`; one number with a step goes on to the end. */
function boundsOf(range: string, index: number, end: number | undefined): readonly [number, number] {
  const [from = '', to] = range.split('-');
  const first = numberOf(from, index);
  return [first, to === undefined ? (end ?? first) : numberOf(to, index)];
}

function numberOf(word: string, index: number): number {
  const name = word.toLowerCase();
  if (index === 3 && MONTHS.includes(name)) return MONTHS.indexOf(name) + 1;
  if (index === 4 && DAYS.includes(name)) return DAYS.indexOf(name);
  return /^\d+$/.test(word) ? Number(word) : Number.NaN;
}
