/** The last step of every write: put it in the store, and wait until the cache shows it. */
import type { Draft } from '#base/json.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { orderFields } from '#kube/schema/index.ts';
import { encodeStored, type Entry, entryOf } from '../cache/entry.ts';
import type { Core } from '../core.ts';
import type { Served } from '../served.ts';

/** Writes `object` if the key is still at `expected`; a StoreConflict says that it moved. Takes over the object. */
export async function putObject(
  core: Core,
  served: Served,
  key: string,
  object: Draft<KubeObject>,
  expected: number,
): Promise<Entry> {
  object.metadata.resourceVersion = '';
  const stored = served.toStored(inOrder(served, object));
  const value = encodeStored(stored);
  const path = served.prefix + key;
  const withdraw = core.cache.expect(path, value, stored);
  let revision: number;
  try {
    revision = await core.store.put(path, value, expected);
  } catch (error) {
    withdraw();
    throw error;
  }
  if (revision > core.cache.revision()) await core.cache.seen(revision);
  const cached = served.cache.get(key);
  // Another write may already have followed; this one is still answered with what it wrote.
  return served.view(cached?.revision === revision ? cached : entryOf(key, revision, stored));
}

export async function removeObject(core: Core, served: Served, entry: Entry): Promise<number> {
  const revision = await core.store.delete(served.prefix + entry.key, entry.revision);
  await core.cache.seen(revision);
  return revision;
}

/** What would have been stored, for a dry run and for answers that show no stored object. */
export function unstored(served: Served, key: string, object: Draft<KubeObject>): Entry {
  return entryOf(key, 0, inOrder(served, object));
}

/** The object with its fields in Kubernetes' order. Entries of managedFields that are in order stay the same ones. */
function inOrder({ definition }: Served, object: Draft<KubeObject>): KubeObject {
  return orderFields(definition.schema, object);
}
