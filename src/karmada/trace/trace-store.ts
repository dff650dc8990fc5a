/**
 * The traces of an instance, kept over restarts in a SQLite file of their own (docs/adr/0014-traces.md).
 *
 * It is the {@link Tracer} that controllers are handed. A hop changes a trace in memory and wakes who follows it; a
 * moment later the changed ones are compressed and written, a few at a time. It never holds more than it was told:
 * so many runs a template, so many bytes in all; what changed longest ago goes first. Losing the file loses history,
 * never work.
 */
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '#base/clock.ts';
import { packJson, unpackJson } from '#base/packed-json.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type Trace, withHop } from './trace.ts';
import type { Hop, Tracer } from './tracer.ts';

/** A trace as of one revision of the store. */
export interface Kept {
  readonly revision: number;
  readonly trace: Trace;
}

export interface TraceChange extends Kept {
  readonly type: 'changed' | 'gone';
}

export interface TraceStore extends Tracer {
  of(uid: string): Kept | undefined;
  /** The uids of all, in the order of their last change. */
  uids(): readonly string[];
  /** Grows with every change. */
  revision(): number;
  /** What was changed or removed after a revision; undefined when it is too long ago to tell. */
  since(revision: number): readonly TraceChange[] | undefined;
  /** Told of changes, several of one trace as one. */
  subscribe(subscriber: (changes: readonly TraceChange[]) => void): () => void;
  /** How much is kept, compressed. */
  bytes(): number;
  /** Writes what is still pending, and closes the file. */
  close(): void;
}

export interface TraceStoreOptions {
  readonly clock: Clock;
  /** Tells when there is time to write; the clock when absent. */
  readonly atLeisure?: Clock['after'];
  readonly file?: string;
  /** The most that is kept, compressed. Default: 16 MiB, some ten thousands of templates. */
  readonly maxBytes?: number;
}

const MAX_BYTES = 16 * 1024 * 1024;
/** A trace at rest for so long is written: once for all its hops, as most follow each other at once. */
const WRITE_AFTER_MS = 1_000;
/** More than this wait for neither rest nor lull. */
const UNWRITTEN_KEPT = 4_096;
const TELL_AFTER_MS = 20;
/** So many are written in one go. */
const BATCH = 64;
const HEARD_KEPT = 4_096;
const GONE_KEPT = 1_000;
/** Written ones that stay decoded, for the hops that are still to come. */
const DECODED_KEPT = 2_000;

export function traceStore(options: TraceStoreOptions): TraceStore {
  const { clock, atLeisure = (ms, action) => clock.after(ms, action), maxBytes = MAX_BYTES } = options;
  const table = traceTable(options.file);
  let revision = table.lastRevision();
  const firstRevision = revision;
  let bytes = table.bytes();
  /** Decoded traces, the one changed longest ago first; `dirty` are not written yet. */
  const decoded = new Map<string, Kept>();
  const dirty = new Map<string, number>();
  const heard = new Map<string, number>();
  const removed: TraceChange[] = [];
  const subscribers = new Set<(changes: readonly TraceChange[]) => void>();
  let news = new Map<string, TraceChange>();
  let cancelWrite: (() => void) | undefined;
  let cancelNews: (() => void) | undefined;

  function of(uid: string): Kept | undefined {
    return decoded.get(uid) ?? table.read(uid);
  }

  function put(uid: string, trace: Trace): void {
    const kept = { revision: ++revision, trace };
    decoded.delete(uid);
    decoded.set(uid, kept);
    // Last again: those in front have been at rest for longest.
    dirty.delete(uid);
    dirty.set(uid, clock.now());
    tell({ type: 'changed', ...kept });
    cancelWrite ??= later(WRITE_AFTER_MS);
  }

  /** How long the one that changed longest ago still has to rest. */
  function restLeft(): number {
    const [since] = dirty.values();
    if (since === undefined || dirty.size > UNWRITTEN_KEPT) return 0;
    return since + WRITE_AFTER_MS - clock.now();
  }

  function rested(): string[] {
    const batch: string[] = [];
    const until = clock.now() - WRITE_AFTER_MS;
    let excess = dirty.size - UNWRITTEN_KEPT;
    for (const [uid, since] of dirty) {
      if (batch.length === BATCH || (since > until && excess-- <= 0)) break;
      batch.push(uid);
    }
    return batch;
  }

  function write(batch: readonly string[]): void {
    table.together(() => {
      for (const uid of batch) {
        const kept = decoded.get(uid);
        if (kept) bytes += table.write(uid, kept);
        dirty.delete(uid);
      }
    });
    forgetOldest();
    for (const uid of decoded.keys()) {
      if (decoded.size <= DECODED_KEPT) break;
      if (!dirty.has(uid)) decoded.delete(uid);
    }
  }

  function writeRested(): void {
    cancelWrite = undefined;
    write(rested());
    if (dirty.size > 0) cancelWrite = later(Math.max(0, restLeft()));
  }

  function later(ms: number): () => void {
    return dirty.size > UNWRITTEN_KEPT ? clock.after(ms, writeRested) : atLeisure(ms, writeRested);
  }

  function forgetOldest(): void {
    while (bytes > maxBytes) {
      const uid = table.oldest();
      if (uid === undefined) return;
      remove(uid);
    }
  }

  function remove(uid: string): void {
    const kept = of(uid);
    decoded.delete(uid);
    dirty.delete(uid);
    bytes -= table.remove(uid);
    if (!kept) return;
    const change: TraceChange = { type: 'gone', revision: ++revision, trace: kept.trace };
    removed.push(change);
    if (removed.length > GONE_KEPT) removed.shift();
    tell(change);
  }

  function tell(change: TraceChange): void {
    if (subscribers.size === 0) return;
    news.set(change.trace.template.uid, change);
    cancelNews ??= clock.after(TELL_AFTER_MS, () => {
      cancelNews = undefined;
      const told = [...news.values()].sort((a, b) => a.revision - b.revision);
      news = new Map();
      for (const subscriber of subscribers) subscriber(told);
    });
  }

  return {
    written({ metadata: { uid } }: KubeObject) {
      if (uid === undefined) return;
      heard.delete(uid);
      heard.set(uid, clock.now());
      if (heard.size > HEARD_KEPT) heard.delete(heard.keys().next().value ?? '');
    },
    hop(hop: Hop) {
      const { uid } = hop.template;
      if (uid === undefined) return;
      const writtenAt = heard.get(uid);
      const before = of(uid)?.trace;
      const next = withHop(before, { ...hop, at: clock.now(), ...(writtenAt === undefined ? {} : { writtenAt }) });
      if (hop.step === 'bound') heard.delete(uid);
      if (next && next !== before) put(uid, next);
    },
    gone({ metadata: { uid } }: KubeObject) {
      if (uid === undefined) return;
      heard.delete(uid);
      remove(uid);
    },
    of,
    uids() {
      return [...table.uids().filter((uid) => !dirty.has(uid)), ...[...decoded.keys()].filter((uid) => dirty.has(uid))];
    },
    revision: () => revision,
    since(from) {
      const [oldestGone] = removed;
      const horizon = removed.length < GONE_KEPT ? firstRevision : (oldestGone?.revision ?? firstRevision);
      if (from < horizon || from > revision) return undefined;
      const changed = [...new Set([...table.uidsSince(from), ...dirty.keys()])].flatMap((uid) => of(uid) ?? []);
      const news = changed
        .filter((kept) => kept.revision > from)
        .map((kept) => ({ type: 'changed' as const, ...kept }));
      return [...news, ...removed.filter((change) => change.revision > from)].sort((a, b) => a.revision - b.revision);
    },
    subscribe(subscriber) {
      const own = (changes: readonly TraceChange[]) => subscriber(changes);
      subscribers.add(own);
      return () => void subscribers.delete(own);
    },
    bytes: () => bytes,
    close() {
      cancelWrite?.();
      cancelNews?.();
      write([...dirty.keys()]);
      table.close();
    },
  };
}

/** The file: one row a template, compressed, by the revision of its last change. */
function traceTable(file = ':memory:') {
  const db = new DatabaseSync(file);
  // History may be lost with the machine, but never keeps it waiting.
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = OFF;
    CREATE TABLE IF NOT EXISTS traces (uid TEXT PRIMARY KEY, revision INTEGER NOT NULL, body BLOB NOT NULL) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS traces_by_revision ON traces (revision);
  `);
  const read = db.prepare('SELECT revision, body FROM traces WHERE uid = ?');
  const size = db.prepare('SELECT length(body) AS size FROM traces WHERE uid = ?');
  const write = db.prepare('INSERT OR REPLACE INTO traces VALUES (?, ?, ?)');
  const remove = db.prepare('DELETE FROM traces WHERE uid = ?');
  const oldest = db.prepare('SELECT uid FROM traces ORDER BY revision LIMIT 1');
  const uids = db.prepare('SELECT uid FROM traces WHERE revision > ? ORDER BY revision');
  const total = db.prepare(
    'SELECT coalesce(sum(length(body)), 0) AS bytes, coalesce(max(revision), 0) AS last FROM traces',
  );
  const sizeOf = (uid: string) => Number(size.get(uid)?.['size'] ?? 0);
  const uidsSince = (revision: number) => uids.all(revision).map(({ uid }) => String(uid));
  return {
    lastRevision: () => Number(total.get()?.['last'] ?? 0),
    bytes: () => Number(total.get()?.['bytes'] ?? 0),
    read(uid: string): Kept | undefined {
      const row = read.get(uid);
      if (!row) return undefined;
      return { revision: Number(row['revision']), trace: decode(row['body']) };
    },
    /** By how much the file grew. */
    write(uid: string, { revision, trace }: Kept): number {
      const before = sizeOf(uid);
      const body = packJson(trace);
      write.run(uid, revision, body);
      return body.length - before;
    },
    /** By how much the file shrank. */
    remove(uid: string): number {
      const before = sizeOf(uid);
      remove.run(uid);
      return before;
    },
    oldest: () => oldest.get()?.['uid']?.toString(),
    uids: () => uidsSince(-1),
    uidsSince,
    together(action: () => void) {
      db.exec('BEGIN');
      action();
      db.exec('COMMIT');
    },
    close: () => db.close(),
  };
}

function decode(body: unknown): Trace {
  return unpackJson(body as Uint8Array) as Trace;
}
