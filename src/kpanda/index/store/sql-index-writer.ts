/**
 * Writes the index. Batches of many streams that come in while one is being written are committed together.
 *
 * A commit is a fixed number of statements, whatever it writes: first `meta.revision` is moved by as many as there are
 * rows (which fails when another writer has taken over), then each row takes its number, and what belongs to a row finds
 * it by that number. A row that its guard refuses takes none, and nothing of it is written.
 *
 * An index grows by leaps when clusters come: each time it may have doubled, its database is told to look at it again.
 */
import type { ApiResource } from '#kube/client/kube-client.ts';
import type { IndexWriter, KindId, Known, RowKey, SourceState, StreamBatch, StreamKey } from './index-store.ts';
import { commitSql } from './commit-sql.ts';
import { numberAt, sourceOf, streamOf, textAt } from './decode-row.ts';
import type { SqlDatabase } from './sql-database.ts';
import { sql } from './sql.ts';

/** How many rows one transaction writes at most. */
const ROWS = 2_000;
const CHUNK = 1_000;
/** With so many rows written, plans that were made for fewer may be bad ones. */
const LOOK_AGAIN_AFTER = 1_000;

/** Takes the index over: whoever wrote it before writes nothing any more. */
export async function sqlIndexWriter(database: SqlDatabase): Promise<IndexWriter> {
  const { dialect } = database;
  const [taken = []] = await database.write([sql`UPDATE meta SET epoch = epoch + 1 RETURNING epoch`]);
  const epoch = numberAt(taken[0], 'epoch');
  const kinds = new Map<string, Promise<KindId>>();
  const waiting: { readonly batch: StreamBatch; readonly done: PromiseWithResolvers<void> }[] = [];
  let writing = false;
  let written = 0;
  let lookAgainAt = LOOK_AGAIN_AFTER;

  const own = sql`UPDATE meta SET revision = revision + 1 WHERE epoch = ${epoch} RETURNING revision`;
  const expects = { statement: 0, otherwise: 'another process writes the index now' };
  const write = (statements: Parameters<SqlDatabase['write']>[0]) => database.write([own, ...statements], expects);

  /** As many batches as fit, one of each stream: an object is written once in a statement. */
  function take(): typeof waiting {
    const streams = new Set<string>();
    let rows = 0;
    let count = 0;
    for (const { batch } of waiting) {
      rows += batch.objects.length + batch.deleted.length;
      const stream = `${batch.kind}/${batch.cluster}`;
      if (count > 0 && (rows > ROWS || streams.has(stream))) break;
      streams.add(stream);
      count++;
    }
    return waiting.splice(0, count);
  }

  function wrote(batches: readonly StreamBatch[]): void {
    for (const { objects } of batches) written += objects.length;
    if (written < lookAgainAt) return;
    lookAgainAt = 2 * written;
    // Without it plans are guesses, and nothing is wrong.
    database.lookAgain?.().catch(() => undefined);
  }

  async function drain(): Promise<void> {
    if (writing) return;
    writing = true;
    while (waiting.length > 0) {
      const group = take();
      const batches = group.map(({ batch }) => batch);
      await database.write(commitSql(batches, epoch, dialect), expects).then(
        () => {
          wrote(batches);
          group.forEach(({ done }) => done.resolve());
        },
        (error: unknown) => group.forEach(({ done }) => done.reject(error)),
      );
    }
    writing = false;
  }

  function commitOne(batch: StreamBatch): Promise<void> {
    const done = Promise.withResolvers<void>();
    waiting.push({ batch, done });
    void drain();
    return done.promise;
  }

  async function remember(resource: ApiResource): Promise<KindId> {
    const { group, version, resource: name, kind, namespaced, singular, shortNames, categories } = resource;
    const [, rows = []] = await write([
      sql`INSERT INTO kinds (grp, version, resource, kind, namespaced, singular, short_names, categories)
          VALUES (${group}, ${version}, ${name}, ${kind}, ${namespaced ? 1 : 0}, ${singular}, ${JSON.stringify(shortNames)}, ${JSON.stringify(categories)})
          ON CONFLICT (grp, version, resource) DO UPDATE SET kind = excluded.kind, namespaced = excluded.namespaced,
            singular = excluded.singular, short_names = excluded.short_names, categories = excluded.categories
          RETURNING id`,
    ]);
    return numberAt(rows[0], 'id');
  }

  async function others(
    { cluster, kind }: StreamKey,
    revision: number,
    ids: readonly number[],
    limit: number,
  ): Promise<readonly RowKey[]> {
    const [rows = []] = await database.read(
      [
        sql`SELECT o.namespace, o.name FROM objects o WHERE o.kind = ${kind} AND o.cluster = ${cluster}
            AND o.revision <= ${revision} AND o.id NOT IN (${dialect.set(JSON.stringify(ids), 'int')}) LIMIT ${limit}`,
      ],
      60_000,
    );
    return rows.map((row) => ({ namespace: textAt(row, 'namespace'), name: textAt(row, 'name') }));
  }

  async function forgetStream(stream: StreamKey): Promise<void> {
    for (;;) {
      const rest = await others(stream, Number.MAX_SAFE_INTEGER, [], CHUNK);
      if (rest.length === 0) break;
      const deleted = rest.map((key) => ({ ...key, rv: Number.MAX_SAFE_INTEGER }));
      await commitOne({ ...stream, objects: [], deleted, at: 0 });
    }
    await write([sql`DELETE FROM streams WHERE cluster = ${stream.cluster} AND kind = ${stream.kind}`]);
  }

  async function streams(cluster: string) {
    const [rows = []] = await database.read([sql`SELECT * FROM streams WHERE cluster = ${cluster}`]);
    return rows.map(streamOf);
  }

  return {
    kind(resource) {
      const id = `${resource.group}/${resource.version}/${resource.resource}`;
      let known = kinds.get(id);
      if (!known) {
        kinds.set(id, (known = remember(resource)));
        known.catch(() => kinds.delete(id));
      }
      return known;
    },
    commit: async (batch) => void (await Promise.all(batch.map(commitOne))),
    async known({ cluster, kind }, keys) {
      const wanted = dialect.rows(JSON.stringify(keys.map(({ namespace, name }) => [namespace, name])), [
        { name: sql`namespace`, type: 'text' },
        { name: sql`name`, type: 'text' },
      ]);
      const [rows = []] = await database.read([
        sql`SELECT o.id, o.namespace, o.name, o.uid, o.rv FROM ${wanted} AS k ${dialect.thenJoin} objects o
            ON o.kind = ${kind} AND o.cluster = ${cluster} AND o.namespace = k.namespace AND o.name = k.name`,
      ]);
      return rows.map(
        (row): Known => ({
          id: numberAt(row, 'id'),
          namespace: textAt(row, 'namespace'),
          name: textAt(row, 'name'),
          uid: textAt(row, 'uid'),
          rv: numberAt(row, 'rv'),
        }),
      );
    },
    others,
    async revision() {
      const [rows = []] = await database.read([sql`SELECT revision FROM meta`]);
      return numberAt(rows[0], 'revision');
    },
    streams,
    async source(cluster) {
      const [rows = []] = await database.read([sql`SELECT * FROM sources WHERE name = ${cluster}`]);
      return rows[0] && sourceOf(rows[0]);
    },
    async saySources(sources: readonly SourceState[]) {
      await write(
        sources.map(
          ({ name, identity, reachable, heardAt, message }) =>
            sql`INSERT INTO sources (name, identity, reachable, heard_at, message)
                VALUES (${name}, ${identity}, ${reachable ? 1 : 0}, ${heardAt}, ${message})
                ON CONFLICT (name) DO UPDATE SET identity = excluded.identity, reachable = excluded.reachable,
                  heard_at = excluded.heard_at, message = excluded.message`,
        ),
      );
    },
    async sourceNames() {
      const [rows = []] = await database.read([
        sql`SELECT name FROM sources UNION SELECT cluster AS name FROM streams UNION SELECT DISTINCT cluster AS name FROM objects`,
      ]);
      return rows.map((row) => textAt(row, 'name'));
    },
    forgetStream,
    async forgetSource(cluster) {
      const [rows = []] = await database.read([
        sql`SELECT kind FROM streams WHERE cluster = ${cluster} UNION SELECT DISTINCT kind FROM objects WHERE cluster = ${cluster}`,
      ]);
      for (const row of rows) await forgetStream({ cluster, kind: numberAt(row, 'kind') });
      await write([
        sql`DELETE FROM sources WHERE name = ${cluster}`,
        sql`DELETE FROM usage WHERE cluster = ${cluster}`,
      ]);
    },
    async keepUsage(samples, dropBefore) {
      const rows = samples.map(({ cluster, node, at, cpuMillis, memoryBytes }) => [
        cluster,
        node,
        at,
        cpuMillis,
        memoryBytes,
      ]);
      const given = dialect.rows(JSON.stringify(rows), [
        { name: sql`cluster`, type: 'text' },
        { name: sql`node`, type: 'text' },
        { name: sql`at`, type: 'int' },
        { name: sql`cpu`, type: 'int' },
        { name: sql`memory`, type: 'int' },
      ]);
      await write([
        sql`INSERT INTO usage (cluster, node, at, cpu, memory) SELECT cluster, node, at, cpu, memory FROM ${given} AS r WHERE 1 = 1 ON CONFLICT DO NOTHING`,
        sql`DELETE FROM usage WHERE at < ${dropBefore}`,
      ]);
    },
    async prune(keep) {
      const [rows = []] = await database.read([
        sql`SELECT revision FROM tombstones ORDER BY revision DESC LIMIT 1 OFFSET ${keep}`,
      ]);
      const horizon = numberAt(rows[0], 'revision');
      if (horizon === 0) return;
      await write([
        sql`UPDATE meta SET horizon = ${horizon}`,
        sql`DELETE FROM tombstones WHERE revision <= ${horizon}`,
      ]);
    },
  };
}
