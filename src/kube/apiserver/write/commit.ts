/** The last step of every write: put it in the store, and wait until the cache shows it. */
import type { Draft } from '#base/json.ts';
import type { KubeObject, ManagedFieldsEntry } from '#kube/meta/object.ts';
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
  await core.cache.seen(revision);
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

/** The object with its fields in Kubernetes' order. */
function inOrder({ definition }: Served, { metadata, ...rest }: Draft<KubeObject>): KubeObject {
  const { managedFields, ...own } = metadata;
  if (!managedFields) return orderFields(definition.schema, { ...rest, metadata: own });
  const holder: Draft<KubeObject> = { ...rest, metadata: { ...own, managedFields: [] } };
  const ordered = orderFields(definition.schema, holder);
  ordered.metadata.managedFields = managedFields.map((entry) => entryInOrder(entry, definition.custom));
  return ordered;
}

/** Entries keep their identity from write to write, so each is put in order once. */
const orderedEntries = new WeakMap<object, Draft<ManagedFieldsEntry>>();

function entryInOrder(entry: ManagedFieldsEntry, sorted: boolean): Draft<ManagedFieldsEntry> {
  let ordered = orderedEntries.get(entry);
  if (!ordered) {
    const { manager, operation, apiVersion, time, fieldsType, fieldsV1, subresource } = entry;
    const fields = sorted
      ? { apiVersion, fieldsType, fieldsV1, manager, operation, subresource, time }
      : { manager, operation, apiVersion, time, fieldsType, fieldsV1, subresource };
    ordered = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
    orderedEntries.set(entry, ordered);
    orderedEntries.set(ordered, ordered);
  }
  return ordered;
}
