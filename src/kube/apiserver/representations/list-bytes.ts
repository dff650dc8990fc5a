/**
 * The JSON of a list, put together from the bytes each object already has.
 *
 * Items of built-in kinds carry no kind and apiVersion. Their bytes start with these two, so an item is the object's
 * bytes from there on; custom resources keep all their fields and have their keys sorted.
 */
import type { Entry } from '../cache/entry.ts';
import type { Served } from '../served.ts';
import type { Listed } from '../verbs/list.ts';

export function listBytes(served: Served, listed: Listed): Buffer {
  const metadata = JSON.stringify(listMetadata(served, listed));
  const { listKind, apiVersion } = served;
  if (served.definition.custom) {
    const head = `{"apiVersion":${JSON.stringify(apiVersion)},"items":[`;
    return joined(head, listed.entries, 0, `],"kind":${JSON.stringify(listKind)},"metadata":${metadata}}\n`);
  }
  const head = `{"kind":${JSON.stringify(listKind)},"apiVersion":${JSON.stringify(apiVersion)},"metadata":${metadata},"items":[`;
  return joined(head, listed.entries, typeMetaLength(served), ']}\n');
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

function joined(head: string, entries: readonly Entry[], skip: number, tail: string): Buffer {
  const items = entries.map((entry) => entry.bytes());
  let size = Buffer.byteLength(head) + Buffer.byteLength(tail) + Math.max(0, items.length - 1);
  for (const item of items) size += item.length - skip;
  const bytes = Buffer.allocUnsafe(size);
  let at = bytes.write(head);
  for (const [index, item] of items.entries()) {
    if (index > 0) bytes[at++] = COMMA;
    item.copy(bytes, at, skip);
    if (skip > 0) bytes[at] = BRACE;
    at += item.length - skip;
  }
  bytes.write(tail, at);
  return bytes;
}
