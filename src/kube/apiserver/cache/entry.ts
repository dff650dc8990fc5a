/**
 * One object at one revision, as the cache keeps it: decoded once, encoded at most once.
 *
 * Its bytes are the object's JSON and serve get, list and every watcher. The object is shared with all who asked for
 * it and never changes.
 */
import type { KubeObject } from '#kube/meta/object.ts';
import type { Revision } from '#kube/store/store.ts';

export interface Entry {
  /** `namespace/name`, or the name of a cluster-scoped object. */
  readonly key: string;
  readonly revision: Revision;
  readonly object: KubeObject;
  bytes(): Buffer;
}

export function entryOf(key: string, revision: Revision, object: KubeObject): Entry {
  let encoded: Buffer | undefined;
  return { key, revision, object, bytes: () => (encoded ??= Buffer.from(JSON.stringify(object))) };
}

/** The same content under a later resourceVersion: how a watch tells the end of an object. */
export function entryAt(entry: Entry, revision: Revision): Entry {
  const { object } = entry;
  const metadata = { ...object.metadata, resourceVersion: String(revision) };
  return entryOf(entry.key, revision, { ...object, metadata });
}

/**
 * The stored form of an object. The resourceVersion is the store's own revision, so its place is kept empty: putting
 * it in after decoding then leaves the order of fields as it was.
 */
export function encodeStored(object: KubeObject): Buffer {
  return Buffer.from(JSON.stringify(object));
}

export function decodeStored(key: string, value: Uint8Array, revision: Revision): Entry {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const object: { metadata: { resourceVersion: string } } & KubeObject = JSON.parse(bytes.toString('utf8'));
  object.metadata.resourceVersion = String(revision);
  return entryOf(key, revision, object);
}
