/** What every answer says besides what was asked for: whether it has seen the caller's write, and how fresh it is. */
import { badRequest } from '#base/status-error.ts';
import { awaitRevisions, MAX_WAIT_MS, parseDemands, WAIT_MS } from '../await-revision.ts';
import { freshnessWarnings, sourcesField } from './freshness.ts';
import type { Asking } from './asking.ts';

/** Waits for the revision asked for, warns of what is not fresh, and gives the field that says it all. */
export async function told(asking: Asking): Promise<ReturnType<typeof sourcesField>> {
  const { exchange, reader, access, query, kinds, clock, gone } = asking;
  const asked = { kinds, ...(query.clusters ? { clusters: query.clusters } : {}) };
  const demands = parseDemands(exchange.query.get('minRevision'), asked);
  const limitMs = waitMs(exchange.query.get('minRevisionTimeout'));
  const unmet = demands.length === 0 ? [] : await awaitRevisions(reader, demands, { limitMs, clock, signal: gone });
  const freshness = await reader.freshness(query, access);
  exchange.warnings.push(...freshnessWarnings(freshness, unmet, kinds));
  return sourcesField(freshness, unmet, kinds);
}

/** Seconds, or with a unit: `500ms`, `2s`. */
function waitMs(text: string | null): number {
  if (text === null) return WAIT_MS;
  const [, number, unit] = /^(\d{1,6})(ms|s)?$/.exec(text) ?? [];
  const ms = Number(number) * (unit === 'ms' ? 1 : 1000);
  if (!(ms <= MAX_WAIT_MS))
    throw badRequest(`minRevisionTimeout=${JSON.stringify(text)}: write 500ms or 2s, up to ${MAX_WAIT_MS / 1000}s`);
  return ms;
}
