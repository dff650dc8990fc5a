/** Deletes all objects a selection names, each as if it had been deleted alone; those already gone do not matter. */
import { hasReason } from '#base/status-error.ts';
import type { Caller, Core } from '../core.ts';
import type { Served } from '../served.ts';
import { checkDeleteOptions, type DeleteOptions, deleteObject } from './delete.ts';
import { type Listed, type ListQuery, listObjects } from './list.ts';

const AT_ONCE = 64;

export async function deleteCollection(
  core: Core,
  served: Served,
  caller: Caller,
  query: ListQuery,
  options: DeleteOptions,
): Promise<Listed> {
  checkDeleteOptions(options);
  const listed = await listObjects(core, served, query);
  for (let i = 0; i < listed.entries.length; i += AT_ONCE) {
    const batch = listed.entries.slice(i, i + AT_ONCE);
    await Promise.all(
      batch.map(({ object }) => deleteObject(core, served, caller, object.metadata, options).catch(ifGone)),
    );
  }
  return listed;
}

function ifGone(error: unknown): void {
  if (!hasReason(error, 'NotFound')) throw error;
}
