import { notFound } from '#base/status-error.ts';
import type { Entry } from '../cache/entry.ts';
import type { Core } from '../core.ts';
import { futureRevision } from '../failures.ts';
import { cacheKey, type Served } from '../served.ts';
import { listRevision } from './list-options.ts';

export interface ObjectName {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** One object, not older than the revision asked for. */
export async function getObject(core: Core, served: Served, at: ObjectName, resourceVersion?: string): Promise<Entry> {
  await notOlderThan(core, listRevision(resourceVersion));
  return current(served, at);
}

/** The object as the cache has it now, or NotFound. */
export function current(served: Served, at: ObjectName): Entry {
  const entry = served.cache.get(cacheKey(at.namespace, at.name));
  if (!entry) throw notFound(served.definition.resource, at.name, served.definition.group);
  return served.view(entry);
}

/** Waits a little for a revision that has not arrived yet; clients may know it from another replica. */
export async function notOlderThan(core: Core, revision: number): Promise<void> {
  if (revision <= core.cache.revision()) return;
  if (!(await core.cache.seen(revision, core.limits.futureRevisionWaitMs))) {
    throw futureRevision(revision, core.cache.revision());
  }
}
