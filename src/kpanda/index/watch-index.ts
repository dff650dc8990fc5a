/**
 * A watch on any query: what the query finds, as it comes, changes and goes.
 *
 * Made of the index's revisions: after each commit everything newer than what was told is read, with whether it matches.
 * Where matching may change while an object lives, the ids of what matched are remembered, so that an object which
 * ceases to match is told as deleted. What happened in the moment between a caller's list and this watch is told on the
 * safe side: an object that may have been listed and matches no more is told as deleted.
 */
import { type Clock, sleep } from '#base/clock.ts';
import { badRequest, StatusError } from '#base/status-error.ts';
import type { Access } from './query/access.ts';
import type { Query } from './query/query.ts';
import { isMutable } from './query/query-sql.ts';
import type { ChangedObject, FoundObject, IndexReader } from './store/index-store.ts';

export type IndexEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: FoundObject }
  /** Everything up to the revision is told; `initial` once, when that is the whole state. */
  | { readonly type: 'BOOKMARK'; readonly revision: number; readonly initial?: boolean };

export interface IndexWatchOptions {
  /** Absent: the state first. */
  readonly after?: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** So many objects that match for now are remembered at most. */
const MEMBERS = 100_000;
const CHANGES = 500;
/** Commits are many; a watch looks so often at most. */
const LOOK_EVERY_MS = 20;

export async function* watchIndex(
  reader: IndexReader,
  query: Query,
  access: Access,
  { after, clock, signal }: IndexWatchOptions,
): AsyncGenerator<IndexEvent> {
  const news = commits(reader, signal);
  try {
    let told = after;
    if (told === undefined) {
      told = await reader.revision();
      yield* state(reader, query, access);
      yield { type: 'BOOKMARK', revision: told, initial: true };
    } else {
      await checkRevision(reader, told);
    }
    const telling = teller(told, isMutable(query) ? await membersOf(reader, query, access) : undefined);
    while (!signal.aborted) {
      const { objects, revision } = await reader.changes(query, access, told, CHANGES);
      for (const change of objects) {
        const type = telling(change, told);
        if (type) yield { type, object: change };
      }
      if (revision > told) yield { type: 'BOOKMARK', revision };
      told = revision;
      if (objects.length > 0 && (await reader.revision()) > told) continue;
      await news.next();
      await sleep(clock, LOOK_EVERY_MS, signal).catch(() => undefined);
    }
  } finally {
    news.end();
  }
}

/** A revision of a source, or of an index that is no more, means nothing here: whoever has it must list again. */
async function checkRevision(reader: IndexReader, after: number): Promise<void> {
  const now = await reader.revision();
  if (after > now) throw new StatusError('Expired', `too large resource version: ${after} (${now})`);
}

async function* state(reader: IndexReader, query: Query, access: Access): AsyncGenerator<IndexEvent> {
  let after: string | undefined;
  do {
    const page = await reader.page({ ...query, limit: CHANGES, ...(after === undefined ? {} : { after }) }, access);
    for (const object of page.objects) yield { type: 'ADDED', object };
    after = page.next;
  } while (after !== undefined);
}

interface Members {
  readonly revision: number;
  readonly ids: Set<number>;
}

async function membersOf(reader: IndexReader, query: Query, access: Access): Promise<Members> {
  const { revision, ids } = await reader.ids(query, access, MEMBERS + 1);
  if (ids.length > MEMBERS) {
    throw badRequest(`a watch with a filter follows at most ${MEMBERS} objects: narrow it by cluster or namespace`);
  }
  return { revision, ids: new Set(ids) };
}

/** What to tell of a change, given what was told before. */
function teller(start: number, members: Members | undefined) {
  return (change: ChangedObject, told: number): 'ADDED' | 'MODIFIED' | 'DELETED' | undefined => {
    const { id, born, deleted, matches, revision } = change;
    const appeared = born > told;
    if (!members) return deleted ? (appeared ? undefined : 'DELETED') : appeared ? 'ADDED' : 'MODIFIED';
    if (deleted || !matches) {
      const was = members.ids.delete(id);
      const maybe = revision <= members.revision && born <= start;
      return was || maybe ? 'DELETED' : undefined;
    }
    if (revision <= members.revision) return appeared ? 'ADDED' : 'MODIFIED';
    if (members.ids.has(id)) return 'MODIFIED';
    members.ids.add(id);
    return 'ADDED';
  };
}

/** Resolves for a commit that came since it was last asked. */
function commits(reader: IndexReader, signal: AbortSignal) {
  let fresh = Promise.withResolvers<void>();
  const wake = () => fresh.resolve();
  const end = reader.onCommit(wake);
  signal.addEventListener('abort', wake, { once: true });
  return {
    async next(): Promise<void> {
      await fresh.promise;
      fresh = Promise.withResolvers<void>();
      if (signal.aborted) fresh.resolve();
    },
    end(): void {
      end();
      signal.removeEventListener('abort', wake);
    },
  };
}
