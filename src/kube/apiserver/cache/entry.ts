/**
 * One object at one revision, as the cache keeps it: decoded once, encoded once.
 *
 * Its bytes are the object's JSON and serve get, list and every watcher. The object is shared with all who asked for
 * it and never changes. What has become history is kept as bytes alone.
 */
import type { KubeObject } from '#kube/meta/object.ts';
import type { Revision } from '#kube/store/store.ts';

export interface Entry {
  /** `namespace/name`, or the name of a cluster-scoped object. */
  readonly key: string;
  readonly revision: Revision;
  readonly object: KubeObject;
  bytes(): Buffer;
  /** Lets go of the decoded object: it is made again, from the bytes, for the few who look at it once more. */
  archive(): void;
}

/** `stored` is the object's stored form, if there is one: its bytes then need not be made from scratch. */
export function entryOf(key: string, revision: Revision, object: KubeObject, stored?: Uint8Array): Entry {
  return new KeptEntry(key, revision, object, stored);
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
  return encode(object);
}

export function decodeStored(key: string, value: Uint8Array, revision: Revision): Entry {
  return entryOf(key, revision, storedObject(value, revision), value);
}

function storedObject(value: Uint8Array, revision: Revision): KubeObject {
  const object = decode(bufferOf(value)) as { metadata: { resourceVersion: string } } & KubeObject;
  object.metadata.resourceVersion = String(revision);
  return object;
}

/** A class for once: there are as many of these as there are objects, and each closure would count. */
class KeptEntry implements Entry {
  readonly key: string;
  readonly revision: Revision;
  #object: KubeObject | undefined;
  /** The stored form until the bytes have been made from it, then the bytes. */
  #encoded: Uint8Array | undefined;
  #ready = false;

  constructor(key: string, revision: Revision, object: KubeObject, stored: Uint8Array | undefined) {
    this.key = key;
    this.revision = revision;
    this.#object = object;
    this.#encoded = stored;
  }

  get object(): KubeObject {
    if (this.#object) return this.#object;
    return this.#ready ? decode(this.bytes()) : storedObject(this.#encoded ?? this.bytes(), this.revision);
  }

  bytes(): Buffer {
    if (this.#ready) return this.#encoded as Buffer;
    const stored = this.#encoded && withRevision(bufferOf(this.#encoded), this.revision);
    const bytes = stored ?? encode(this.object);
    this.#encoded = bytes;
    this.#ready = true;
    return bytes;
  }

  archive(): void {
    this.#encoded ??= this.bytes();
    this.#object = undefined;
  }
}

const EMPTY_PLACE = Buffer.from('"resourceVersion":""');

/** The stored form with the revision in its place; undefined where that place cannot be told for sure. */
function withRevision(stored: Buffer, revision: Revision): Buffer | undefined {
  const at = stored.indexOf(EMPTY_PLACE);
  if (at < 0 || stored.indexOf(EMPTY_PLACE, at + 1) >= 0) return undefined;
  const digits = String(revision);
  const place = at + EMPTY_PLACE.length - 1;
  const bytes = Buffer.allocUnsafeSlow(stored.length + digits.length);
  stored.copy(bytes, 0, 0, place);
  bytes.write(digits, place, 'latin1');
  stored.copy(bytes, place + digits.length, place);
  return bytes;
}

function bufferOf(value: Uint8Array): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

/** In memory of its own: a part of Node's shared pieces would keep the whole piece for as long as the object lives. */
function encode(object: unknown): Buffer {
  const text = JSON.stringify(object);
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

function decode(bytes: Buffer): KubeObject {
  return JSON.parse(bytes.toString('utf8')) as KubeObject;
}
