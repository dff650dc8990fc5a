/**
 * The last explanations of each binding, kept over restarts in a SQLite file of their own (docs/adr/0008-decisions.md).
 *
 * `record` only hands over: what is new is compressed and written in the next lull, many at once, so that scheduling never
 * waits for it. Reads see what was recorded at once. What was decided again as before is not kept a second time: after a
 * restart everything is, and would push out what led there. Losing the file loses reasons, never decisions.
 */
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import { packJson, unpackJson } from '#base/packed-json.ts';
import type { Explanation } from '#karmada/scheduler/explanation.ts';

export interface DecisionStore {
  record(explanation: Explanation): void;
  /** Newest first; `binding` is `namespace/name`, or the bare name of a cluster-scoped one. */
  of(binding: string): readonly Explanation[];
  /** The keys of all bindings that something is known of. */
  bindings(): readonly string[];
  forget(binding: string): void;
  /** Writes what is still pending, and closes the file. */
  close(): void;
}

const KEPT = 5;
const WRITE_AFTER_MS = 200;
/** So many bindings are written in one go; others have their turn in between. */
const BATCH = 64;
/** More than this wait for no lull. */
const UNWRITTEN_KEPT = 4_096;

export interface DecisionStoreOptions {
  readonly clock: Clock;
  /** Tells when there is time to write; the clock when absent. */
  readonly atLeisure?: Clock['after'];
  readonly file?: string;
}

export function decisionStore(options: DecisionStoreOptions): DecisionStore {
  const { clock, atLeisure = (ms, action) => clock.after(ms, action) } = options;
  const db = new DatabaseSync(options.file ?? ':memory:');
  // Reasons may be lost with the machine, but never keep it waiting.
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = OFF;
    CREATE TABLE IF NOT EXISTS decisions (
      binding TEXT NOT NULL, number INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (binding, number)
    ) WITHOUT ROWID;
  `);
  const insert = db.prepare(
    'INSERT INTO decisions SELECT ?1, coalesce(max(number), 0) + 1, ?2 FROM decisions WHERE binding = ?1',
  );
  const trim = db.prepare(
    'DELETE FROM decisions WHERE binding = ?1 AND number <= (SELECT max(number) FROM decisions WHERE binding = ?1) - ?2',
  );
  const read = db.prepare('SELECT body FROM decisions WHERE binding = ? ORDER BY number DESC');
  const newest = db.prepare('SELECT body FROM decisions WHERE binding = ? ORDER BY number DESC LIMIT 1');
  const keys = db.prepare('SELECT DISTINCT binding FROM decisions ORDER BY binding');
  const remove = db.prepare('DELETE FROM decisions WHERE binding = ?');

  const pending = new Map<string, Explanation[]>();
  let cancelWrite: (() => void) | undefined;

  function write(bindings: readonly string[]): void {
    db.exec('BEGIN');
    for (const binding of bindings) {
      for (const explanation of changed(binding)) insert.run(binding, packJson(explanation));
      trim.run(binding, KEPT);
      pending.delete(binding);
    }
    db.exec('COMMIT');
  }

  /** What is pending, oldest first, without what only repeats the one before. */
  function changed(binding: string): readonly Explanation[] {
    const stored = newest.get(binding);
    let last = stored && explanationOf(stored['body']);
    return (pending.get(binding) ?? []).filter((explanation) => {
      const isNew = last === undefined || !isSameDecision(last, explanation);
      if (isNew) last = explanation;
      return isNew;
    });
  }

  function writeSome(): void {
    write([...pending.keys().take(BATCH)]);
    cancelWrite = pending.size > 0 ? later(0) : undefined;
  }

  function later(ms: number): () => void {
    return pending.size > UNWRITTEN_KEPT ? clock.after(ms, writeSome) : atLeisure(ms, writeSome);
  }

  return {
    record(explanation) {
      const { binding } = explanation;
      pending.set(binding, [...(pending.get(binding) ?? []), explanation].slice(-KEPT));
      cancelWrite ??= later(WRITE_AFTER_MS);
    },
    of(binding) {
      const stored = read.all(binding).map(({ body }) => explanationOf(body));
      return [...changed(binding).toReversed(), ...stored].slice(0, KEPT);
    },
    bindings() {
      const stored = keys.all().map(({ binding }) => String(binding));
      return [...new Set([...stored, ...pending.keys()])].sort();
    },
    forget(binding) {
      pending.delete(binding);
      remove.run(binding);
    },
    close() {
      cancelWrite?.();
      write([...pending.keys()]);
      db.close();
    },
  };
}

function isSameDecision(
  { decidedAt: _before, ...one }: Explanation,
  { decidedAt: _now, ...other }: Explanation,
): boolean {
  return jsonEqual(one, other);
}

function explanationOf(body: unknown): Explanation {
  return unpackJson(body as Uint8Array) as Explanation;
}
