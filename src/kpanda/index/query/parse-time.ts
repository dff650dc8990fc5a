/** Times as Clusterpedia takes them: Unix seconds or milliseconds, RFC 3339, a day, or a day with a time. */
import { badRequest } from '#base/status-error.ts';

export function parseTime(name: string, text: string): number {
  if (/^\d{10}$/.test(text)) return Number(text) * 1000;
  if (/^\d{13}$/.test(text)) return Number(text);
  const known = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)?)?$/.exec(text);
  // Without a zone a time is UTC, wherever the server is.
  const spelled = text.replace(' ', 'T') + (known && text.length > 10 && known[1] === undefined ? 'Z' : '');
  const ms = known ? Date.parse(spelled) : Number.NaN;
  if (Number.isNaN(ms)) {
    throw badRequest(
      `${name}=${JSON.stringify(text)} is no time: write Unix seconds or milliseconds, 2026-01-31, 2026-01-31 15:04:05 or RFC 3339`,
    );
  }
  return ms;
}
