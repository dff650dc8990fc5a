/**
 * The JSON of a list, put together from the bytes each object already has.
 *
 * Items of built-in kinds carry no kind and apiVersion. Their bytes start with these two, so an item is the object's
 * bytes from there on; custom resources keep all their fields and have their keys sorted.
 */
import type { Entry } from '../cache/entry.ts';
import type { Served } from '../served.ts';
import type { Listed } from '../verbs/list.ts';

export interface ListBody {
  /** How many bytes the pieces have together. */
  readonly size: number;
  /** Made one by one as they are taken, so that a long list is never whole in memory. */
  pieces(): Iterable<Buffer>;
}

export function listBody(served: Served, listed: Listed): ListBody {
  const metadata = JSON.stringify(listMetadata(served, listed));
  const { listKind, apiVersion } = served;
  if (served.definition.custom) {
    const head = `{"apiVersion":${JSON.stringify(apiVersion)},"items":[`;
    return body(head, listed.entries, 0, `],"kind":${JSON.stringify(listKind)},"metadata":${metadata}}\n`);
  }
  const head = `{"kind":${JSON.stringify(listKind)},"apiVersion":${JSON.stringify(apiVersion)},"metadata":${metadata},"items":[`;
  return body(head, listed.entries, typeMetaLength(served), ']}\n');
}

export function listMetadata(served: Served, { revision, continue: token, remaining }: Listed) {
  const resourceVersion = String(revision);
  if (served.definition.custom) {
    return {
      continue: token ?? '',
      ...(remaining === undefined ? {} : { remainingItemCount: remaining }),
      resourceVersion,
    };
  }
  return {
    resourceVersion,
    ...(token === undefined ? {} : { continue: token }),
    ...(remaining === undefined ? {} : { remainingItemCount: remaining }),
  };
}

/** The length of `{"kind":"…","apiVersion":"…",` less its opening brace. */
function typeMetaLength({ definition, apiVersion }: Served): number {
  return `"kind":${JSON.stringify(definition.kind)},"apiVersion":${JSON.stringify(apiVersion)},`.length;
}

const COMMA = 0x2c;
const BRACE = 0x7b;
const PIECE = 256 * 1024;

function body(head: string, entries: readonly Entry[], skip: number, tail: string): ListBody {
  let size = Buffer.byteLength(head) + Buffer.byteLength(tail);
  for (const entry of entries) size += itemLength(entry, skip);
  return {
    size: size - (entries.length > 0 ? 1 : 0),
    *pieces() {
      yield Buffer.from(head);
      for (let from = 0, to = 0; from < entries.length; from = to) {
        let length = 0;
        for (; to < entries.length && length < PIECE; to++) length += itemLength(entries[to]!, skip);
        yield items(entries, from, to, skip, from === 0 ? length - 1 : length);
      }
      yield Buffer.from(tail);
    },
  };
}

/** With a comma, which all items have but the first. */
function itemLength(entry: Entry, skip: number): number {
  return entry.bytes().length - skip + 1;
}

function items(entries: readonly Entry[], from: number, to: number, skip: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  for (let index = from; index < to; index++) {
    const item = entries[index]!.bytes();
    if (index > 0) bytes[at++] = COMMA;
    item.copy(bytes, at, skip);
    if (skip > 0) bytes[at] = BRACE;
    at += item.length - skip;
  }
  return bytes;
}
