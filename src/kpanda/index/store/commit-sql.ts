/** The statements that commit batches of changes. Pure. */
import type { IndexedObject } from '../indexed-object.ts';
import type { Dialect } from './dialect.ts';
import type { RowKey, StreamBatch } from './index-store.ts';
import { type Sql, sql } from './sql.ts';

type Cell = string | number;

const OBJECT_COLUMNS: readonly (readonly [Sql, 'text' | 'int'])[] = [
  [sql`n`, 'int'],
  [sql`kind`, 'int'],
  [sql`cluster`, 'text'],
  [sql`namespace`, 'text'],
  [sql`name`, 'text'],
  [sql`scope`, 'text'],
  [sql`uid`, 'text'],
  [sql`rv`, 'int'],
  [sql`created`, 'int'],
  [sql`synced`, 'int'],
  [sql`phase`, 'text'],
  [sql`node`, 'text'],
  [sql`subject`, 'text'],
  [sql`search`, 'text'],
];

/** The first statement gives a row only to the writer of this epoch. */
export function commitSql(batches: readonly StreamBatch[], epoch: number, dialect: Dialect): readonly Sql[] {
  const watched = numbered(batches.filter(({ repair }) => !repair).flatMap(last), 1);
  const repaired = numbered(batches.filter(({ repair }) => repair).flatMap(last), watched.length + 1);
  const objects = [...watched, ...repaired];
  const deleted = numbered(
    batches.flatMap((batch) => batch.deleted.map((key) => ({ batch, key }))),
    objects.length + 1,
  );
  const total = objects.length + deleted.length;
  const base = sql`((SELECT revision FROM meta) - ${total})`;
  return [
    // Moves even when nothing else does: readers see by it that something was said.
    sql`UPDATE meta SET revision = revision + ${Math.max(total, 1)} WHERE epoch = ${epoch} RETURNING revision`,
    ...(watched.length === 0 ? [] : [upsertSql(watched, base, sql`objects.rv < excluded.rv`, dialect)]),
    ...(repaired.length === 0 ? [] : [upsertSql(repaired, base, sql`objects.rv <> excluded.rv`, dialect)]),
    ...(objects.length === 0 ? [] : partsSql(objects, base, dialect)),
    ...(deleted.length === 0 ? [] : deleteSql(deleted, base, dialect)),
    ...stateSql(batches, dialect),
  ];
}

interface Write {
  readonly batch: StreamBatch;
  readonly object: IndexedObject;
}

/** One write for each object: the last. */
function last(batch: StreamBatch): readonly Write[] {
  const byKey = new Map<string, Write>();
  for (const object of batch.objects) byKey.set(`${object.namespace}/${object.name}`, { batch, object });
  return [...byKey.values()];
}

function numbered<T>(items: readonly T[], first: number): readonly (T & { readonly n: number })[] {
  return items.map((item, index) => ({ ...item, n: first + index }));
}

function table(
  rows: readonly (readonly Cell[])[],
  columns: readonly (readonly [Sql, 'text' | 'int'])[],
  dialect: Dialect,
): Sql {
  return dialect.rows(
    JSON.stringify(rows),
    columns.map(([name, type]) => ({ name, type })),
  );
}

function upsertSql(writes: readonly (Write & { readonly n: number })[], base: Sql, newer: Sql, dialect: Dialect): Sql {
  const rows = writes.map(({ n, batch: { kind, cluster, at }, object: o }) => [
    n,
    kind,
    cluster,
    o.namespace,
    o.name,
    o.scope,
    o.uid,
    o.rv,
    o.created,
    at,
    o.phase,
    o.node,
    o.subject,
    o.search,
  ]);
  return sql`INSERT INTO objects (kind, cluster, namespace, name, scope, uid, rv, revision, born, created, synced, phase, node, subject, search)
    SELECT kind, cluster, namespace, name, scope, uid, rv, ${base} + n, ${base} + n, created, synced, phase, node, subject, search
    FROM ${table(rows, OBJECT_COLUMNS, dialect)} AS r WHERE 1 = 1
    ON CONFLICT (kind, cluster, namespace, name) DO UPDATE SET uid = excluded.uid, rv = excluded.rv,
      revision = excluded.revision, scope = excluded.scope, created = excluded.created, synced = excluded.synced,
      phase = excluded.phase, node = excluded.node, subject = excluded.subject, search = excluded.search,
      born = CASE WHEN objects.uid = excluded.uid THEN objects.born ELSE excluded.born END
    WHERE objects.uid <> excluded.uid OR excluded.rv = 0 OR ${newer}`;
}

/** What belongs to the rows that were taken: bodies, labels, owners, images. */
function partsSql(writes: readonly (Write & { readonly n: number })[], base: Sql, dialect: Dialect): readonly Sql[] {
  const n: readonly [Sql, 'int'] = [sql`n`, 'int'];
  const bodies = table(
    writes.map((each) => [each.n, each.object.body]),
    [n, [sql`body`, 'text']],
    dialect,
  );
  const labels = writes.flatMap((each) => each.object.labels.map(([name, value]) => [each.n, name, value]));
  const owners = writes.flatMap((each) => each.object.owners.map((owner) => [each.n, owner]));
  const images = writes.flatMap((each) => each.object.images.map((image) => [each.n, image]));
  const taken = sql`SELECT id FROM objects WHERE revision > ${base}`;
  const labelRows = table(labels, [n, [sql`name`, 'text'], [sql`value`, 'text']], dialect);
  const ownerRows = table(owners, [n, [sql`owner`, 'text']], dialect);
  const imageRows = table(images, [n, [sql`image`, 'text']], dialect);
  return [
    sql`INSERT INTO bodies (object, body) SELECT o.id, ${dialect.toBody(sql`r.body`)} FROM ${bodies} AS r
        JOIN objects o ON o.revision = ${base} + r.n WHERE 1 = 1 ON CONFLICT (object) DO UPDATE SET body = excluded.body`,
    sql`DELETE FROM labels WHERE ${dialect.amongFew(sql`object`, taken)}`,
    sql`DELETE FROM owners WHERE ${dialect.amongFew(sql`object`, taken)}`,
    sql`DELETE FROM images WHERE ${dialect.amongFew(sql`object`, taken)}`,
    ...(labels.length === 0
      ? []
      : [
          sql`INSERT INTO labels (object, kind, name, value) SELECT o.id, o.kind, r.name, r.value FROM ${labelRows} AS r JOIN objects o ON o.revision = ${base} + r.n`,
        ]),
    ...(owners.length === 0
      ? []
      : [
          sql`INSERT INTO owners (object, owner) SELECT o.id, r.owner FROM ${ownerRows} AS r JOIN objects o ON o.revision = ${base} + r.n`,
        ]),
    ...(images.length === 0
      ? []
      : [
          sql`INSERT INTO images (object, image) SELECT o.id, r.image FROM ${imageRows} AS r JOIN objects o ON o.revision = ${base} + r.n`,
        ]),
  ];
}

interface Deletion {
  readonly batch: StreamBatch;
  readonly key: RowKey & { readonly rv: number };
  readonly n: number;
}

function deleteSql(deletions: readonly Deletion[], base: Sql, dialect: Dialect): readonly Sql[] {
  const rows = table(
    deletions.map(({ batch, key, n }) => [n, batch.kind, batch.cluster, key.namespace, key.name, key.rv]),
    [
      [sql`n`, 'int'],
      [sql`kind`, 'int'],
      [sql`cluster`, 'text'],
      [sql`namespace`, 'text'],
      [sql`name`, 'text'],
      [sql`rv`, 'int'],
    ],
    dialect,
  );
  return [
    sql`INSERT INTO tombstones (revision, object, kind, cluster, namespace, name, scope, born, body)
        SELECT ${base} + r.n, o.id, o.kind, o.cluster, o.namespace, o.name, o.scope, o.born, b.body
        FROM ${rows} AS r
        JOIN objects o ON o.kind = r.kind AND o.cluster = r.cluster AND o.namespace = r.namespace AND o.name = r.name
        JOIN bodies b ON b.object = o.id
        WHERE r.rv = 0 OR r.rv >= o.rv`,
    sql`DELETE FROM objects WHERE ${dialect.amongFew(sql`id`, sql`SELECT object FROM tombstones WHERE revision > ${base}`)}`,
  ];
}

/** The last state of each stream. */
function stateSql(batches: readonly StreamBatch[], dialect: Dialect): readonly Sql[] {
  const states = new Map<string, readonly Cell[]>();
  for (const { cluster, kind, state } of batches) {
    if (!state) continue;
    const { phase, position, changedAt, message } = state;
    states.set(`${kind}/${cluster}`, [cluster, kind, phase, position, changedAt, message]);
  }
  if (states.size === 0) return [];
  const rows = table(
    [...states.values()],
    [
      [sql`cluster`, 'text'],
      [sql`kind`, 'int'],
      [sql`phase`, 'text'],
      [sql`position`, 'text'],
      [sql`changed_at`, 'int'],
      [sql`message`, 'text'],
    ],
    dialect,
  );
  return [
    sql`INSERT INTO streams (cluster, kind, phase, position, changed_at, message)
        SELECT cluster, kind, phase, position, changed_at, message FROM ${rows} AS r WHERE 1 = 1
        ON CONFLICT (cluster, kind) DO UPDATE SET phase = excluded.phase, position = excluded.position,
          changed_at = excluded.changed_at, message = excluded.message`,
  ];
}
