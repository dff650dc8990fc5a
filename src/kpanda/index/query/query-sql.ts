/**
 * A query as SQL. Pure; every value a caller gave is a parameter, every column comes from the tables below.
 *
 * Rows are `o` (objects) and, where a field of the whole object is asked for, `b` (bodies).
 */
import type { Requirement } from '#kube/meta/label-selector.ts';
import type { IndexedKind } from '../store/index-store.ts';
import type { Dialect } from '../store/dialect.ts';
import { all, any, list, nothing, type Sql, sql } from '../store/sql.ts';
import { type Access, accessSql } from './access.ts';
import type { Cursor } from './cursor.ts';
import type { FieldPath } from '#kube/meta/field-path.ts';
import type { FieldTest, Order, OrderColumn, Owner, Query } from './query.ts';

const COLUMNS: Readonly<Record<OrderColumn, Sql>> = {
  cluster: sql`o.cluster`,
  namespace: sql`o.namespace`,
  name: sql`o.name`,
  created_at: sql`o.created`,
  resource_version: sql`o.rv`,
  kind: sql`o.kind`,
};

/** Fields that have a column of their own, and with it an index. */
const FIELD_COLUMNS: Readonly<Record<string, Sql>> = {
  'metadata.name': sql`o.name`,
  'metadata.namespace': sql`o.namespace`,
  'metadata.uid': sql`o.uid`,
  'status.phase': sql`o.phase`,
  'spec.nodeName': sql`o.node`,
  'involvedObject.uid': sql`o.subject`,
};

export interface Asked {
  readonly query: Query;
  readonly access: Access;
  readonly kinds: readonly IndexedKind[];
  readonly dialect: Dialect;
  /** A label that few objects carry: they are looked up by it first, and nothing else leads to them. */
  readonly rare?: Requirement;
  /** All that match are wanted, not the first few in some order. */
  readonly whole?: boolean;
}

export function conditionSql(asked: Asked): Sql {
  const { query, access, kinds, dialect, rare } = asked;
  const offered = (column: Sql) => (rare ? dialect.beside(column) : column);
  return all([
    dialect.inTime,
    memberSql(offered(sql`o.kind`), query.kinds, 'int', dialect),
    ...(query.clusters ? [memberSql(offered(sql`o.cluster`), query.clusters, 'text', dialect)] : []),
    ...(query.namespaces ? [memberSql(offered(sql`o.namespace`), query.namespaces, 'text', dialect)] : []),
    ...(query.names ? [memberSql(offered(sql`o.name`), query.names, 'text', dialect)] : []),
    ...(query.nameParts ?? []).map((part) => dialect.contains(sql`o.name`, part)),
    ...(query.notNameParts ?? []).map((part) => sql`NOT (${dialect.contains(sql`o.name`, part)})`),
    ...(query.words ?? []).map((word) => dialect.contains(sql`o.search`, word.toLowerCase())),
    ...(query.since === undefined ? [] : [sql`o.created >= ${query.since}`]),
    ...(query.before === undefined ? [] : [sql`o.created < ${query.before}`]),
    ...(query.owner ? [ownerSql(query.owner, query, dialect)] : []),
    ...(query.labels?.requirements ?? []).map((one) => labelSql(one, asked)),
    ...(query.fields ?? []).map((one) => fieldSql(one, dialect)),
    accessSql(access, kinds, { kind: sql`o.kind`, cluster: sql`o.cluster`, scope: sql`o.scope` }, dialect),
  ]);
}

/** Whether a condition looks into whole objects, which must then be joined. */
export function needsBodies({ fields = [] }: Query): boolean {
  return fields.some(({ path }) => columnOf(path) === undefined);
}

/** Whether an object may begin or cease to match while it exists. */
export function isMutable({ words, nameParts, labels, fields = [], owner }: Query): boolean {
  const fixed = fields.every(({ path }) => ['metadata.name', 'metadata.namespace'].includes(dotted(path)));
  return (
    words !== undefined || nameParts !== undefined || owner !== undefined || !fixed || (labels ? !labels.empty : false)
  );
}

export function orderSql(order: readonly Order[]): Sql {
  const last = order.at(-1)?.descending ? sql`o.id DESC` : sql`o.id`;
  return list([...order.map(({ by, descending }) => (descending ? sql`${COLUMNS[by]} DESC` : COLUMNS[by])), last]);
}

/** The values a row is sorted by, to make a cursor of. */
export function orderValuesSql(order: readonly Order[]): Sql {
  return list(order.map(({ by }, place) => sql`${COLUMNS[by]} AS ${{ text: `v${place}`, params: [] }}`));
}

/** What comes after the cursor: a comparison of rows where all columns run in one direction, which an index answers. */
export function afterSql(order: readonly Order[], { values, id }: Cursor): Sql {
  const columns = [...order.map(({ by }) => COLUMNS[by]), sql`o.id`];
  const bounds = [...values, id].map((value) => sql`${value}`);
  const directions = [...order.map(({ descending }) => descending), order.at(-1)?.descending ?? false];
  if (directions.every((descending) => descending === directions[0])) {
    const row = sql`(${list(columns)})`;
    const bound = sql`(${list(bounds)})`;
    return directions[0] ? sql`${row} < ${bound}` : sql`${row} > ${bound}`;
  }
  return any(
    columns.map((column, place) => {
      const equal = columns.slice(0, place).map((each, index) => sql`${each} = ${bounds[index] ?? sql`NULL`}`);
      const bound = bounds[place] ?? sql`NULL`;
      return all([...equal, directions[place] ? sql`${column} < ${bound}` : sql`${column} > ${bound}`]);
    }),
  );
}

function memberSql(column: Sql, values: readonly (string | number)[], type: 'text' | 'int', dialect: Dialect): Sql {
  const [only] = values;
  if (values.length === 1 && only !== undefined) return sql`${column} = ${only}`;
  return sql`${column} IN (${dialect.set(JSON.stringify(values), type)})`;
}

/** Owners are known by uid: a chain of generations is a chain of index lookups. */
function ownerSql({ uid, name, kinds, seniority }: Owner, query: Query, dialect: Dialect): Sql {
  let owners =
    uid === undefined
      ? sql`SELECT p.uid FROM objects p WHERE ${all([
          sql`p.name = ${name ?? ''}`,
          ...(kinds ? [memberSql(sql`p.kind`, kinds, 'int', dialect)] : []),
          ...(query.clusters ? [memberSql(sql`p.cluster`, query.clusters, 'text', dialect)] : []),
          ...(query.namespaces ? [memberSql(sql`p.namespace`, [...query.namespaces, ''], 'text', dialect)] : []),
        ])}`
      : sql`SELECT CAST(${uid} AS TEXT)`;
  for (let generation = 0; generation < seniority; generation++) {
    owners = sql`SELECT p.uid FROM objects p JOIN owners w ON w.object = p.id WHERE w.owner IN (${owners})`;
  }
  return sql`o.id IN (SELECT w.object FROM owners w WHERE w.owner IN (${owners}))`;
}

function labelSql(requirement: Requirement, { dialect, query, rare, whole = false }: Asked): Sql {
  const { key, operator, values } = requirement;
  const valued = memberSql(sql`l.value`, values, 'text', dialect);
  const has = (test: Sql) =>
    dialect.exists(sql`SELECT 1 FROM labels l WHERE l.object = o.id AND l.name = ${key} AND ${test}`);
  const kinds = memberSql(sql`l.kind`, query.kinds, 'int', dialect);
  const carriers = sql`SELECT l.object FROM labels l WHERE ${kinds} AND l.name = ${key} AND ${valued}`;
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      if (rare === requirement) return dialect.amongFew(sql`o.id`, carriers);
      return whole && dialect.amongMany ? dialect.amongMany(sql`o.id`, carriers) : has(valued);
    case '!=':
    case 'notin':
      return sql`NOT ${has(valued)}`;
    case 'exists':
      return has(sql`1 = 1`);
    case '!':
      return sql`NOT ${has(sql`1 = 1`)}`;
    case '>':
    case '<':
      return has(beyondSql(operator, Number(values[0]), dialect));
  }
}

/** Only values that are integers can be greater or less than one. */
function beyondSql(operator: '>' | '<', bound: number, { name }: Dialect): Sql {
  const number = sql`CAST(l.value AS BIGINT)`;
  const compared = operator === '>' ? sql`${number} > ${bound}` : sql`${number} < ${bound}`;
  const integer =
    name === 'sqlite'
      ? sql`l.value <> '' AND ltrim(l.value, '+-') NOT GLOB '*[^0-9]*' AND length(l.value) < 19`
      : sql`l.value ~ '^[+-]{0,1}[0-9]{1,18}$'`;
  return sql`CASE WHEN ${integer} THEN ${compared} ELSE 1 = 0 END`;
}

/** The labels asked for by value, by which objects can be looked up. */
export function valuedLabels({ labels }: Query): readonly Requirement[] {
  return (
    labels?.requirements.filter(({ operator }) => operator === '=' || operator === '==' || operator === 'in') ?? []
  );
}

/** How many objects, up to a limit, have a label. */
export function labelProbeSql(one: Requirement, { query, dialect }: Asked, limit: number): Sql {
  const kinds = memberSql(sql`l.kind`, query.kinds, 'int', dialect);
  const valued = memberSql(sql`l.value`, one.values, 'text', dialect);
  return sql`SELECT count(*) AS n FROM (SELECT 1 FROM labels l WHERE ${kinds} AND l.name = ${one.key} AND ${valued} LIMIT ${limit}) AS probed`;
}

function fieldSql({ path, operator, values }: FieldTest, dialect: Dialect): Sql {
  const column = columnOf(path);
  const find = (test: (value: Sql) => Sql) => (column ? test(column) : dialect.anyField(sql`b.body`, path, test));
  // The indexes of these columns leave out what is empty, which a planner must be told.
  const inIndex = column && values.every((value) => value !== '') ? sql` AND ${column} <> ''` : nothing;
  const present = (value: Sql) => (column ? sql`${value} <> ''` : sql`${value} IS NOT NULL`);
  const among = (value: Sql) => memberSql(column ? value : sql`COALESCE(${value}, '')`, values, 'text', dialect);
  switch (operator) {
    case 'in':
      return sql`(${find(among)}${inIndex})`;
    case 'notin':
      return sql`NOT (${find(among)})`;
    case 'exists':
      return find(present);
    case '!':
      return sql`NOT (${find(present)})`;
  }
}

function columnOf(path: FieldPath): Sql | undefined {
  const name = dotted(path);
  return Object.hasOwn(FIELD_COLUMNS, name) ? FIELD_COLUMNS[name] : undefined;
}

function dotted(path: FieldPath): string {
  return path.length === 1 ? (path[0] ?? []).join('.') : '';
}

/** What is selected of an object. */
export function bodySql({ onlyMetadata }: Query, body: Sql, dialect: Dialect): Sql {
  return onlyMetadata ? dialect.metadata(body) : dialect.fromBody(body);
}
