/** Reads the index. Each answer is read in one state of the database, with the revision it stands at. */
import { StatusError } from '#base/status-error.ts';
import { type Access, accessSql, visibleClusters } from '../query/access.ts';
import { cursorText, parseCursor } from '../query/cursor.ts';
import { DEFAULT_LIMIT, DEFAULT_ORDER, MAX_LIMIT, type Query } from '../query/query.ts';
import {
  afterSql,
  type Asked,
  bodySql,
  conditionSql,
  labelProbeSql,
  needsBodies,
  orderSql,
  orderValuesSql,
  valuedLabels,
} from '../query/query-sql.ts';
import { foundOf, freshnessOf, kindOf, numberAt, sourceOf, streamOf, textAt } from './decode-row.ts';
import type { ChangedObject, Changes, Freshness, IndexedKind, IndexReader, Page } from './index-store.ts';
import type { Row, SqlDatabase } from './sql-database.ts';
import { all, nothing, type Sql, sql } from './sql.ts';

/** What is told of an object besides its body. */
const ROW = sql`o.id, o.kind, o.cluster, o.namespace, o.name, o.revision`;
const REVISION = sql`SELECT revision, horizon FROM meta`;
/** Up to here all streams of a query are told with each answer. */
const TELL_ALL = 100;
/** Labels that fewer objects carry lead to them; of others, enough are met on the way through a kind. */
const RARE = 2_000;
/** How long a label counts as rare or common: pages of one list follow each other. */
const COUNTED_FOR_MS = 10_000;
const UNLIMITED = 1_000_000_000;
/** Every request asks for kinds, and they hardly ever change. */
const KINDS_FOR_MS = 250;

export function sqlIndexReader(database: SqlDatabase, { rareBelow = RARE } = {}): IndexReader {
  const { dialect } = database;
  const knownKinds = remembered(KINDS_FOR_MS, readKinds);
  const carriersOf = remembered(COUNTED_FOR_MS, countCarriers);

  async function readKinds(which: Sql): Promise<readonly IndexedKind[]> {
    const [rows = []] = await database.read([sql`SELECT * FROM kinds WHERE ${which} ORDER BY grp, version, resource`]);
    return rows.map(kindOf);
  }

  async function asked(query: Query, access: Access, whole = false): Promise<Asked> {
    const kinds = access === 'everything' ? [] : await knownKinds(sql`1 = 1`);
    const plain = { query, access, kinds, dialect, whole };
    const valued = valuedLabels(query);
    if (valued.length === 0) return plain;
    const counts = await carriersOf(valued.map((one) => labelProbeSql(one, plain, rareBelow)));
    const fewest = Math.min(...counts);
    const rare = fewest < rareBelow ? valued[counts.indexOf(fewest)] : undefined;
    return rare ? { ...plain, rare } : plain;
  }

  async function countCarriers(probes: readonly Sql[]): Promise<readonly number[]> {
    return (await database.read(probes)).map(([row]) => numberAt(row, 'n'));
  }

  const from = (query: Query) =>
    needsBodies(query) ? sql`objects o JOIN bodies b ON b.object = o.id` : sql`objects o`;

  async function page(query: Query, access: Access, limitMs?: number): Promise<Page> {
    const order = query.order ?? DEFAULT_ORDER;
    const limit = Math.min(query.limit ?? DEFAULT_LIMIT, MAX_LIMIT);
    const how = await asked(query, access);
    const condition = conditionSql(how);
    const after = query.after === undefined ? undefined : afterSql(order, parseCursor(order, query.after));
    const wanted = after ? all([condition, after]) : condition;
    const counted = conditionSql({ ...how, whole: true });
    const offset = query.offset === undefined ? nothing : sql` OFFSET ${query.offset}`;
    // The few are chosen first, and only their bodies read.
    const chosen = sql`SELECT ${ROW}, o.created, o.rv FROM ${from(query)} WHERE ${wanted} ORDER BY ${orderSql(order)} LIMIT ${limit + 1}${offset}`;
    const statements = [
      REVISION,
      sql`SELECT ${ROW}, ${bodySql(query, sql`b.body`, dialect)} AS body, ${orderValuesSql(order)}
          FROM (${chosen}) AS o JOIN bodies b ON b.object = o.id ORDER BY ${orderSql(order)}`,
      ...(query.withRemaining ? [countSql(query, after ? all([counted, after]) : counted)] : []),
    ];
    const [meta = [], rows = [], counts = []] = await database.read(statements, limitMs);
    const shown = rows.slice(0, limit);
    const end = rows.length > limit ? shown.at(-1) : undefined;
    const left = numberAt(counts[0], 'n') - (query.offset ?? 0) - shown.length;
    return {
      revision: numberAt(meta[0], 'revision'),
      objects: shown.map(foundOf),
      ...(end
        ? { next: cursorText(order, { values: order.map((_, at) => end[`v${at}`] ?? ''), id: numberAt(end, 'id') }) }
        : {}),
      ...(query.withRemaining ? { remaining: Math.max(left, 0) } : {}),
    };
  }

  const countSql = (query: Query, condition: Sql) => sql`SELECT count(*) AS n FROM ${from(query)} WHERE ${condition}`;

  async function changes(query: Query, access: Access, after: number, limit: number): Promise<Changes> {
    const kinds = access === 'everything' ? [] : await knownKinds(sql`1 = 1`);
    const plain: Asked = { query, access, kinds, dialect };
    const may = accessSql(access, kinds, columnsOf(sql`o`), dialect);
    const base: Query = {
      kinds: query.kinds,
      ...(query.clusters ? { clusters: query.clusters } : {}),
      ...(query.namespaces ? { namespaces: query.namespaces } : {}),
      ...(query.names ? { names: query.names } : {}),
    };
    const fixed = conditionSql({ ...plain, query: base, access: 'everything' });
    const body = bodySql(query, sql`b.body`, dialect);
    // The limit keeps a planner from looking through a whole kind for what is new in it.
    const newest = sql`SELECT * FROM objects WHERE revision > ${after} ORDER BY revision LIMIT ${UNLIMITED}`;
    const [meta = [], living = [], gone = []] = await database.read([
      REVISION,
      sql`SELECT ${ROW}, o.born, ${body} AS body,
            CASE WHEN ${conditionSql(plain)} THEN 1 ELSE 0 END AS matches
          FROM (${newest}) AS o JOIN bodies b ON b.object = o.id
          WHERE ${fixed} AND ${may} ORDER BY o.revision LIMIT ${limit}`,
      // Tombstones stand in for objects: what matching is made of besides the fixed part went with them.
      sql`SELECT ${ROW}, o.born, ${bodySql(query, sql`o.body`, dialect)} AS body
          FROM (SELECT revision, object AS id, kind, cluster, namespace, name, scope, born, body FROM tombstones WHERE revision > ${after}) AS o
          WHERE ${fixed} AND ${may} ORDER BY o.revision LIMIT ${limit}`,
    ]);
    if (after < numberAt(meta[0], 'horizon')) {
      throw new StatusError('Expired', `too old resource version: ${after} (${numberAt(meta[0], 'horizon')})`);
    }
    const full = living.length >= limit || gone.length >= limit;
    // Where one of the two was cut off, nothing after the end of the shorter one may be told yet.
    const until = full
      ? Math.min(
          ...[living, gone].filter((rows) => rows.length >= limit).map((rows) => numberAt(rows.at(-1), 'revision')),
        )
      : numberAt(meta[0], 'revision');
    const told = [...living.map((row) => changedOf(row, false)), ...gone.map((row) => changedOf(row, true))]
      .filter(({ revision }) => revision <= until)
      .sort((a, b) => a.revision - b.revision);
    return { revision: until, objects: told };
  }

  async function freshness({ kinds, clusters }: Pick<Query, 'kinds' | 'clusters'>, access: Access): Promise<Freshness> {
    const visible = visibleClusters(access);
    const among = (names: readonly string[]) => sql`t.cluster IN (${dialect.set(JSON.stringify(names), 'text')})`;
    const wanted = all([
      sql`t.kind IN (${dialect.set(JSON.stringify(kinds), 'int')})`,
      ...(clusters ? [among(clusters)] : []),
      ...(visible ? [among(visible)] : []),
    ]);
    const joinedStreams = sql`streams t LEFT JOIN sources s ON s.name = t.cluster WHERE ${wanted}`;
    const isFresh = sql`t.phase = 'Following' AND COALESCE(s.reachable, 0) = 1`;
    const [counts = [], rows = []] = await database.read([
      sql`SELECT count(*) AS total, COALESCE(sum(CASE WHEN ${isFresh} THEN 1 ELSE 0 END), 0) AS fresh FROM ${joinedStreams}`,
      sql`SELECT t.cluster, t.kind, t.phase, t.position, t.changed_at, COALESCE(s.reachable, 0) AS reachable, COALESCE(s.heard_at, 0) AS heard_at,
            CASE WHEN t.message <> '' THEN t.message ELSE COALESCE(s.message, '') END AS message
          FROM ${joinedStreams} ORDER BY CASE WHEN ${isFresh} THEN 1 ELSE 0 END, t.cluster, t.kind LIMIT ${TELL_ALL + 1}`,
    ]);
    const total = numberAt(counts[0], 'total');
    const streams = rows.map(freshnessOf);
    const stale = streams.filter(({ phase, reachable }) => phase !== 'Following' || !reachable);
    return { total, fresh: numberAt(counts[0], 'fresh'), streams: total <= TELL_ALL ? streams : stale };
  }

  return {
    page,
    async count(query, access) {
      const [rows = []] = await database.read([countSql(query, conditionSql(await asked(query, access, true)))]);
      return numberAt(rows[0], 'n');
    },
    changes,
    async ids(query, access, limit) {
      const condition = conditionSql(await asked(query, access, true));
      const [meta = [], rows = []] = await database.read([
        REVISION,
        sql`SELECT o.id FROM ${from(query)} WHERE ${condition} LIMIT ${limit}`,
      ]);
      return { revision: numberAt(meta[0], 'revision'), ids: rows.map((row) => numberAt(row, 'id')) };
    },
    freshness,
    kinds: (cluster) =>
      knownKinds(
        cluster === undefined
          ? sql`EXISTS (SELECT 1 FROM streams t WHERE t.kind = kinds.id)`
          : sql`EXISTS (SELECT 1 FROM streams t WHERE t.kind = kinds.id AND t.cluster = ${cluster})`,
      ),
    async sources() {
      const [rows = []] = await database.read([sql`SELECT * FROM sources ORDER BY name`]);
      return rows.map(sourceOf);
    },
    async stream({ cluster, kind }) {
      const [rows = []] = await database.read([
        sql`SELECT * FROM streams WHERE cluster = ${cluster} AND kind = ${kind}`,
      ]);
      return rows[0] && streamOf(rows[0]);
    },
    async revision() {
      const [rows = []] = await database.read([REVISION]);
      return numberAt(rows[0], 'revision');
    },
    async phases(kinds, clusters) {
      const [rows = []] = await database.read([
        sql`SELECT o.cluster, o.phase, count(*) AS n FROM objects o
            WHERE o.kind IN (${dialect.set(JSON.stringify(kinds), 'int')}) AND o.cluster IN (${dialect.set(JSON.stringify(clusters), 'text')})
            GROUP BY o.cluster, o.phase`,
      ]);
      return rows.map((row) => ({
        cluster: textAt(row, 'cluster'),
        phase: textAt(row, 'phase'),
        count: numberAt(row, 'n'),
      }));
    },
    async usage(cluster, since) {
      const [rows = []] = await database.read([
        sql`SELECT cluster, node, at, cpu, memory FROM usage WHERE cluster = ${cluster} AND at >= ${since} ORDER BY at, node`,
      ]);
      return rows.map((row) => ({
        cluster,
        node: textAt(row, 'node'),
        at: numberAt(row, 'at'),
        cpuMillis: numberAt(row, 'cpu'),
        memoryBytes: numberAt(row, 'memory'),
      }));
    },
    onCommit: (told) => database.onCommit(told),
  };
}

/** What was read not long ago for the same question; failures are forgotten. */
function remembered<Q, A>(forMs: number, read: (question: Q) => Promise<A>): (question: Q) => Promise<A> {
  const known = new Map<string, { readonly at: number; readonly answer: Promise<A> }>();
  return (question) => {
    const now = performance.now();
    const id = JSON.stringify(question);
    let found = known.get(id);
    if (!found || now - found.at > forMs) {
      if (known.size > 1_000) known.clear();
      known.set(id, (found = { at: now, answer: read(question) }));
      found.answer.catch(() => known.delete(id));
    }
    return found.answer;
  };
}

function changedOf(row: Row, deleted: boolean): ChangedObject {
  return { ...foundOf(row), deleted, born: numberAt(row, 'born'), matches: !deleted && numberAt(row, 'matches') === 1 };
}

function columnsOf(table: Sql) {
  return { kind: sql`${table}.kind`, cluster: sql`${table}.cluster`, scope: sql`${table}.scope` };
}
