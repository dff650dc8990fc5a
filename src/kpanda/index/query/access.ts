/**
 * What a caller may read, as rows: a query joins them, so that what is not allowed is never found, counted or paged over.
 *
 * A grant covers one or all clusters, one or all namespaces (all: what has no namespace too), one or all kinds. Thousands
 * of grants are one JSON parameter for each of at most eight shapes, looked up by hash or tree, never a long expression.
 */
import type { IndexedKind } from '../store/index-store.ts';
import type { Dialect } from '../store/dialect.ts';
import { any, list, type Sql, sql } from '../store/sql.ts';

export type Access = 'everything' | readonly Grant[];

/** Absent means all. */
export interface Grant {
  readonly cluster?: string;
  readonly namespace?: string;
  readonly group?: string;
  readonly resource?: string;
}

/** Where the rights on a row are looked up; tombstones have the same columns as objects. */
interface Columns {
  readonly kind: Sql;
  readonly cluster: Sql;
  readonly scope: Sql;
}

export function accessSql(access: Access, kinds: readonly IndexedKind[], columns: Columns, dialect: Dialect): Sql {
  if (access === 'everything') return sql`1 = 1`;
  const shapes = new Map<string, { readonly columns: readonly Typed[]; readonly rows: (string | number)[][] }>();
  for (const grant of access) {
    for (const kind of kindsOf(grant, kinds)) {
      const places: readonly (readonly [Typed, string | number | undefined])[] = [
        [{ column: columns.kind, name: sql`kind`, type: 'int' }, kind],
        [{ column: columns.cluster, name: sql`cluster`, type: 'text' }, grant.cluster],
        [{ column: columns.scope, name: sql`scope`, type: 'text' }, grant.namespace],
      ];
      const given = places.filter(([, value]) => value !== undefined);
      if (given.length === 0) return sql`1 = 1`;
      const shape = given.map(([{ name }]) => name.text).join();
      const known = shapes.get(shape) ?? { columns: given.map(([column]) => column), rows: [] };
      known.rows.push(given.map(([, value]) => value ?? ''));
      shapes.set(shape, known);
    }
  }
  return any([...shapes.values()].map((shape) => memberSql(shape.columns, shape.rows, dialect)));
}

interface Typed {
  readonly column: Sql;
  readonly name: Sql;
  readonly type: 'text' | 'int';
}

function memberSql(columns: readonly Typed[], rows: readonly unknown[], dialect: Dialect): Sql {
  const names = list(columns.map(({ name }) => name));
  const found = sql`SELECT ${names} FROM ${dialect.rows(JSON.stringify(rows), columns)} AS allowed`;
  return sql`(${list(columns.map(({ column }) => column))}) IN (${found})`;
}

/** The kinds a grant is for: `[undefined]` when it is for all. */
function kindsOf({ group, resource }: Grant, kinds: readonly IndexedKind[]): readonly (number | undefined)[] {
  if (group === undefined && resource === undefined) return [undefined];
  return kinds
    .filter((kind) => (group ?? kind.group) === kind.group && (resource ?? kind.resource) === kind.resource)
    .map(({ id }) => id);
}

/** The clusters a caller may see anything in; undefined when all. */
export function visibleClusters(access: Access): readonly string[] | undefined {
  if (access === 'everything') return undefined;
  const named = access.map(({ cluster }) => cluster);
  return named.every((cluster) => cluster !== undefined) ? [...new Set(named)] : undefined;
}
