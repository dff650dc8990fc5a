/** Watch events as JSON lines, framed once as a chunk of HTTP/1.1 and then written to every watcher of a group. */
import { bookmarkOf } from '../in-process-watch.ts';
import type { SeenEvent } from '../selection.ts';
import type { Served } from '../served.ts';
import type { Representation } from '../watch-hub.ts';
import { partialMetadata } from './partial-metadata.ts';
import { type IncludeObject, table } from './table.ts';

/** The objects themselves: their bytes are shared with every other answer. */
export function objectLines(served: Served): Representation<Buffer> {
  return {
    id: 'json',
    gathers: true,
    events: (events) => frame(events.flatMap(({ type, entry }) => [HEADS[type], entry.bytes(), TAIL])),
    bookmark: (revision, initialEnd) => lineOf('BOOKMARK', bookmarkOf(served, revision, initialEnd)),
  };
}

export function partialLines({ definition }: Served, version: string): Representation<Buffer> {
  return {
    id: `partial ${version}`,
    gathers: true,
    events: (events) => linesOf(events, ({ entry }) => partialMetadata(entry.object, definition.custom, version)),
    bookmark: (revision, initialEnd) => {
      const annotations = initialEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
      const metadata = { resourceVersion: String(revision), ...annotations };
      return lineOf('BOOKMARK', { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata });
    },
  };
}

/** Tables are each watcher's own: the first event of each carries the columns. */
export function tableLines(
  served: Served,
  include: IncludeObject,
  version: string,
  now: () => number,
): Representation<Buffer> {
  let first = true;
  const rows = (entries: readonly SeenEvent['entry'][], metadata: object) => {
    const made = table(served, entries, metadata, { include, version, now: now(), withoutColumns: !first });
    first = false;
    return made;
  };
  return {
    id: `table ${nextTable++}`,
    gathers: true,
    events: (events) =>
      linesOf(events, ({ entry }) => rows([entry], { resourceVersion: String(entry.object.metadata.resourceVersion) })),
    bookmark: (revision) => lineOf('BOOKMARK', rows([], { resourceVersion: String(revision) })),
  };
}

let nextTable = 0;

/** The one event that ends a watch that cannot go on. */
export function errorLine(status: unknown): Buffer {
  return lineOf('ERROR', status);
}

const HEADS = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
} as const;
const TAIL = Buffer.from('}\n');

function linesOf(events: readonly SeenEvent[], objectOf: (event: SeenEvent) => unknown): Buffer {
  const lines = events.map((event) => `${JSON.stringify({ type: event.type, object: objectOf(event) })}\n`);
  return frame([Buffer.from(lines.join(''))]);
}

function lineOf(type: string, object: unknown): Buffer {
  return frame([Buffer.from(`${JSON.stringify({ type, object })}\n`)]);
}

/** One chunk of chunked transfer encoding. */
function frame(parts: readonly Buffer[]): Buffer {
  let size = 0;
  for (const part of parts) size += part.length;
  return Buffer.concat([Buffer.from(`${size.toString(16)}\r\n`), ...parts, Buffer.from('\r\n')]);
}
