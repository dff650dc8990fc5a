/**
 * What callers may read of the index when nobody else decides: the global cluster says who they are (TokenReview) and
 * whether they may `get` `clusters/index` of `kpanda.io`, of all clusters or of some by name.
 */
import type { IncomingMessage } from 'node:http';
import { type Clock, systemClock } from '#base/clock.ts';
import { sameText } from '#base/same-text.ts';
import type { Access, IndexReader } from './index/index.ts';
import { bearerOf, type ReviewedCaller, type Reviews, unauthorized } from './reviews.ts';

export interface CallerAccessDeps {
  readonly reviews: Reviews;
  readonly reader: IndexReader;
  /** Whoever bears it may read everything. */
  readonly adminToken?: string;
  readonly clock?: Clock;
}

/** For so long an answer is taken for still true; a right taken away ends within it. */
const KNOWN_FOR_MS = 3_000;
const MAX_KNOWN = 1_000;
/** Of more clusters than these rights are not looked up one by one. */
const MAX_CLUSTERS = 200;

export function callerAccess(deps: CallerAccessDeps): (request: IncomingMessage) => Promise<Access> {
  const { reviews, reader, adminToken, clock = systemClock } = deps;
  const known = new Map<string, { readonly at: number; readonly access: Promise<Access> }>();

  const allows = (caller: ReviewedCaller, name: string) =>
    reviews.allows(caller, { verb: 'get', subresource: 'index', name });

  async function accessOf(token: string): Promise<Access> {
    const caller = await reviews.callerOf(token);
    if (await allows(caller, '')) return 'everything';
    const sources = (await reader.sources()).slice(0, MAX_CLUSTERS);
    const granted = await Promise.all(
      sources.map(async ({ name }) => ((await allows(caller, name)) ? [{ cluster: name }] : [])),
    );
    return granted.flat();
  }

  return (request) => {
    const token = bearerOf(request.headers.authorization);
    if (token === undefined) return Promise.reject(unauthorized());
    if (adminToken !== undefined && sameText(token, adminToken)) return Promise.resolve('everything');
    let found = known.get(token);
    if (!found || clock.now() - found.at > KNOWN_FOR_MS) {
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(token, (found = { at: clock.now(), access: accessOf(token) }));
      found.access.catch(() => known.delete(token));
    }
    return found.access;
  };
}
