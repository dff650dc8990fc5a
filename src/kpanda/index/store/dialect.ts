/**
 * What SQLite and PostgreSQL spell differently. Everything else is one SQL for both.
 *
 * Rows go in as one JSON parameter and come out of it as a table: a statement has the same text whether it writes one
 * row or a thousand, and a list of ten thousand names is no expression tree.
 */
import type { FieldPath } from '#kube/meta/field-path.ts';
import { list, type Sql, sql } from './sql.ts';

export interface Dialect {
  readonly name: 'sqlite' | 'postgres';
  /** `(SELECT … AS a, … AS b FROM …)` over a JSON array of arrays, one place of each a column. */
  rows(json: string, columns: readonly ColumnOfRows[]): Sql;
  /** `SELECT …` over a JSON array of numbers or texts. */
  set(json: string, type: 'text' | 'int'): Sql;
  /** Whether `text` contains `part`, both taken literally. */
  contains(text: Sql, part: string): Sql;
  /** Whether any value at `path` of the object fulfils `test`; one without lists has at most one. */
  anyField(body: Sql, path: FieldPath, test: (value: Sql) => Sql): Sql;
  /** The object's metadata with its type, as text. */
  metadata(body: Sql): Sql;
  /** A body as it is stored, from text; and back. */
  toBody(text: Sql): Sql;
  fromBody(body: Sql): Sql;
  /** A condition that ends a query which runs for too long; nothing where the server does that itself. */
  readonly inTime: Sql;
  /** A join whose left side is looked through, and the right looked up for each of its rows. */
  readonly thenJoin: Sql;
  /** Whether a row's id is among a few, by which it is looked up; nothing else may lead to it. */
  amongFew(id: Sql, few: Sql): Sql;
  /** A column beside {@link amongFew}, which must not lead to rows itself. */
  beside(column: Sql): Sql;
  /** Whether there is any such row, found out for each row of a list that is walked in its order. */
  exists(select: Sql): Sql;
  /** Whether a row's id is among many, where all that match are wanted and no order is. */
  amongMany: ((id: Sql, many: Sql) => Sql) | undefined;
}

export interface ColumnOfRows {
  readonly name: Sql;
  readonly type: 'text' | 'int';
}

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  rows: (json, columns) =>
    sql`(SELECT ${list(columns.map(({ name }, place) => sql`value ->> ${`$[${place}]`} AS ${name}`))} FROM json_each(${json}))`,
  set: (json) => sql`SELECT value FROM json_each(${json})`,
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  anyField: (body, path, test) => sqliteField(body, path, 0, test),
  metadata: (body) =>
    sql`json_object('apiVersion', json_extract(${body}, '$.apiVersion'), 'kind', json_extract(${body}, '$.kind'), 'metadata', json(json_extract(${body}, '$.metadata')))`,
  toBody: (text) => text,
  fromBody: (body) => body,
  // Asked of one row in 64: calling out of the database costs more than looking at a row.
  inTime: sql`((o.id & 63) <> 0 OR in_time(o.id))`,
  thenJoin: sql`CROSS JOIN`,
  amongFew: (id, few) => sql`${id} IN (${few})`,
  // A planner that is offered an index in the order asked for walks all of it rather than sort a few rows.
  beside: (column) => sql`+${column}`,
  exists: (select) => sql`EXISTS (${select})`,
  amongMany: undefined,
};

/** One `json_each` for each list on the way. */
function sqliteField(body: Sql, [first = [], ...rest]: FieldPath, depth: number, test: (value: Sql) => Sql): Sql {
  const path = `$${first.map((key) => `."${key}"`).join('')}`;
  if (rest.length > 0) {
    const item: Sql = { text: `e${depth}`, params: [] };
    const within = sqliteField(sql`${item}.value`, rest, depth + 1, test);
    return sql`EXISTS (SELECT 1 FROM json_each(${body}, ${path}) ${item} WHERE ${within})`;
  }
  // An item of a list that is no object or list itself is no JSON text to look into.
  if (first.length === 0) return test(sql`CAST(${body} AS TEXT)`);
  const value = sql`CASE json_type(${body}, ${path}) WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE CAST(json_extract(${body}, ${path}) AS TEXT) END`;
  return depth === 0 ? test(value) : sql`CASE WHEN json_valid(${body}) THEN ${test(value)} ELSE 0 END`;
}

export const postgresDialect: Dialect = {
  name: 'postgres',
  rows: (json, columns) =>
    sql`(SELECT ${list(columns.map(({ name, type }, place) => (type === 'int' ? sql`(v ->> ${place}::int)::bigint AS ${name}` : sql`v ->> ${place}::int AS ${name}`)))} FROM jsonb_array_elements(${json}::jsonb) AS items(v))`,
  set: (json, type) =>
    type === 'int'
      ? sql`SELECT v::bigint FROM jsonb_array_elements_text(${json}::jsonb) AS items(v)`
      : sql`SELECT v FROM jsonb_array_elements_text(${json}::jsonb) AS items(v)`,
  contains: (text, part) => sql`position(${part}::text in ${text}) > 0`,
  anyField(body, path, test) {
    const [only = []] = path;
    if (path.length === 1)
      return test(
        sql`(${body} #>> (SELECT array_agg(v) FROM jsonb_array_elements_text(${JSON.stringify(only)}::jsonb) AS keys(v)))`,
      );
    const steps = path.map((keys) => keys.map((key) => `.${JSON.stringify(key)}`).join('')).join('[*]');
    return sql`EXISTS (SELECT 1 FROM jsonb_path_query(${body}, ${`lax $${steps}`}::jsonpath) AS found(v) WHERE ${test(sql`(found.v #>> '{}')`)})`;
  },
  metadata: (body) =>
    sql`jsonb_build_object('apiVersion', ${body} -> 'apiVersion', 'kind', ${body} -> 'kind', 'metadata', ${body} -> 'metadata')::text`,
  toBody: (text) => sql`${text}::jsonb`,
  fromBody: (body) => sql`${body}::text`,
  inTime: sql`1 = 1`,
  thenJoin: sql`JOIN`,
  // As an array they are no table to be joined with: the planner knows nothing of it but that it is short.
  amongFew: (id, few) => sql`${id} = ANY (ARRAY(${few}))`,
  beside: (column) => column,
  // The offset keeps it from becoming a join, whose size the planner would have to guess.
  exists: (select) => sql`EXISTS (${select} OFFSET 0)`,
  amongMany: (id, many) => sql`${id} IN (${many})`,
};
