/** Query parameters of streams, read as Kubernetes reads them. */
import { badRequest } from '#base/status-error.ts';

/** Absent, `false` and `0` are false; everything else, the empty string too, is true. */
export function flag(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && value.toLowerCase() !== 'false' && value !== '0';
}

export function integer(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null || value === '') return undefined;
  if (/^[-+]?\d{1,15}$/.test(value)) return Number(value);
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: invalid syntax`);
}

export function time(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null || value === '') return undefined;
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[-+]\d\d:\d\d)$/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms)) throw badRequest(`parsing time ${JSON.stringify(value)}: it is not written as RFC 3339 has it`);
  return ms;
}
