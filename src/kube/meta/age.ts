/** Spans of time as `kubectl get` shows them: two or three significant figures, `5d3h`, `12m`, `<unknown>`. */

/** The age of a timestamp, as the AGE column shows it. */
export function ageOf(timestamp: string | null | undefined, now: number): string {
  return timestamp ? humanDuration(now - Date.parse(timestamp)) : '<unknown>';
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** As precise as the span deserves: seconds below two minutes, `3m7s` below ten, days alone beyond a week. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / SECOND);
  // Clocks of two machines may differ a little: a second in the future still is "now".
  if (seconds < -1) return '<invalid>';
  if (seconds < 120) return `${Math.max(seconds, 0)}s`;
  if (ms < 10 * MINUTE) return pair(ms, MINUTE, 'm', SECOND, 's');
  if (ms < 3 * HOUR) return whole(ms, MINUTE, 'm');
  if (ms < 8 * HOUR) return pair(ms, HOUR, 'h', MINUTE, 'm');
  if (ms < 2 * DAY) return whole(ms, HOUR, 'h');
  if (ms < 8 * DAY) return pair(ms, DAY, 'd', HOUR, 'h');
  if (ms < 2 * 365 * DAY) return whole(ms, DAY, 'd');
  if (ms < 8 * 365 * DAY) return pair(ms, 365 * DAY, 'y', DAY, 'd');
  return whole(ms, 365 * DAY, 'y');
}

/** One figure only: `3m`, `2d`. */
export function shortHumanDuration(ms: number): string {
  const seconds = Math.trunc(ms / SECOND);
  if (seconds < -1) return '<invalid>';
  if (seconds < 60) return `${Math.max(seconds, 0)}s`;
  if (ms < HOUR) return whole(ms, MINUTE, 'm');
  if (ms < DAY) return whole(ms, HOUR, 'h');
  return ms < 365 * DAY ? whole(ms, DAY, 'd') : whole(ms, 365 * DAY, 'y');
}

function whole(ms: number, unit: number, name: string): string {
  return `${Math.floor(ms / unit)}${name}`;
}

function pair(ms: number, unit: number, name: string, part: number, partName: string): string {
  const rest = Math.floor((ms % unit) / part);
  return rest === 0 ? whole(ms, unit, name) : `${whole(ms, unit, name)}${rest}${partName}`;
}
