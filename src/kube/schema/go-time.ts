/** Times as Go reads and writes them in Kubernetes objects. */

const LAYOUT = '2006-01-02T15:04:05Z07:00';
const MICRO_LAYOUT = '2006-01-02T15:04:05.000000Z07:00';
const TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)([.,]\d+)?(Z|[+-]\d\d:\d\d)$/;
// A layout with six digits of a fraction takes them and no others.
const MICRO_TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)([.,]\d{6})(Z|[+-]\d\d:\d\d)$/;

export interface GoTime {
  /** Seconds since the epoch. */
  readonly seconds: number;
  readonly nanos: number;
}

/** The time a string tells, or Go's words for why it is none. */
export function parseGoTime(text: string, micro = false): GoTime | string {
  const match = (micro ? MICRO_TIME : TIME).exec(text);
  if (!match) return `parsing time ${goQuote(text)} as "${micro ? MICRO_LAYOUT : LAYOUT}": ${whyNot(text, micro)}`;
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '', fraction = ''] = match;
  const range = outOfRange(Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second));
  if (range) return `parsing time ${goQuote(text)}: ${range} out of range`;
  const ms = Date.parse(`${text.slice(0, 19)}${match[8]}`);
  return { seconds: ms / 1000, nanos: Number(fraction.slice(1, 10).padEnd(9, '0')) };
}

/** As `metav1.Time` (whole seconds) or `metav1.MicroTime` is written: in UTC. */
export function formatGoTime({ seconds, nanos }: GoTime, micro = false): string {
  const whole = new Date(seconds * 1000).toISOString().slice(0, 19);
  return micro ? `${whole}.${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z` : `${whole}Z`;
}

/** Go's parser goes from left to right and names the first element that does not fit. */
function whyNot(text: string, micro: boolean): string {
  let rest = text;
  for (const element of ['2006', '-', '01', '-', '02', 'T', '15', ':', '04', ':', '05']) {
    const fits = /\d/.test(element) ? new RegExp(`^\\d{${element.length}}`) : new RegExp(`^${element}`);
    if (!fits.test(rest)) return `cannot parse ${goQuote(rest)} as "${element}"`;
    rest = rest.slice(element.length);
  }
  if (micro && !/^[.,]\d{6}/.test(rest)) return `cannot parse ${goQuote(rest)} as ".000000"`;
  rest = rest.replace(micro ? /^[.,]\d{6}/ : /^[.,]\d+/, '');
  const zone = /^(?:Z|[+-]\d\d:\d\d)/.exec(rest);
  return zone ? `extra text: ${goQuote(rest.slice(zone[0].length))}` : `cannot parse ${goQuote(rest)} as "Z07:00"`;
}

function outOfRange(year: number, month: number, day: number, hour: number, minute: number, second: number) {
  if (month < 1 || month > 12) return 'month';
  if (day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return 'day';
  if (hour > 23) return 'hour';
  if (minute > 59) return 'minute';
  return second > 59 ? 'second' : undefined;
}

function goQuote(text: string): string {
  return JSON.stringify(text);
}
