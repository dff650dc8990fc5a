/**
 * Lists: what there is, at a moment the client may choose.
 *
 * Without a revision or with one it must not be older than, the newest state is shown. Later pages and exact lists are
 * shown from the history, so that all pages of a list are of one moment; when that was forgotten, 410 says so.
 */
import { badRequest } from '#base/status-error.ts';
import type { Entry } from '../cache/entry.ts';
import { lowerBound } from '../cache/sorted-entries.ts';
import type { Core } from '../core.ts';
import { expiredContinue, expiredList } from '../failures.ts';
import { type Selection, type Selectors, selection } from '../selection.ts';
import type { Served } from '../served.ts';
import { decodeContinue, encodeContinue } from './continue-token.ts';
import { notOlderThan } from './get.ts';
import { checkRevisionOptions, listRevision, type RevisionOptions } from './list-options.ts';

export interface ListQuery extends Selectors, RevisionOptions {
  readonly limit?: number | undefined;
}

export interface Listed {
  readonly entries: readonly Entry[];
  readonly revision: number;
  readonly continue?: string;
  readonly remaining?: number;
}

export async function listObjects(core: Core, served: Served, query: ListQuery): Promise<Listed> {
  checkRevisionOptions(query, false);
  const wanted = selection(served, query);
  if (query.continue) return continued(core, served, query, wanted);

  const asked = listRevision(query.resourceVersion);
  await notOlderThan(core, asked);
  const exact = query.resourceVersionMatch === 'Exact' || (query.limit && asked > 0 && !query.resourceVersionMatch);
  if (exact) return page(await at(core, served, asked), asked, wanted, query.limit ?? 0);
  // A list that any state satisfies is answered whole: its client fills a cache.
  const limit = query.resourceVersion === '0' ? 0 : (query.limit ?? 0);
  return page(served.cache.entries(), core.cache.revision(), wanted, limit);
}

async function at(core: Core, served: Served, revision: number): Promise<readonly Entry[]> {
  await notOlderThan(core, revision);
  const entries = served.cache.snapshot(revision);
  if (!entries) throw expiredList();
  return entries;
}

function continued(core: Core, served: Served, query: ListQuery, wanted: Selection): Listed {
  if (query.resourceVersion !== undefined && query.resourceVersion !== '' && query.resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  const token = decodeContinue(query.continue ?? '', query.namespace);
  const revision = token.revision < 0 ? core.cache.revision() : token.revision;
  const entries = served.cache.snapshot(revision);
  if (!entries) throw expiredContinue(encodeContinue({ revision: -1, after: token.after }, query.namespace));
  const from = lowerBound(entries, (entry) => entry.key > token.after);
  return page(entries.slice(from), revision, wanted, query.limit ?? 0);
}

function page(entries: readonly Entry[], revision: number, wanted: Selection, limit: number): Listed {
  const found = wanted.among(entries);
  const last = limit > 0 && found.length > limit ? found[limit - 1] : undefined;
  if (!last) return { entries: found, revision };
  return {
    entries: found.slice(0, limit),
    revision,
    continue: encodeContinue({ revision, after: last.key }, wanted.namespace),
    ...(wanted.filtered ? {} : { remaining: found.length - limit }),
  };
}
